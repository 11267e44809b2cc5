"""What an operator should know about an installation: folder, database, broker, workers, DOI proxy, mail; and what to
do about it. The settings (`settings_check.py`) and the machines (`machines.py`) have modules of their own."""

import os
import shutil
import smtplib
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.mail import get_connection
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from yarl import URL

from resolver import conf
from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.handle.record import Record
from resolver.models import WorkerHeartbeat
from resolver.proxy.limits import Paused
from resolver.proxy.limits.request_deadline import TimeLimitReached, time_limit
from resolver.services.health.findings import DoctorFinding, advice, fault, ok
from resolver.services.health.heartbeats import count_live_schedulers, count_live_workers
from resolver.services.health.machines import look_at_clocks, look_at_files, look_at_machines
from resolver.services.health.outdated_static_files import count_outdated_static_files
from resolver.services.health.readiness import REDIS_SECONDS, check_broker
from resolver.services.health.retraction_list import look_at_retractions
from resolver.services.health.settings_check import SETTINGS_LOOKS
from resolver.services.health.sign_on import look_at_sign_on
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import files
from resolver.services.storage.disk_reserve import find_short_disks

KNOWN = "10.1000/182"  # the DOI Handbook, which every proxy of all DOIs knows
PERMIT_SECONDS = 10.0  # that a request waits for its permit
OWN_PATHS = "Check DOI_PROXY_URL: it has a path. The portal itself adds api/handles and doiRA to the address."
AFTER_ERRORS = {
    "database": "Check DATABASE_URL, and look whether the database runs and lets this account in.",
    "broker": "Check REDIS_URL, and look whether Redis runs.",
    "clocks": "They are compared with the database's: mend that first.",
    "workers": "They are counted in the database: mend that first.",
    "machines": "Their processes are counted in the database: mend that first.",
    "retractions": "Their list is in the database: mend that first.",
}


def diagnose(proxy: DoiProxy, *, now: datetime) -> Iterator[DoctorFinding]:
    """Yield the findings, part after part. One request is sent to the DOI proxy, one to an identity provider, and a
    login to a mail server, if there are such. A part that can't be looked at is a fault, and the others follow."""
    looks: list[tuple[str, Callable[[], Iterator[DoctorFinding]]]] = [
        *(("settings", look) for look in SETTINGS_LOOKS),
        ("data folder", _look_at_folder),
        ("files", look_at_files),
        ("static files", _look_at_static_files),
        ("database", _look_at_database),
        ("clocks", lambda: look_at_clocks(now)),
        ("broker", _look_at_broker),
        ("workers", lambda: _look_at_workers(now)),
        ("machines", lambda: look_at_machines(now)),
        ("DOI proxy", lambda: _look_at_proxy(proxy)),
        ("retractions", lambda: look_at_retractions(now)),
        ("sign-on", look_at_sign_on),
        ("mail", _look_at_mail),
    ]
    for part, look in looks:
        try:
            for found in look():
                yield found if found.part else replace(found, part=part)
        except (AnyDatabaseError, redis.RedisError, OSError, ValueError) as error:
            says = f"{type(error).__name__}: {' '.join(str(error).split())}"
            yield fault(says, AFTER_ERRORS.get(part, "Fix this, then run doctor again."), part)


def _look_at_folder() -> Iterator[DoctorFinding]:
    folder = settings.DOIPORTAL_DATA_DIR
    # A command that ran once with another account, as with `sudo`, leaves files that are closed to this one.
    folders = (folder, files.find_folder() or conf.copies_dir(), settings.FILE_UPLOAD_TEMP_DIR)
    closed = [path for path in (*folders, *sorted(folder.glob("*.sqlite3*"))) if not os.access(path, os.W_OK)]
    if closed:
        yield fault(f"{closed[0]} can't be written.", "Give it to the account that runs the portal.")
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield advice(f"Others on this machine may look into {folder}.", f"Run: chmod 700 {folder}")
    free, wanted = shutil.disk_usage(folder).free, 10 * settings.MAX_UPLOAD_BYTES
    if short := find_short_disks():
        says = f"Uploads are refused: less than DISK_RESERVE is free on the disk of {' and '.join(short)}."
        yield fault(says, "Make room, or lower DISK_RESERVE.")
    elif free < wanted:
        yield advice(
            f"{free / 1e9:.1f} GB are free, and 10 of the largest uploads take {wanted / 1e9:.1f} GB.",
            "Make room, or lower MAX_UPLOAD_BYTES.",
        )
    else:
        yield ok(f"{folder}, {free / 1e9:.1f} GB free.")


def _look_at_static_files() -> Iterator[DoctorFinding]:
    outdated = count_outdated_static_files()
    # `prepare` leaves a folder of the operator's alone.
    do = f"Run: {settings.MANAGE_COMMAND} {'collectstatic --clear --noinput' if settings.STATIC_DIR else 'prepare'}"
    if outdated is None:
        yield fault("They aren't collected.", do)
    elif outdated:
        yield fault(f"They were collected by another version; files that differ: {outdated}.", do)
    else:
        yield ok("They are collected.")


def _look_at_database() -> Iterator[DoctorFinding]:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    server = ".".join(map(str, connection.get_database_version()))
    if missing:
        yield fault(
            f"Its tables are not up to date; missing migrations: {len(missing)}.",
            f"Stop the portal, make a backup, then run: {settings.MANAGE_COMMAND} prepare",
        )
    else:
        yield ok(f"{connection.display_name} {server}, its tables are up to date.")


def _look_at_broker() -> Iterator[DoctorFinding]:
    trouble = check_broker()
    folder = conf.broker_dir()
    if trouble:
        yield fault(trouble, "Give it to the account that runs the portal.")
        return
    yield ok(f"Files in {folder}." if folder else "Redis answers.")
    if folder is None:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=REDIS_SECONDS) as broker:
            policy = None
            with suppress(redis.ResponseError):  # a server of others may hide its configuration
                policy = broker.config_get("maxmemory-policy").get("maxmemory-policy")
        if policy not in (None, "noeviction"):
            yield advice(
                f"Redis may remove messages and the shared budget when it is full ({policy}).",
                "Start it with: --maxmemory-policy noeviction",
            )


def _look_at_workers(now: datetime) -> Iterator[DoctorFinding]:
    if WorkerHeartbeat._meta.db_table not in connection.introspection.table_names():
        return  # a new database, as said above
    number = count_live_workers(now)
    if number:
        yield ok(f"{number} alive in the last minute.")
    else:
        yield advice("None was alive in the last minute: lists wait.", "Start the portal, or a worker.")
    yield from _look_at_scheduler(now)


def _look_at_scheduler(now: datetime) -> Iterator[DoctorFinding]:
    part, number = "scheduler", count_live_schedulers(now)
    if number == 1:
        yield ok("Alive in the last minute.", part=part)
    elif number:
        says = f"{number} were alive in the last minute, and there must be one."
        yield advice(says, "Unless one was replaced just now, stop all others.", part)
    else:
        says = "It wasn't alive in the last minute: interrupted lists don't continue, and watches don't run."
        yield advice(says, "Start the portal, or the scheduler on one machine.", part)


def _look_at_proxy(proxy: DoiProxy) -> Iterator[DoctorFinding]:
    try:
        proxy.budget.check_store()
    except redis.RedisError as error:
        says = f"Its request budget is in Redis, which doesn't answer ({type(error).__name__}): nothing was requested."
        yield fault(says, AFTER_ERRORS["broker"])
        return
    health = proxy.budget.read_health()
    if proxy.sample:
        yield advice("It is the sample proxy: its answers are made up.", "Set DOI_PROXY_URL.")
    if health.barred:
        since = datetime.fromtimestamp(health.refused_since, UTC).isoformat(timespec="seconds")
        yield fault(
            f"It has refused all requests since {since}: it may have barred this address.",
            "See docs/for-operators.md, The request budget.",
        )
    else:
        yield from _look_at_answer(proxy)


def _look_at_answer(proxy: DoiProxy) -> Iterator[DoctorFinding]:
    address = str(URL(proxy.base_url).with_user(None))  # without a password
    began, most = time.monotonic(), proxy.config.timeout + PERMIT_SECONDS
    try:
        with time_limit(most):
            answer = proxy.once.record(KNOWN)
    except TimeLimitReached:
        yield fault(
            f"A request had no answer within {most:g} seconds, or no permit to be sent.",
            "Look at PROXY_RATE and PROXY_CONCURRENCY, and at the network.",
        )
        return
    except Paused as pause:
        yield fault(f"Nothing may be sent to it for {pause.seconds:.0f} seconds.", "Wait.")
        return
    took = time.monotonic() - began
    if isinstance(answer, Record):
        yield ok(f"{address} knows {KNOWN}, and answered in {took:.1f} seconds.")
    elif isinstance(answer, ProxyError | Unreachable):
        yield fault(
            f"{address}: {answer.reason}.",
            OWN_PATHS
            if isinstance(answer, ProxyError) and urlsplit(proxy.base_url).path.strip("/")
            else "Look at the network: DNS, firewall, HTTPS_PROXY, REQUESTS_CA_BUNDLE.",
        )
    else:
        yield advice(
            f"{address} answered in {took:.1f} seconds, and doesn't know {KNOWN} (the DOI Handbook), the one that was "
            "requested.",
            "Check DOI_PROXY_URL, unless it is a proxy that knows DOIs of your own alone.",
        )


def _look_at_mail() -> Iterator[DoctorFinding]:
    """Log in at the mail server, if one is set, and send nothing."""
    if not conf.sends_mail():
        return
    server = f"{settings.EMAIL_HOST} port {settings.EMAIL_PORT}"
    try:
        with get_connection():
            pass
    except (OSError, smtplib.SMTPException) as error:
        yield fault(
            f"The mail server {server} can't be used ({type(error).__name__}).",
            "Check EMAIL_URL: host, port, user, password, smtp+tls or smtps. Look at the network: DNS, firewall.",
        )
    else:
        yield ok(f"The mail server {server} answers.")
