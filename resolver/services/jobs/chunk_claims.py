"""Who works on a chunk: a claim that one conditional UPDATE takes, that is renewed, and that runs out by itself.

A chunk over which workers are killed, or stumble, again and again is checked line by line from then on: which line is
tried stands in the chunk, so that the worker who comes next knows which one it was.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet

from resolver.models import Chunk, Job
from resolver.services import outages
from resolver.services.leases import LEASE, Clock, kept

TO_BE_EMPTIED = "to be emptied"  # in a chunk's `claim`, where no token of a worker is (`reopening.py`)
MAX_ATTEMPTS = 3  # so often a worker may be killed, or stumble, over one chunk before its lines are tried one by one
MAX_ATTEMPTS_ALONE = 2  # and so often over one of these lines


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that is ours for as long as its `claim` column holds our token."""

    chunk: Chunk
    job: Job
    token: str

    @property
    def was_left_lying(self) -> bool:
        """Whether the last who held it did not give it back: its rows may be why."""
        return self.chunk.attempts > 1

    @property
    def line_by_line(self) -> bool:
        return self.chunk.tried_line is not None

    @property
    def lost_line(self) -> int | None:
        """The line that is not to be tried again."""
        return self.chunk.tried_line if self.line_by_line and self.chunk.attempts > MAX_ATTEMPTS_ALONE else None


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
    if claim.job.ended:
        ours(claim).update(claim="", claimed_until=None)
        return None
    if chunk.attempts > MAX_ATTEMPTS and not claim.line_by_line:
        try_line(claim, 0)
    return claim


def try_line(claim: Claim, line: int) -> None:
    """This line is tried by itself from now on; how often the one before was tried is forgotten."""
    if claim.chunk.tried_line != line:
        claim.chunk.tried_line, claim.chunk.attempts = line, 1
        ours(claim).update(tried_line=line, attempts=1)


def ours(claim: Claim) -> QuerySet[Chunk]:
    """The chunk, as long as it is ours."""
    return Chunk.objects.filter(pk=claim.chunk.pk, claim=claim.token, done=False)


@contextmanager
def held(claim: Claim, clock: Clock) -> Iterator[None]:
    """Hold it until the block ends, then let others have it. Its attempts are forgotten unless something went wrong. So
    is this one where the database or Redis is away, or the disk full, which is no fault of its rows."""
    forget: dict[str, Any] = {}
    try:
        with kept(lambda: _renew(claim, clock())):
            yield
        forget = {"attempts": 0}
    except Exception as error:
        if outages.is_away(error) or outages.is_full(error):
            forget = {"attempts": F("attempts") - 1}
        raise
    finally:
        ours(claim).update(claim="", claimed_until=None, **forget)


def _renew(claim: Claim, now: datetime) -> None:
    ours(claim).update(claimed_until=now + LEASE)
