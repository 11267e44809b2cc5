"""Retries: an ended job checks the rows without a complete answer again, or chosen rows, and keeps all others.

`retry_job` only marks chunks, which takes no longer for a million rows than for ten. They are emptied one by one before
they are checked. No worker can claim a marked chunk, so no row is taken for answered by mistake.
"""

import time
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.models import ENDED, Chunk, Job, Row, State
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.jobs.lifecycle import finish_if_done, lock_ended_job
from resolver.services.jobs.references import count_references
from resolver.services.jobs.row_results import COUNTED, COUNTED_BY, add_to_counts
from resolver.services.lookups.stored_results import UNCHECKED_COLUMNS
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.keyset import BATCH_ROWS
from resolver.services.storage.leases import Clock
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.uploads import stored_uploads
from resolver.sheets.input.layout import Layout


def empty_marked_chunks(job: Job, *, clock: Clock, until: float) -> None:
    """Empty marked chunks in line order until that time (monotonic seconds), the first in any case."""
    marked = Chunk.objects.filter(job=job, done=False, claim=TO_BE_EMPTIED).order_by("number")
    for chunk_id in list(marked.values_list("pk", flat=True)):
        if not empty_chunk(chunk_id, clock=clock) or time.monotonic() > until:
            return


def empty_chunk(chunk_id: int, *, clock: Clock) -> bool:
    """Empty and uncount the rows of a marked chunk without a complete answer; if there are none, the chunk is done. All
    or nothing. Return whether the job still runs."""
    marked = Chunk.objects.filter(pk=chunk_id, claim=TO_BE_EMPTIED)
    chunk = marked.first()
    if chunk is None:
        return True
    with transaction.atomic():
        # The job first, then the chunk: every writer locks in this order.
        job = Job.objects.select_for_update().filter(pk=chunk.job_id).exclude(state__in=ENDED).first()
        if job is None:
            return False
        if marked.select_for_update().first() is None:
            return True
        lines = chunk.first_line, chunk.last_line
        rows = Row.objects.filter(job=job, line__range=lines)
        _empty_rows(job, lines, rows.filter(Q(outcome__in=COULD_NOT_ASK) | Q(incomplete=True)))
        done = not rows.filter(outcome="").exists()
        marked.update(claim="", done=done)
    if done:
        finish_if_done(job.pk, clock())
    return True


def _empty_rows(job: Job, lines: tuple[int, int], rows: QuerySet[Row]) -> None:
    """Empty and uncount these rows, which lie between the two lines."""
    kinds = rows.order_by().values_list(*COUNTED_BY).annotate(rows=Count("pk"))
    add_to_counts(job, ((*kind, -number) for *kind, number in kinds))
    with count_references(job, lines):
        # A person's decision stays until there is news.
        rows.update(**{**UNCHECKED_COLUMNS, "correction": F("decision")})
    job.save(update_fields=(*COUNTED, "references_in_need"))


class NothingToRetry(Exception):
    """Every row of the job has its complete answer."""


def count_rows_to_retry(job: Job) -> int:
    """Return the number of rows without a complete answer, with the unchecked ones of a stopped job; 0 while the job
    runs. There may be more if the file was not read to its end."""
    if not job.ended:
        return 0
    if _was_file_gone(job):
        return _count_rows_to_read(job)
    unanswered = sum(job.counts["outcome"].get(str(outcome), 0) for outcome in COULD_NOT_ASK)
    unread = not job.layout.get("complete", True)  # at least one more row
    return int(unanswered + job.incomplete + max(int(unread), job.total - job.done))


def _was_file_gone(job: Job) -> bool:
    return str(job.error) == str(stored_uploads.GONE)


def _count_rows_to_read(job: Job) -> int:
    """Return the number of unread rows of a job that ended without its file; 0 until the file is back."""
    try:
        is_back = stored_uploads.is_stored(job.upload)
    except FilesUnreachable:
        return 0
    return max(1, Layout.from_json(job.layout).total - job.done) if is_back else 0


def retry_job(job: Job, *, proxy: DoiProxy, now: datetime, seconds: float = 0.5) -> None:
    """Start the job again at that proxy, all or nothing, and refresh `job`. Rows with a complete answer keep it.

    A person waits while chunks are emptied for some `seconds`, enough for some thousand rows. Workers empty the others;
    until then their rows keep their outcome and count. Raises JobStillRunning, NothingToRetry or Job.DoesNotExist. The
    caller starts `tasks.enqueue_job` once this is committed; else the sweep does.
    """
    # Before the lock, because the storage may take long to answer.
    is_file_back = _was_file_gone(job) and count_rows_to_retry(job) > 0
    with transaction.atomic():
        held = lock_ended_job(job.pk)  # a second retry finds the job running
        if not (is_file_back if _was_file_gone(held) else count_rows_to_retry(held)):
            raise NothingToRetry
        held.error, held.state = _choose_state(held)
        if held.state == State.QUEUED:
            held.total = max(held.total, Layout.from_json(held.layout).total)
        # Also a chunk that was being checked when the job was stopped: its worker writes nothing more.
        chunks = Chunk.objects.filter(job=held)
        chunks.update(done=False, claim=TO_BE_EMPTIED, claimed_until=None, attempts=0, tried_line=None)
        # Few rows of each chunk are left, or their precheck is stored.
        held.prechecking = False
        held.counts.pop("host", None)
        held.finished_at, held.heartbeat_at, held.proxy = None, now, proxy.base_url
        held.background = False  # a person waits for it
        held.served_at = None  # a short list comes first again
        held.reader, held.read_until = "", None  # a worker that still reads the file stores nothing more
        held.save()
    empty_marked_chunks(held, clock=lambda: now, until=time.monotonic() + seconds)
    job.refresh_from_db()


def _choose_state(job: Job) -> tuple[str, State]:
    """Return the error that stays, and the state: queued if there is more to read in the file, else checking."""
    if job.state == State.FAILED and not _was_file_gone(job):
        return job.error, State.CHECKING  # the line stays unreadable, but the rows before it are checked
    last = Row.objects.filter(job=job).aggregate(line=Max("line"))["line"] or 0
    layout = Layout.from_json(job.layout)
    return "", State.CHECKING if layout.complete and last >= layout.total else State.QUEUED


def recheck_rows(job: Job, lines: Sequence[int], *, proxy: DoiProxy, now: datetime) -> None:
    """Empty the rows of these lines and start the job again at that proxy, without stored answers. Call it again if it
    was interrupted. Raises JobStillRunning, or Job.DoesNotExist if it was deleted. The caller starts
    `tasks.enqueue_job` once this is committed; else the sweep does."""
    for start in range(0, len(lines), BATCH_ROWS):
        with transaction.atomic():
            held = lock_ended_job(job.pk)
            held.counts.pop("host", None)
            some = lines[start : start + BATCH_ROWS]
            rows = Row.objects.filter(job=held, line__in=some)
            _empty_rows(held, (min(some), max(some)), rows.exclude(outcome=""))
    with transaction.atomic():
        held = lock_ended_job(job.pk)
        unchecked_rows = Row.objects.filter(
            job=OuterRef("job"), line__range=(OuterRef("first_line"), OuterRef("last_line")), outcome=""
        )
        free = {"done": False, "claim": "", "claimed_until": None, "attempts": 0, "tried_line": None}
        if Chunk.objects.filter(Exists(unchecked_rows), job=held).update(**free):
            held.state, held.finished_at, held.prechecking = State.CHECKING, None, False
        held.fresh_since = held.heartbeat_at = now
        held.proxy = proxy.base_url
        held.save()
    job.refresh_from_db()
