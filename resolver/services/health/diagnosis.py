"""What an operator should know about an installation: settings, folder, database, broker, workers, DOI proxy, mail; and
what to do about it."""

import os
import shutil
import smtplib
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

import redis
from django.conf import settings
from django.core.mail import get_connection
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http.request import split_domain_port, validate_host
from yarl import URL

from doiportal.env import find_misspelt_names
from resolver import conf
from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.handle.record import Record
from resolver.models import WorkerHeartbeat
from resolver.proxy.limits import Paused
from resolver.proxy.limits.wait_limit import TimeLimitReached, time_limit
from resolver.services.health.findings import DoctorFinding, Level
from resolver.services.health.heartbeats import count_live_workers
from resolver.services.health.readiness import WITHIN, check_broker
from resolver.services.health.sign_on import look_at_sign_on
from resolver.services.health.static_files import count_outdated_static_files
from resolver.services.proxy_answers.configured_proxy import DoiProxy

DOI_ORG = "https://doi.org"
GENTLE = 20.0  # requests a second, beyond which an operator should have asked doi.org
KNOWN = "10.1000/182"  # the DOI Handbook, which every proxy of DOIs knows
PATIENCE = 10.0  # seconds that a request waits for its permit
ROOM = 10  # uploads of the largest size that should fit the disk
LEAST_FREE = 100_000_000  # bytes
OWN_PATHS = "Check DOI_PROXY_URL: it has a path. The portal itself adds api/handles and doiRA to the address."
AFTER_ERRORS = {
    "database": "Check DATABASE_URL, and look whether the database runs and lets this account in.",
    "broker": "Check REDIS_URL, and look whether Redis runs.",
    "workers": "They are counted in the database: mend that first.",
}


def diagnose(proxy: DoiProxy, *, now: datetime) -> Iterator[DoctorFinding]:
    """Yield the findings, part after part. One request is sent to the DOI proxy, one to an identity provider, and a
    login to a mail server, if there are such. A part that can't be looked at is a fault, and the others are looked at
    all the same."""
    looks: list[tuple[str, Callable[[], Iterator[DoctorFinding]]]] = [
        ("settings", _look_at_settings),
        ("settings", _look_at_names),
        ("settings", _look_at_host),
        ("settings", _look_at_public_hosts),
        ("settings", _look_at_allowed_hosts),
        ("settings", _look_at_groups_header),
        ("settings", _look_at_quotas),
        ("data folder", _look_at_folder),
        ("static files", _look_at_static_files),
        ("database", _look_at_database),
        ("broker", _look_at_broker),
        ("workers", lambda: _look_at_workers(now)),
        ("DOI proxy", lambda: _look_at_proxy(proxy)),
        ("sign-on", look_at_sign_on),
        ("mail", _look_at_mail),
    ]
    for part, look in looks:
        try:
            yield from look()
        except (AnyDatabaseError, redis.RedisError, OSError, ValueError) as error:
            says = f"{type(error).__name__}: {' '.join(str(error).split())}"
            yield DoctorFinding(part, Level.FAULT, says, AFTER_ERRORS.get(part, "Fix this, then run doctor again."))


def _look_at_settings() -> Iterator[DoctorFinding]:
    part, found = "settings", False
    if settings.DEBUG:
        yield DoctorFinding(part, Level.FAULT, "DEBUG is on: pages of faults show settings.", "Unset DEBUG.")
        found = True
    if not _is_loopback(settings.HOST) and not settings.CSRF_TRUSTED_ORIGINS:
        yield DoctorFinding(
            part,
            Level.ADVICE,
            f"The portal listens on {settings.HOST}, and CSRF_TRUSTED_ORIGINS is not set.",
            "Set it to the public address (https://…), so that cookies travel by https alone.",
        )
        found = True
    if settings.CSRF_TRUSTED_ORIGINS and not settings.TRUSTED_PROXIES:
        yield DoctorFinding(
            part,
            Level.ADVICE,
            "TRUSTED_PROXIES is not set: all requests through a server in front count as those of one address.",
            "Set it to the address of that server.",
        )
        found = True
    if conf.proxy_url() == DOI_ORG:
        if not conf.contact_email():
            yield DoctorFinding(
                part,
                Level.ADVICE,
                "CONTACT_EMAIL is not set: doi.org can't write to you before it blocks your address.",
                "Set it to an address that somebody reads.",
            )
            found = True
        if not 0 < conf.proxy_rate() <= GENTLE:
            yield DoctorFinding(
                part,
                Level.ADVICE,
                f"PROXY_RATE allows {conf.proxy_rate() or 'any number of'} requests per second to doi.org.",
                f"Ask the DOI Foundation first, or set it to {GENTLE:g} or less.",
            )
            found = True
    if not found:
        yield DoctorFinding(part, Level.OK, f"Python {sys.version.split()[0]}, {conf.user_agent()}.")


def _look_at_names() -> Iterator[DoctorFinding]:
    for name, meant in find_misspelt_names():
        yield DoctorFinding(
            "settings",
            Level.ADVICE,
            f"{name} is set, and there is no such setting.",
            f"If you mean {meant}, correct the name.",
        )


def _look_at_host() -> Iterator[DoctorFinding]:
    """Another port than PORT, which the portal may have already."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(settings.HOST, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except OSError as error:
        yield DoctorFinding(
            "settings",
            Level.FAULT,
            f"A web server on this machine can't listen on HOST={settings.HOST}: {error.strerror}.",
            "Set it to an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all networks.",
        )


def _look_at_public_hosts() -> Iterator[DoctorFinding]:
    """An origin with a wildcard names no host, and is left out."""
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        host, _ = split_domain_port(urlsplit(origin).netloc.lower())
        if "*" not in origin and not validate_host(host, settings.ALLOWED_HOSTS):
            yield DoctorFinding(
                "settings",
                Level.ADVICE,
                f"CSRF_TRUSTED_ORIGINS names {origin}, and ALLOWED_HOSTS doesn't allow {host or 'its host'}.",
                "Add the host to ALLOWED_HOSTS, unless the server in front changes the Host header.",
            )


def _look_at_allowed_hosts() -> Iterator[DoctorFinding]:
    """A public address in CSRF_TRUSTED_ORIGINS that isn't allowed is told above."""
    if settings.CSRF_TRUSTED_ORIGINS or any(not _is_of_this_machine(host) for host in settings.ALLOWED_HOSTS):
        return
    if _listens_everywhere(settings.HOST):
        how = f"The portal listens on {settings.HOST}"
    elif settings.TRUSTED_PROXIES:
        how = "TRUSTED_PROXIES names a server in front"
    else:
        return
    yield DoctorFinding(
        "settings",
        Level.ADVICE,
        f"{how}, and ALLOWED_HOSTS has only names of this machine itself: other machines get an error (400).",
        "Set it to the name by which people reach the portal.",
    )


def _look_at_groups_header() -> Iterator[DoctorFinding]:
    """The settings themselves refuse groups without headers."""
    header = settings.REMOTE_GROUPS_HEADER
    if header and not settings.REMOTE_USER_HEADER:
        says, do = "REMOTE_GROUPS_HEADER is set, and REMOTE_USER_HEADER is not.", "Set both, or neither."
    elif header and not settings.REMOTE_USER_GROUPS and not settings.REMOTE_ADMIN_GROUPS:
        says = "REMOTE_GROUPS_HEADER is set, and no groups are: everyone who logs in there may use the portal."
        do = "Set REMOTE_USER_GROUPS or REMOTE_ADMIN_GROUPS, or unset the header."
    else:
        return
    yield DoctorFinding("settings", Level.ADVICE, says, do)


def _look_at_quotas() -> Iterator[DoctorFinding]:
    most = {
        "MAX_LISTS_PER_DAY": conf.max_lists_per_day(),
        "MAX_ROWS_PER_DAY": conf.max_rows_per_day(),
        "MAX_REQUESTS_PER_DAY": conf.max_requests_per_day(),
    }
    named = ", ".join(name for name, number in most.items() if number)
    if named and conf.open_to_all():
        yield DoctorFinding(
            "settings",
            Level.ADVICE,
            f"Quotas are set ({named}), and people without an account have none: they need not log in.",
            "Set DOIPORTAL_OPEN=0, or unset the quotas.",
        )
    if 0 < most["MAX_ROWS_PER_DAY"] < most["MAX_LISTS_PER_DAY"]:
        yield DoctorFinding(
            "settings",
            Level.ADVICE,
            "MAX_ROWS_PER_DAY is less than MAX_LISTS_PER_DAY: nobody can check so many lists, as each has a row.",
            "Raise the first, or lower the second.",
        )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listens_everywhere(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _is_of_this_machine(host: str) -> bool:
    bare = host.strip("[]")
    return _is_loopback(bare) or _listens_everywhere(bare)


def _look_at_folder() -> Iterator[DoctorFinding]:
    part, folder = "data folder", conf.data_dir()
    # A command that ran once with another account, as with `sudo`, leaves files that are closed to this one.
    written = (folder, conf.uploads_dir(), conf.incoming_dir(), conf.metrics_dir(), *sorted(folder.glob("*.sqlite3*")))
    closed = [path for path in written if not os.access(path, os.W_OK)]
    if closed:
        yield DoctorFinding(
            part, Level.FAULT, f"{closed[0]} can't be written.", "Give it to the account that runs the portal."
        )
        return
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield DoctorFinding(
            part, Level.ADVICE, f"Others on this machine may look into {folder}.", f"Run: chmod 700 {folder}"
        )
    free, wanted = shutil.disk_usage(folder).free, ROOM * conf.max_upload_bytes()
    if free < LEAST_FREE:
        says = f"Only {free / 1e6:.0f} MB are free on the disk of {folder}: soon nothing can be stored."
        yield DoctorFinding(part, Level.FAULT, says, "Make room, also for the database.")
    elif free < wanted:
        yield DoctorFinding(
            part,
            Level.ADVICE,
            f"{free / 1e9:.1f} GB are free, and {ROOM} of the largest uploads take {wanted / 1e9:.1f} GB.",
            "Make room, or lower MAX_UPLOAD_BYTES.",
        )
    else:
        yield DoctorFinding(part, Level.OK, f"{folder}, {free / 1e9:.1f} GB free.")


def _look_at_static_files() -> Iterator[DoctorFinding]:
    part, outdated = "static files", count_outdated_static_files()
    # `prepare` leaves a folder of the operator's alone.
    do = f"Run: {conf.manage_command()} {'collectstatic --clear --noinput' if settings.STATIC_DIR else 'prepare'}"
    if outdated is None:
        yield DoctorFinding(part, Level.FAULT, "They aren't collected.", do)
    elif outdated:
        says = f"They were collected by another version; files that differ: {outdated}."
        yield DoctorFinding(part, Level.FAULT, says, do)
    else:
        yield DoctorFinding(part, Level.OK, "They are collected.")


def _look_at_database() -> Iterator[DoctorFinding]:
    part, executor = "database", MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    server = ".".join(map(str, connection.get_database_version()))
    if missing:
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"Its tables are not up to date; missing migrations: {len(missing)}.",
            f"Stop the portal, make a backup, then run: {conf.manage_command()} prepare",
        )
    else:
        yield DoctorFinding(part, Level.OK, f"{connection.display_name} {server}, its tables are up to date.")


def _look_at_broker() -> Iterator[DoctorFinding]:
    trouble = check_broker()
    folder = conf.broker_dir()
    if trouble:
        yield DoctorFinding("broker", Level.FAULT, trouble, "Give it to the account that runs the portal.")
        return
    yield DoctorFinding("broker", Level.OK, f"Files in {folder}." if folder else "Redis answers.")
    if folder is None:
        with redis.Redis.from_url(conf.redis_url(), socket_timeout=WITHIN) as broker:
            policy = None
            with suppress(redis.ResponseError):  # one that others run may not tell its configuration
                policy = broker.config_get("maxmemory-policy").get("maxmemory-policy")
        if policy not in (None, "noeviction"):
            yield DoctorFinding(
                "broker",
                Level.ADVICE,
                f"Redis may remove messages and the shared budget when it is full ({policy}).",
                "Start it with: --maxmemory-policy noeviction",
            )


def _look_at_workers(now: datetime) -> Iterator[DoctorFinding]:
    if WorkerHeartbeat._meta.db_table not in connection.introspection.table_names():
        return  # a new database, as said above
    number = count_live_workers(now)
    if number:
        yield DoctorFinding("workers", Level.OK, f"{number} alive in the last minute.")
    else:
        yield DoctorFinding(
            "workers",
            Level.ADVICE,
            "None was alive in the last minute: lists wait.",
            "Start the portal, or a worker.",
        )


def _look_at_proxy(proxy: DoiProxy) -> Iterator[DoctorFinding]:
    part = "DOI proxy"
    try:
        proxy.budget.check_store()
    except redis.RedisError as error:
        says = f"Its request budget is in Redis, which doesn't answer ({type(error).__name__}): nothing was requested."
        yield DoctorFinding(part, Level.FAULT, says, AFTER_ERRORS["broker"])
        return
    health = proxy.budget.read_health()
    address = str(URL(proxy.base_url).with_user(None))  # without a password
    if proxy.sample:
        yield DoctorFinding(
            part, Level.ADVICE, "It is the sample proxy: its answers are made up.", "Set DOI_PROXY_URL."
        )
    if health.barred:
        since = datetime.fromtimestamp(health.refused_since, UTC).isoformat(timespec="seconds")
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"It has refused all requests since {since}: it may have barred this address.",
            "See docs/for-operators.md, The request budget.",
        )
        return
    began = time.monotonic()
    most = proxy.config.timeout + PATIENCE
    try:
        with time_limit(most):
            answer = proxy.once.record(KNOWN)
    except TimeLimitReached:
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"A request had no answer within {most:g} seconds, or no permit to be sent.",
            "Look at PROXY_RATE and PROXY_CONCURRENCY, and at the network.",
        )
        return
    except Paused as pause:
        yield DoctorFinding(part, Level.FAULT, f"Nothing may be sent to it for {pause.seconds:.0f} seconds.", "Wait.")
        return
    took = time.monotonic() - began
    if isinstance(answer, Record):
        yield DoctorFinding(part, Level.OK, f"{address} knows {KNOWN}, and answered in {took:.1f} seconds.")
    elif isinstance(answer, ProxyError | Unreachable):
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"{address}: {answer.reason}.",
            OWN_PATHS
            if isinstance(answer, ProxyError) and urlsplit(proxy.base_url).path.strip("/")
            else "Look at the network: DNS, firewall, HTTPS_PROXY, REQUESTS_CA_BUNDLE.",
        )
    else:
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"{address} doesn't know {KNOWN}.",
            "Check DOI_PROXY_URL: is it a proxy of DOIs?",
        )


def _look_at_mail() -> Iterator[DoctorFinding]:
    """Log in at the mail server, if one is set, and send nothing."""
    if not conf.sends_mail():
        return
    part, server = "mail", f"{settings.EMAIL_HOST} port {settings.EMAIL_PORT}"
    try:
        with get_connection():
            pass
    except (OSError, smtplib.SMTPException) as error:
        yield DoctorFinding(
            part,
            Level.FAULT,
            f"The mail server {server} can't be used ({type(error).__name__}).",
            "Check EMAIL_URL: host, port, user, password, smtp+tls or smtps. Look at the network: DNS, firewall.",
        )
    else:
        yield DoctorFinding(part, Level.OK, f"The mail server {server} answers.")
