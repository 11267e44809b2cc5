"""Heartbeats in the database: workers, the scheduler and web servers report that they are alive, their version, their
settings, and whether they reach the uploaded files."""

import hmac
import logging
import os
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b

from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.models import Q, QuerySet

from resolver.models import Process, WorkerHeartbeat
from resolver.services.storage import files, local_copies
from resolver.services.storage.clock import compute_lead, read_clock
from resolver.services.storage.storage_errors import FilesUnreachable, is_unwritable

logger = logging.getLogger(__name__)
# A fork would copy the locks of the database's library that another thread holds just then.
_no_fork = threading.Lock()
os.register_at_fork(before=_no_fork.acquire, after_in_parent=_no_fork.release, after_in_child=_no_fork.release)

EVERY = timedelta(seconds=15)
LOST = timedelta(minutes=1)  # since its last heartbeat: longer than a database is away while it restarts
KEPT = timedelta(days=1)
SCHEDULER = "celerybeat"  # what Celery calls it, before the @ and its host
_IS_SCHEDULER = Q(name__startswith=f"{SCHEDULER}@")
# Those with which machines would give different answers, store different rows, or break the budget.
EQUAL_SETTINGS = (
    "SECRET_KEY",
    "DOI_PROXY_URL",
    "PROXY_CONCURRENCY",
    "PROXY_RATE",
    "PROXY_LONGEST_PAUSE",
    "ANSWERS_FRESH_HOURS",
    "ABSENT_FRESH_MINUTES",
    "METADATA",
    "METADATA_FRESH_DAYS",
    "METADATA_SERVICE_URL",
    "RETRACTIONS_URL",
    "MAX_UPLOAD_BYTES",
    "MAX_ROWS",
    "MAX_CELL",
    "MAX_FIELD",
    "MAX_EXPANDED",
    "KEEP_DAYS",
    "HOST_CHECKS",
    "WEBHOOK_ALLOW_PRIVATE",
)


@dataclass(slots=True)
class _LastLook:
    found: dict[str, str]
    until: float  # monotonic seconds: before, there is no other look


_last = _LastLook({}, 0.0)


def digest_settings() -> dict[str, str]:
    """Return a short digest of each of EQUAL_SETTINGS, keyed by SECRET_KEY, so that it reveals no password."""
    key = blake2b(settings.SECRET_KEY.encode(), person=b"equal settings").digest()
    values = {name: getattr(settings, name) for name in EQUAL_SETTINGS}
    return {name: hmac.digest(key, f"{name}={value}".encode(), "sha256").hex()[:12] for name, value in values.items()}


def _look_at_files() -> dict[str, str]:
    """Look at the files, but only once a minute while looks fail and take longer than a second: a storage that doesn't
    answer would hold up the process with each heartbeat."""
    began = time.monotonic()
    if began < _last.until:
        return _last.found
    _last.found = look_at_files()
    took = time.monotonic() - began
    _last.until = time.monotonic() + 60.0 if _last.found["files_trouble"] and took > 1.0 else 0.0
    return _last.found


def look_at_files() -> dict[str, str]:
    """Return the mark of the files that this process reaches, made if there is none, or why it reaches none."""
    try:
        return {"files": files.make_mark(), "files_trouble": ""}
    except FilesUnreachable as error:
        return {"files": "", "files_trouble": str(error)[:200]}
    except OSError as error:
        if not is_unwritable(error):
            raise
        return {"files": "", "files_trouble": "Its disk is full or read-only."}


def record_heartbeat(process: str, now: datetime, *, kind: Process = Process.WORKER, clock_ahead: float = 0.0) -> None:
    """Store that the process is alive, with its version, its settings and whether it reaches the uploaded files; remove
    old copies of such files on its machine. `process`: its name; of a worker, as Celery names it. `clock_ahead`: the
    seconds by which its machine's clock is ahead of the database's."""
    try:
        local_copies.prune_copies()
    except OSError:  # the process is alive all the same
        logger.warning("Old copies of uploaded files can't be removed.", exc_info=True)
    state = {"at": now, "kind": kind, "clock_ahead": clock_ahead, "version": settings.VERSION}
    state |= {"settings": digest_settings(), **_look_at_files()}
    WorkerHeartbeat.objects.update_or_create(name=process[:255], defaults=state)


def say_alive(process: str, kind: Process = Process.WORKER) -> None:
    """Record a heartbeat, and keep no connection: a worker's main process forks. What fails goes into the log."""
    with _no_fork:
        try:
            connection.ensure_connection()  # else the clock would never be measured again here
            record_heartbeat(process, read_clock(), kind=kind, clock_ahead=compute_lead())
        except (AnyDatabaseError, OSError):
            logger.warning("The heartbeat of this process wasn't stored.", exc_info=True)
        finally:
            connection.close()


def find_live(now: datetime) -> QuerySet[WorkerHeartbeat]:
    """Return the processes that were alive within LOST."""
    return WorkerHeartbeat.objects.filter(at__gt=now - LOST)


def find_workers() -> QuerySet[WorkerHeartbeat]:
    """Return the heartbeats of the workers."""
    return WorkerHeartbeat.objects.filter(kind=Process.WORKER).exclude(_IS_SCHEDULER)


def find_schedulers() -> QuerySet[WorkerHeartbeat]:
    """Return the heartbeats of the scheduler. One that was started on another host has left its own."""
    return WorkerHeartbeat.objects.filter(_IS_SCHEDULER)


def find_latest_heartbeat(of: QuerySet[WorkerHeartbeat], now: datetime) -> datetime | None:
    """Return when one of these was last alive; None if none was for KEPT."""
    latest = of.filter(at__gt=now - KEPT).order_by("-at").first()
    return latest.at if latest else None


def count_live_workers(now: datetime) -> int:
    """Return how many workers were alive within LOST."""
    return find_workers().filter(at__gt=now - LOST).count()


def count_live_schedulers(now: datetime) -> int:
    """Return how many schedulers were alive within LOST. There should be one."""
    return find_schedulers().filter(at__gt=now - LOST).count()


def prune_heartbeats(now: datetime) -> None:
    """Remove the heartbeats of those that are gone for KEPT."""
    WorkerHeartbeat.objects.filter(at__lte=now - KEPT).delete()
