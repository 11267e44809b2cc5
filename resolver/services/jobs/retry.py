"""Going on with a job that has ended: the rows without an answer, or without all of it, are asked, and no others.

`ask_again` only marks the chunks of such rows, which takes no longer for a million rows than for ten; they are emptied
one by one before anybody asks. Until a marked chunk is emptied nobody can claim it to check it, so a row is never taken
for answered because nobody came to empty it.
"""

import time
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q

from resolver.domain.report.report import COULD_NOT_ASK
from resolver.models import ENDED, Chunk, Job, Row, State
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.lifecycle import finish_if_done, need_ended
from resolver.services.leases import Clock
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.sheets.input.read import Layout

# What a row says once it has been asked. What follows from its text alone (doi, url …) stays.
_UNASKED: dict[str, Any] = {
    "outcome": "", "ra": "", "ra_status": "", "prefix_ra": "", "prefix_status": "", "urls": [], "problems": "",
    "messages": "", "suggestion": "", "also_registered": [], "others": [], "alias_of": "", "incomplete": False,
    "needs_review": False, "checked_at": None, "answered_at": None, "cached": False, "proxy": "",
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
        kinds = in_vain.order_by().values_list("outcome", "problems", "ra", "incomplete", "needs_review")
        _uncount_all(job, kinds.annotate(rows=Count("pk")))
        in_vain.update(**_UNASKED)
        job.save(update_fields=("done", "incomplete", "needs_review", "counts"))
        done = not rows.filter(outcome="").exists()
        marked.update(claim="", done=done)
    if done:
        finish_if_done(job.pk, clock())
    return True


def _uncount_all(job: Job, kinds: Iterable[tuple[str, str, str, bool, bool, int]]) -> None:
    for outcome, problems, ra, incomplete, needs_review, rows in kinds:
        job.done = max(0, job.done - rows)
        job.incomplete = max(0, job.incomplete - rows * incomplete)
        job.needs_review = max(0, job.needs_review - rows * needs_review)
        _uncount(job.counts["outcome"], [outcome], rows)
        _uncount(job.counts["problem"], problems.split(), rows)
        _uncount(job.counts["ra"], filter(None, [ra]), rows)


def _uncount(counted: dict[str, int], values: Iterable[str], rows: int) -> None:
    for value in values:
        left = counted.pop(value, 0) - rows
        if left > 0:
            counted[value] = left


AT_ONCE = 0.5  # seconds: a person waits, and a list of some thousand rows shows at once what is left


class NothingToAsk(Exception):
    """Every row of the job has its whole answer."""


def left_to_ask(job: Job) -> int:
    """How many rows `ask_again` would ask: those that could not be asked, or not for all, and those of a job
    that was stopped before anybody asked; none while the job runs. Of a job that was stopped before its file was read
    to the end, the rows that are known of: there are more."""
    if not job.ended:
        return 0
    in_vain = sum(job.counts["outcome"].get(str(outcome), 0) for outcome in COULD_NOT_ASK)
    unread = not job.layout.get("complete", True)  # nobody knows how many rows more there are: one at least
    return in_vain + job.incomplete + max(int(unread), job.total - job.done)


def ask_again(job: Job, *, proxy: DoiProxy, now: datetime) -> None:
    """Take the job up again at that proxy, all or nothing; `job` is as it then is. Rows that have their whole answer
    keep it.

    The chunks are marked, and emptied of the rows that could not be asked for half a second; workers go on with the
    rest (`empty`), and until then these rows keep their outcome and are counted. So it takes no longer for a
    million rows than for thousands. Raises JobStillRunning, NothingToAsk, or Job.DoesNotExist where it was deleted
    meanwhile. The caller starts `tasks.start_reading` once this is committed; the sweep does it when nobody else could.
    """
    with transaction.atomic():
        # Writers of rows hold this lock too. Whoever comes second finds the job running.
        held = Job.objects.select_for_update().get(pk=job.pk)
        need_ended(held)
        if not left_to_ask(held):
            raise NothingToAsk
        held.error, held.state = _goes_on_as(held)
        mark(held)
        # Few rows of each chunk are left, or what Which RA said of them is stored: asking it first would gain nothing.
        held.prechecking = False
        held.finished_at, held.heartbeat_at, held.proxy = None, now, proxy.base_url
        held.reader, held.read_until = "", None  # whoever still reads the file stores no more of it
        changed = ("state", "error", "prechecking", "finished_at", "heartbeat_at", "proxy", "reader", "read_until")
        held.save(update_fields=changed)
    empty_next(held, clock=lambda: now, until=time.monotonic() + AT_ONCE)
    job.refresh_from_db()


def _goes_on_as(job: Job) -> tuple[str, State]:
    """The error that stays, and the state: queued where lines of the file are still to be read, else checking."""
    if job.state == State.FAILED:
        return job.error, State.CHECKING  # a line that cannot be read: it stays so, but the rows before it are asked
    last = Row.objects.filter(job=job).aggregate(line=Max("line"))["line"] or 0
    layout = Layout.from_json(job.layout)
    return "", State.CHECKING if layout.complete and last >= layout.total else State.QUEUED
