"""Going on with a job that has ended: the rows without an answer are asked, and no others."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, Max, OuterRef, Q

from resolver.domain.report import COULD_NOT_ASK
from resolver.models import Chunk, Job, Row, State
from resolver.services.asking import Proxy
from resolver.services.checking import MAX_ATTEMPTS
from resolver.sheets.reading import Layout

# What a row says once it has been asked. What follows from its text alone (doi, url …) stays.
_UNASKED: dict[str, Any] = {
    "outcome": "", "ra": "", "ra_status": "", "prefix_ra": "", "prefix_status": "", "urls": [], "problems": "",
    "messages": "", "suggestion": "", "exist_too": [], "others": [], "alias_of": "", "checked_at": None, "proxy": "",
}  # fmt: skip


class StillRunning(Exception):
    """The job has not ended: what is left is being asked anyway."""


class NothingToAsk(Exception):
    """Every row of the job has its answer."""


def left_to_ask(job: Job) -> int:
    """How many rows `ask_again` would ask: those that could not be asked, and those of a job that was stopped
    before anybody asked. None while the job runs."""
    if not job.ended:
        return 0
    in_vain = sum(job.counts["outcome"].get(str(outcome), 0) for outcome in COULD_NOT_ASK)
    unread = not job.layout.get("complete", True)  # nobody knows how many rows more there are: one at least
    return in_vain + max(int(unread), job.total - job.done)


def ask_again(job: Job, *, proxy: Proxy, now: datetime) -> None:
    """Take the job up again at that proxy, all or nothing; `job` is as it then is. Rows that have an answer keep it.

    Raises StillRunning or NothingToAsk. The caller starts `tasks.read_job` once this is committed; the sweep does it
    when nobody else could.
    """
    with transaction.atomic():
        # Writers of rows hold this lock too. Whoever comes second finds the job running.
        held = Job.objects.select_for_update().filter(pk=job.pk).first()
        if held is None or not held.ended:
            raise StillRunning
        if not left_to_ask(held):
            raise NothingToAsk
        held.error, held.state = _goes_on_as(held)  # before the chunks forget how often they were tried
        _forget_what_was_not_answered(held)
        _reopen_chunks(held)
        held.finished_at, held.heartbeat_at, held.proxy = None, now, proxy.base_url
        held.save(update_fields=("state", "error", "done", "counts", "finished_at", "heartbeat_at", "proxy"))
    job.refresh_from_db()


def _goes_on_as(job: Job) -> tuple[str, State]:
    """The error that stays, and the state: queued where lines of the file are still to be read, else checking."""
    given_up = Chunk.objects.filter(job=job, attempts__gt=MAX_ATTEMPTS).exists()
    if job.state == State.FAILED and not given_up:
        return job.error, State.CHECKING  # a line that cannot be read: it stays so, but the rows before it are asked
    last = Row.objects.filter(job=job).aggregate(line=Max("line"))["line"] or 0
    layout = Layout.from_json(job.layout)
    return "", State.CHECKING if layout.complete and last >= layout.total else State.QUEUED


def _forget_what_was_not_answered(job: Job) -> None:
    """Its rows become rows that nobody asked, and are counted no more."""
    in_vain = Row.objects.filter(job=job, outcome__in=COULD_NOT_ASK)
    # Grouped by the database: there are few kinds, however many rows.
    kinds = in_vain.order_by().values_list("outcome", "problems", "ra").annotate(rows=Count("pk"))
    for outcome, problems, ra, rows in kinds:
        job.done = max(0, job.done - rows)
        _uncount(job.counts["outcome"], [outcome], rows)
        _uncount(job.counts["problem"], problems.split(), rows)
        _uncount(job.counts["ra"], filter(None, [ra]), rows)
    in_vain.update(**_UNASKED)


def _uncount(counted: dict[str, int], values: Iterable[str], rows: int) -> None:
    for value in values:
        left = counted.pop(value, 0) - rows
        if left > 0:
            counted[value] = left


def _reopen_chunks(job: Job) -> None:
    """Also a chunk that was being checked when the job was stopped: whoever held it writes no more."""
    unasked = Row.objects.filter(
        job=OuterRef("job_id"), line__gte=OuterRef("first_line"), line__lte=OuterRef("last_line"), outcome=""
    )
    Chunk.objects.filter(Q(done=False) | Q(Exists(unasked)), job=job).update(
        done=False, claim="", claimed_until=None, attempts=0
    )
