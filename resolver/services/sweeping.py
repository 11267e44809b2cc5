"""What was left lying: work that nobody holds, because its worker was killed or its message was lost."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Q, QuerySet

from resolver.models import Chunk, Job, State
from resolver.services.jobs import finish_if_done
from resolver.services.leases import LEASE

AT_ONCE = 100
WAITS_LONG = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Work:
    """A task to enqueue, and what it is about: a job's id as text, or a chunk's number."""

    task: Literal["read_job", "check_chunk"]
    id: str | int


def sweep(now: datetime) -> list[Work]:
    """Find the work to be enqueued again, and finish jobs whose worker was killed just before it could say so.

    A claim that ran out is proof; a chunk that only waits is not. So what waits is enqueued again when nobody
    works at all (the messages must be lost), or when it has waited very long; never all of it at once.
    """
    for job_id in Job.objects.filter(state=State.CHECKING).values_list("pk", flat=True):
        finish_if_done(job_id, now)
    idle = not Chunk.objects.filter(done=False, claimed_until__gt=now).exists()
    patience = LEASE if idle else WAITS_LONG
    return [*_unread(now, patience), *_abandoned(now), *_waiting(now, patience)]


def _unread(now: datetime, patience: timedelta) -> Iterator[Work]:
    """Jobs that nobody reads."""
    queued = Q(state=State.QUEUED, heartbeat_at__lt=now - patience)
    for job_id in Job.objects.filter(queued).values_list("pk", flat=True)[:AT_ONCE]:
        if Job.objects.filter(queued, pk=job_id).update(heartbeat_at=now):
            yield Work("read_job", str(job_id))
    abandoned = Job.objects.filter(state=State.READING, heartbeat_at__lt=now - LEASE)
    yield from (Work("read_job", str(job_id)) for job_id in abandoned.values_list("pk", flat=True)[:AT_ONCE])


def _abandoned(now: datetime) -> Iterator[Work]:
    """Chunks whose worker let its claim run out."""
    return _enqueue_again(Chunk.objects.filter(done=False, claimed_until__lt=now), now)


def _waiting(now: datetime, patience: timedelta) -> Iterator[Work]:
    """Chunks that nobody claimed since their message was sent."""
    sent = Q(queued_at=None) | Q(queued_at__lt=now - patience)
    return _enqueue_again(Chunk.objects.filter(sent, done=False, claimed_until=None), now)


def _enqueue_again(lost: QuerySet[Chunk], now: datetime) -> Iterator[Work]:
    open_jobs = Job.objects.filter(state__in=(State.READING, State.CHECKING))
    for chunk_id in list(
        lost.filter(job__in=open_jobs).order_by("queued_at", "pk").values_list("pk", flat=True)[:AT_ONCE]
    ):
        # Conditional once more: somebody may have claimed it meanwhile.
        if lost.filter(pk=chunk_id).update(claim="", claimed_until=None, queued_at=now):
            yield Work("check_chunk", chunk_id)
