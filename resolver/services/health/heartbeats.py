"""The workers and the scheduler say that they are alive, in the database that they share with the web server."""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from resolver.models import WorkerHeartbeat

EVERY = timedelta(seconds=15)
LOST = timedelta(minutes=1)  # since its last heartbeat: longer than a database is away while it restarts
KEPT = timedelta(days=1)
SCHEDULER = "celerybeat"  # what Celery calls it, before the @ and its host
_IS_SCHEDULER = Q(name__startswith=f"{SCHEDULER}@")


def record_heartbeat(name: str, now: datetime, *, clock_ahead: float = 0.0) -> None:
    """Store that the worker or the scheduler is alive. `name`: as Celery names it. `clock_ahead`: the seconds by which
    its machine's clock is ahead of the database's."""
    WorkerHeartbeat.objects.update_or_create(name=name[:255], defaults={"at": now, "clock_ahead": clock_ahead})


def find_workers() -> QuerySet[WorkerHeartbeat]:
    """Return the heartbeats of the workers."""
    return WorkerHeartbeat.objects.exclude(_IS_SCHEDULER)


def find_schedulers() -> QuerySet[WorkerHeartbeat]:
    """Return the heartbeats of the scheduler. One that was started on another host has left its own."""
    return WorkerHeartbeat.objects.filter(_IS_SCHEDULER)


def find_latest_heartbeat(of: QuerySet[WorkerHeartbeat], now: datetime) -> datetime | None:
    """Return when one of these was last alive; None if none was for KEPT."""
    latest = of.filter(at__gt=now - KEPT).order_by("-at").first()
    return latest.at if latest else None


def count_live_workers(now: datetime) -> int:
    """Return how many workers were alive in the time LOST."""
    return find_workers().filter(at__gt=now - LOST).count()


def count_live_schedulers(now: datetime) -> int:
    """Return how many schedulers were alive in the time LOST. There should be one."""
    return find_schedulers().filter(at__gt=now - LOST).count()


def prune_heartbeats(now: datetime) -> None:
    """Remove the heartbeats of those that are gone for KEPT."""
    WorkerHeartbeat.objects.filter(at__lte=now - KEPT).delete()
