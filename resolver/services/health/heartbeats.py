"""Workers, the scheduler and web servers say that they are alive, and how they are set up, in their database."""

import logging
from datetime import datetime, timedelta

from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.models import Q, QuerySet

from resolver.models import Process, WorkerHeartbeat
from resolver.services.health.own_state import describe_own_state
from resolver.services.storage import local_copies
from resolver.services.storage.clock import compute_lead, read_clock

logger = logging.getLogger(__name__)

EVERY = timedelta(seconds=15)
LOST = timedelta(minutes=1)  # since its last heartbeat: longer than a database is away while it restarts
KEPT = timedelta(days=1)
SCHEDULER = "celerybeat"  # what Celery calls it, before the @ and its host
_IS_SCHEDULER = Q(name__startswith=f"{SCHEDULER}@")


def record_heartbeat(process: str, now: datetime, *, kind: Process = Process.WORKER, clock_ahead: float = 0.0) -> None:
    """Store that the process is alive, with its version, its settings and whether it reaches the uploaded files; remove
    old copies of such files on its machine. `process`: its name; of a worker, as Celery names it. `clock_ahead`: the
    seconds by which its machine's clock is ahead of the database's."""
    try:
        local_copies.prune_copies()
    except OSError:  # the process is alive all the same
        logger.warning("Old copies of uploaded files can't be removed.", exc_info=True)
    state = {"at": now, "kind": kind, "clock_ahead": clock_ahead, **describe_own_state()}
    WorkerHeartbeat.objects.update_or_create(name=process[:255], defaults=state)


def say_alive(process: str, kind: Process = Process.WORKER) -> None:
    """Record a heartbeat, and keep no connection: a worker's main process forks. What fails goes into the log."""
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
