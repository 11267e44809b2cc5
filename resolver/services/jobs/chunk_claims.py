"""Claims of chunks: leases that one worker takes and renews.

If workers are killed, or fail, again and again over a chunk, it is checked line by line from then on: it says which
line is tried, so the next worker knows which one it was.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from resolver.models import Chunk, Job
from resolver.services.storage import storage_errors
from resolver.services.storage.leases import Clock, Lease, LeaseColumns

TO_BE_EMPTIED = "to be emptied"  # in a chunk's `claim`, instead of a worker's token (`retry.py`)
MAX_ATTEMPTS = 3  # of workers that are killed or fail over a chunk, before its lines are tried one by one
MAX_ATTEMPTS_ALONE = 2  # over one of these lines
LEAST_TIME = 1.0  # seconds
_LEASES = LeaseColumns("claim", "claimed_until")


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that is ours, and its job."""

    lease: Lease[Chunk]

    @property
    def chunk(self) -> Chunk:
        return self.lease.row

    @property
    def job(self) -> Job:
        return self.chunk.job

    @property
    def was_left_lying(self) -> bool:
        """Return whether the last holder did not give it back: its rows may be why."""
        return self.chunk.attempts > 1

    @property
    def line_by_line(self) -> bool:
        return self.chunk.tried_line is not None

    @property
    def lost_line(self) -> int | None:
        """The line that is not to be tried again."""
        return self.chunk.tried_line if self.line_by_line and self.chunk.attempts > MAX_ATTEMPTS_ALONE else None

    def try_line(self, line: int) -> None:
        """Note that this line is tried alone from now on, and forget the attempts at the line before."""
        if self.chunk.tried_line != line:
            self.chunk.tried_line, self.chunk.attempts = line, 1
            self.lease.find_row().update(tried_line=line, attempts=1)


def extend_turn(until: float) -> float:
    """Return until when the first names of a claimed chunk are requested (monotonic seconds). Long texts may take
    longer to read than a turn lasts; the next turn would read them in vain again."""
    return max(until, time.monotonic() + LEAST_TIME)


def filter_free_chunks(chunks: QuerySet[Chunk], now: datetime) -> QuerySet[Chunk]:
    """Return those that are to be checked and that no worker holds."""
    return chunks.filter(_LEASES.build_unattended_condition(now), done=False)


def release_chunks(chunks: QuerySet[Chunk]) -> None:
    """Take those that are to be checked from the workers that hold them."""
    chunks.filter(done=False).exclude(claim__in=("", TO_BE_EMPTIED)).update(claim="", claimed_until=None)


def claim_chunk(chunks: QuerySet[Chunk], now: datetime) -> Claim | None:
    """Claim the one chunk of this query, unless another worker holds it, it is to be emptied or done, or its job has
    ended."""
    # No condition on the job here: PostgreSQL would not look again at a joined table after waiting for the row.
    undone = chunks.filter(done=False).select_related("job")
    lease = _LEASES.take(undone, now, attempts=F("attempts") + 1)
    if lease is None:
        return None
    claim = Claim(lease)
    if claim.job.ended:
        lease.give_back()
        return None
    if claim.chunk.attempts > MAX_ATTEMPTS and not claim.line_by_line:
        claim.try_line(0)
    return claim


@contextmanager
def hold_chunk(claim: Claim, clock: Clock) -> Iterator[None]:
    """Hold the chunk until the block ends, then give it back. Its attempts are forgotten unless something went wrong.
    This attempt does not count if the database or Redis is away, or the disk full: that is no fault of its rows."""
    forget: dict[str, Any] = {}
    try:
        with claim.lease.keep(clock):
            yield
        forget = {"attempts": 0}
    except Exception as error:
        if storage_errors.is_store_away(error) or storage_errors.is_unwritable(error):
            forget = {"attempts": F("attempts") - 1}
        raise
    finally:
        claim.lease.give_back(**forget)
