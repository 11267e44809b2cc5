"""The workers say that they are alive, in the database that they share with the web server."""

from datetime import datetime, timedelta

from resolver.models import WorkerHeartbeat

EVERY = timedelta(seconds=15)
LOST = timedelta(minutes=1)  # since its last heartbeat: longer than a database is away while it restarts
KEPT = timedelta(days=1)


def record_heartbeat(worker: str, now: datetime, *, clock_ahead: float = 0.0) -> None:
    """Store that the worker is alive. `worker`: its name, as Celery names it. `clock_ahead`: the seconds by which its
    machine's clock is ahead of the database's."""
    WorkerHeartbeat.objects.update_or_create(name=worker[:255], defaults={"at": now, "clock_ahead": clock_ahead})


def find_latest_heartbeat(now: datetime) -> datetime | None:
    """Return when a worker was last alive; None if none was for KEPT."""
    latest = WorkerHeartbeat.objects.filter(at__gt=now - KEPT).order_by("-at").first()
    return latest.at if latest else None


def count_live_workers(now: datetime) -> int:
    """Return how many workers were alive in the time LOST."""
    return WorkerHeartbeat.objects.filter(at__gt=now - LOST).count()


def prune_heartbeats(now: datetime) -> None:
    """Remove the workers that are gone for KEPT."""
    WorkerHeartbeat.objects.filter(at__lte=now - KEPT).delete()
