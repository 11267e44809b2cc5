"""Chunks whose rows without an answer are to be asked again, emptied one by one before anybody asks.

`retrying.ask_again` only marks them, which takes no longer for a million rows than for ten. Until a marked chunk is
emptied nobody can claim it to check it, so a row is never taken for answered because nobody came to empty it.
"""

import time
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Count, Q

from resolver.domain.report.report import COULD_NOT_ASK
from resolver.models import ENDED, Chunk, Job, Row
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.lifecycle import finish_if_done
from resolver.services.leases import Clock

# What a row says once it has been asked. What follows from its text alone (doi, url …) stays.
_UNASKED: dict[str, Any] = {
    "outcome": "", "ra": "", "ra_status": "", "prefix_ra": "", "prefix_status": "", "urls": [], "problems": "",
    "messages": "", "suggestion": "", "exist_too": [], "others": [], "alias_of": "", "incomplete": False,
    "doubtful": False, "checked_at": None, "answered_at": None, "cached": False, "proxy": "",
}  # fmt: skip


def mark(job: Job) -> None:
    """All chunks of the job are to be looked through, also one that was being checked when the job was stopped:
    whoever held it writes no more. To be called under the lock of the job's row."""
    Chunk.objects.filter(job=job).update(
        done=False, claim=TO_BE_EMPTIED, claimed_until=None, attempts=0, tried_line=None
    )


def empty_next(job: Job, *, clock: Clock, until: float) -> None:
    """Empty marked chunks in the order of their lines until that time (monotonic seconds), the first in any case."""
    marked = Chunk.objects.filter(job=job, done=False, claim=TO_BE_EMPTIED).order_by("number")
    for chunk_id in list(marked.values_list("pk", flat=True)):
        if not empty(chunk_id, clock=clock) or time.monotonic() > until:
            return


def empty(chunk_id: int, *, clock: Clock) -> bool:
    """If the chunk is marked: its rows that could not be asked, or not for all, become rows that nobody asked, and are
    counted no more; a chunk in which every row has its answer is done. All or nothing; whether the job still runs."""
    marked = Chunk.objects.filter(pk=chunk_id, claim=TO_BE_EMPTIED)
    chunk = marked.first()
    if chunk is None:
        return True
    with transaction.atomic():
        # The job first, then the chunk: everybody locks in this order.
        job = Job.objects.select_for_update().filter(pk=chunk.job_id).exclude(state__in=ENDED).first()
        if job is None:
            return False
        if marked.select_for_update().first() is None:
            return True
        rows = Row.objects.filter(job=job, line__range=(chunk.first_line, chunk.last_line))
        in_vain = rows.filter(Q(outcome__in=COULD_NOT_ASK) | Q(incomplete=True))
        kinds = in_vain.order_by().values_list("outcome", "problems", "ra", "incomplete", "doubtful")
        _uncount_all(job, kinds.annotate(rows=Count("pk")))
        in_vain.update(**_UNASKED)
        job.save(update_fields=("done", "incomplete", "doubtful", "counts"))
        done = not rows.filter(outcome="").exists()
        marked.update(claim="", done=done)
    if done:
        finish_if_done(job.pk, clock())
    return True


def _uncount_all(job: Job, kinds: Iterable[tuple[str, str, str, bool, bool, int]]) -> None:
    for outcome, problems, ra, incomplete, doubtful, rows in kinds:
        job.done = max(0, job.done - rows)
        job.incomplete = max(0, job.incomplete - rows * incomplete)
        job.doubtful = max(0, job.doubtful - rows * doubtful)
        _uncount(job.counts["outcome"], [outcome], rows)
        _uncount(job.counts["problem"], problems.split(), rows)
        _uncount(job.counts["ra"], filter(None, [ra]), rows)


def _uncount(counted: dict[str, int], values: Iterable[str], rows: int) -> None:
    for value in values:
        left = counted.pop(value, 0) - rows
        if left > 0:
            counted[value] = left
