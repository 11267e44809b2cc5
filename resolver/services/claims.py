"""Who works on a chunk: a claim that one conditional UPDATE takes, that is renewed, and that runs out by itself."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q, QuerySet

from resolver.models import ENDED, Chunk, Job, State
from resolver.services.jobs import Clock
from resolver.services.leases import LEASE, kept

TO_BE_EMPTIED = "to be emptied"  # in a chunk's `claim`, where no token of a worker is (`reopening.py`)
MAX_ATTEMPTS = 10  # so often a worker may be killed, or stumble, over one chunk


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that is ours for as long as its `claim` column holds our token."""

    chunk: Chunk
    job: Job
    token: str


def free(chunks: QuerySet[Chunk], now: datetime) -> QuerySet[Chunk]:
    """Those that are to be checked and that nobody holds."""
    return chunks.filter(Q(claimed_until=None) | Q(claimed_until__lt=now), done=False)


def take(chunks: QuerySet[Chunk], now: datetime) -> Claim | None:
    """Claim the one chunk of this query, unless another holds it, it is to be emptied or done, or its job has ended."""
    token = str(uuid.uuid4())
    # No condition on the job here: PostgreSQL would not look again at a joined table after waiting for the row.
    wanted = free(chunks, now).exclude(claim=TO_BE_EMPTIED)
    if not wanted.update(claim=token, claimed_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    chunk = chunks.select_related("job").filter(claim=token).first()
    if chunk is None:
        return None
    claim = Claim(chunk, chunk.job, token)
    if chunk.attempts > MAX_ATTEMPTS:
        _fail(claim, now)
    if claim.job.ended or chunk.attempts > MAX_ATTEMPTS:
        ours(claim).update(claim="", claimed_until=None)
        return None
    return claim


def ours(claim: Claim) -> QuerySet[Chunk]:
    """The chunk, as long as it is ours."""
    return Chunk.objects.filter(pk=claim.chunk.pk, claim=claim.token, done=False)


@contextmanager
def held(claim: Claim, clock: Clock) -> Iterator[None]:
    """Hold it until the block ends, then let others have it. Its attempts are forgotten unless something went wrong."""
    forget = {}
    try:
        with kept(lambda: _renew(claim, clock())):
            yield
        forget = {"attempts": 0}
    finally:
        ours(claim).update(claim="", claimed_until=None, **forget)


def _renew(claim: Claim, now: datetime) -> None:
    ours(claim).update(claimed_until=now + LEASE)


def _fail(claim: Claim, now: datetime) -> None:
    """A chunk that ended all its workers would end them for ever; its job says so instead."""
    lines = f"Lines {claim.chunk.first_line} to {claim.chunk.last_line}"
    error = f"{lines} could not be checked, though it was tried {MAX_ATTEMPTS} times."
    unended = Job.objects.filter(pk=claim.job.pk).exclude(state__in=ENDED)
    unended.update(state=State.FAILED, error=error, finished_at=now)
