"""Whether the portal can work: database, broker, a worker, the scheduler, uploaded files, DOI proxy, room on disks."""

import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import redis
from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from resolver import conf
from resolver.models import WorkerHeartbeat
from resolver.services.health import shared_files
from resolver.services.health.heartbeats import LOST, find_latest_heartbeat, find_schedulers, find_workers
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.disk_reserve import find_short_disks

REDIS_SECONDS = 2.0  # for an answer
_LOADED_AT = time.monotonic()

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PortalPart:
    """A part of the portal. `trouble`: why it can't work, or ""."""

    name: str
    trouble: str

    @property
    def is_ready(self) -> bool:
        return not self.trouble


def measure_uptime() -> timedelta:
    """Return how long this web server has been running."""
    return timedelta(seconds=time.monotonic() - _LOADED_AT)


def check_parts(proxy: DoiProxy, *, now: datetime, uptime: timedelta) -> list[PortalPart]:
    """Return the parts, each looked at. Nothing is requested from the DOI proxy: its part shows how it answered
    the last requests of all processes. No trouble names an address or a path. `uptime`: of the web server. In its first
    minute a missing scheduler isn't reported: they start together."""
    database = PortalPart("database", _find_trouble("database", _check_database))

    def check_in_database(check: Callable[[], str]) -> Callable[[], str]:
        # A second connection would take as long as the first until it fails.
        return check if database.is_ready else lambda: "Only the database knows whether one runs."

    looks: dict[str, Callable[[], str]] = {
        "broker": check_broker,
        "worker": check_in_database(lambda: _check_worker(now)),
        "scheduler": check_in_database(lambda: _check_scheduler(now) if uptime > LOST else ""),
        "files": check_in_database(lambda: shared_files.find_trouble(now)),
        "proxy": lambda: _check_proxy(proxy),
        "disk": _check_disk,
    }
    return [database, *(PortalPart(name, _find_trouble(name, look)) for name, look in looks.items())]


def _find_trouble(name: str, look: Callable[[], str]) -> str:
    try:
        return look()
    except Exception:
        # Whatever the error is, the other parts must be shown too.
        log.warning("The portal isn't ready: %s", name, exc_info=True)
        return "It doesn't answer. The log of the web server says why."


def close_kept_connection() -> None:
    """Let the next query make a connection, which must be there within the seconds of DATABASE_URL. A kept one may wait
    without end for a server that hangs, and doesn't show that the server has room for another."""
    if not connection.in_atomic_block:
        connection.close()


def _check_database() -> str:
    close_kept_connection()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchone()
    return ""


def check_broker() -> str:
    """Return why no message can be sent to a worker, or "". Raises RedisError."""
    folder = conf.broker_dir()
    if folder is None:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=REDIS_SECONDS, socket_connect_timeout=REDIS_SECONDS
        ) as broker:
            broker.ping()
    elif not os.access(folder, os.W_OK | os.X_OK):
        return "The folder of its messages can't be written."
    return ""


def _check_worker(now: datetime) -> str:
    silence = _describe_silence(find_workers(), now)
    return f"No worker has run {silence}. Lists wait until one starts." if silence else ""


def _check_disk() -> str:
    short = find_short_disks()
    return f"Less than DISK_RESERVE is free on the disk of {' and '.join(short)}. Uploads are refused." if short else ""


def _check_scheduler(now: datetime) -> str:
    silence = _describe_silence(find_schedulers(), now)
    effect = "Interrupted lists don't continue, watches don't run, and nothing is removed until it starts."
    return f"The scheduler hasn't run {silence}. {effect}" if silence else ""


def _describe_silence(processes: QuerySet[WorkerHeartbeat], now: datetime) -> str:
    latest = find_latest_heartbeat(processes, now)
    if latest is None:
        return "in the last day"
    return f"for {(now - latest).total_seconds():.0f} seconds" if now - latest > LOST else ""


def _check_proxy(proxy: DoiProxy) -> str:
    proxy.budget.check_store()
    health = proxy.budget.read_health()
    if health.barred:
        since = datetime.fromtimestamp(health.refused_since, UTC).isoformat(timespec="seconds")
        return f"It has refused all requests since {since}: it may have barred this address."
    if health.failing:
        return "It can't be reached, or its last answers couldn't be used."
    pause = proxy.budget.get_pause()
    if pause > 0:
        return f"It asked for a pause, which lasts {pause:.0f} more seconds."
    return ""
