"""The references of a bibliographic list that need work: a row of theirs needs attention or cleaning up."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Q

from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import BAD, EMPTY
from resolver.models import Job, Row
from resolver.sheets.bibliographic.record import MAX_RECORD_PLACES

REFERENCES = ("references", "references_in_need")
"""The columns of a job that count its references."""
_IN_NEED = (
    Q(needs_review=True) | Q(tidier=True) | (Q(outcome__in=BAD) & ~Q(outcome=Outcome.INVALID, problem_codes=(EMPTY,)))
)


@contextmanager
def count_references(job: Job, lines: tuple[int, int]) -> Iterator[None]:
    """Count in `job.references_in_need`, which is not saved, what the block changes in the rows from the first of these
    lines to the last. Two queries, and none for a table.

    A reference has rows of its own beside each other, at most MAX_RECORD_PLACES, so nothing further away is read. Call
    it under the lock of the job's row.
    """
    if not job.references:
        yield
        return
    before = _find_in_need(job, *lines)
    yield
    job.references_in_need = max(0, job.references_in_need + len(_find_in_need(job, *lines)) - len(before))


def _find_in_need(job: Job, first: int, last: int) -> set[int]:
    near = Row.objects.filter(job=job, line__range=(first - MAX_RECORD_PLACES, last + MAX_RECORD_PLACES)).order_by()
    return {first for first in near.filter(_IN_NEED).values_list("reference", flat=True) if first is not None}
