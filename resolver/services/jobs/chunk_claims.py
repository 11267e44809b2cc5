"""Claims of chunks: leases that one worker takes and renews.

A chunk over which workers are killed or fail again and again is checked line by line from then on. It stores the line
that is being tried, so that the next worker knows which one it was.
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
MAX_ATTEMPTS = 3  # at a chunk, by workers that are killed or fail; then its lines are tried one by one
MAX_ATTEMPTS_ALONE = 2  # at one of these lines
FIRST_NAMES_SECONDS = 1.0
_LEASES = LeaseColumns("claim", "claimed_until")


@dataclass(frozen=True, slots=True)
class Claim:
    """A chunk that this worker holds, and its job."""

    lease: Lease[Chunk]

    @property
    def chunk(self) -> Chunk:
        return self.lease.row

    @property
    def job(self) -> Job:
        return self.chunk.job

    @property
    def was_abandoned(self) -> bool:
        """Whether the last holder did not give the chunk back, perhaps because of its rows."""
        return self.chunk.attempts > 1

    @property
    def line_by_line(self) -> bool:
        return self.chunk.tried_line is not None

    @property
    def lost_line(self) -> int | None:
        """The line that must not be tried again."""
        return self.chunk.tried_line if self.line_by_line and self.chunk.attempts > MAX_ATTEMPTS_ALONE else None

    def try_line(self, line: int) -> None:
        """Store that this line is tried alone from now on, and forget the attempts at the line before."""
        if self.chunk.tried_line != line:
            self.chunk.tried_line, self.chunk.attempts = line, 1
            self.lease.find_row().update(tried_line=line, attempts=1)


def first_names_deadline(until: float) -> float:
    """Return until when the first names of a claimed chunk may be requested (monotonic seconds). Reading long texts may
    take longer than a turn, and the next turn would have to read them again."""
    return max(until, time.monotonic() + FIRST_NAMES_SECONDS)


def filter_free_chunks(chunks: QuerySet[Chunk], now: datetime) -> QuerySet[Chunk]:
    """Return the chunks that are unchecked and that no worker holds."""
    return chunks.filter(_LEASES.build_unattended_condition(now), done=False)


def release_chunks(chunks: QuerySet[Chunk]) -> None:
    """Take the unchecked chunks from the workers that hold them."""
    chunks.filter(done=False).exclude(claim__in=("", TO_BE_EMPTIED)).update(claim="", claimed_until=None)


def claim_chunk(chunks: QuerySet[Chunk], now: datetime) -> Claim | None:
    """Claim the one chunk of this query; None if it is held, marked or done, or its job has ended."""
    # No condition on the job here: PostgreSQL would not look again at a joined table after waiting for the row.
    lease = _LEASES.take(chunks.filter(done=False).select_related("job"), now, attempts=F("attempts") + 1)
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
    """Hold the chunk until the block ends, then give it back. Forget its attempts unless an error is raised. Don't
    count this attempt if the database or Redis is away, or the disk is full: its rows are not to blame."""
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
