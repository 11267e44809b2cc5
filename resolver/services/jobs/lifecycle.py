"""Jobs: taken in, read into rows, cancelled, deleted. Checking the rows is `check.py`'s."""

import itertools
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, Exists, Max, OuterRef, Q, Value, When
from django.utils import timezone

from resolver import conf
from resolver.models import ENDED, Chunk, Job, Row, State, bulk_sql, no_survey
from resolver.services.jobs import uploads
from resolver.services.jobs.cells import stored_rows
from resolver.services.leases import LEASE, Clock, kept
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.sheets.input.layout import NO_OPTIONS, Options
from resolver.sheets.input.open import ReadingBounds
from resolver.sheets.input.preview import chosen
from resolver.sheets.input.read import Layout, UnreadableFile, look, rows

ROWS_IN_CHUNK = 500
NEED_NO_SURVEY = 50  # rows: one request to Which RA tells of them all
TEXT_IN_CHUNK = 4_000_000  # characters, about: rows may be long, and a chunk is held in memory
LONGEST_NAME = 200  # characters of what a job is called; the faces refuse more
LONGEST_NOTE = 2000


def bounds() -> ReadingBounds:
    """The bounds that the settings say."""
    return {"max_rows": conf.max_rows(), "max_field": conf.max_field(), "max_expanded": conf.max_expanded()}


def create(
    upload: uploads.Upload,
    filename: str,
    *,
    owner: str,
    proxy: DoiProxy,
    now: datetime,
    column: str = "",
    quick: bool = False,
    name: str = "",
    note: str = "",
    idempotency_key: str = "",
    options: Options = NO_OPTIONS,
    layout: Layout | None = None,
    again_of: Job | None = None,
) -> tuple[Job, bool]:
    """Store the upload and make a job of it: the job, and whether it is a new one. A `layout` that is given is taken
    as it is; else it is found, with the `column` of this name and what `options` say.

    Another run of `again_of` asks the proxy anew, whatever is stored. The same owner's same `idempotency_key` gives
    the job that is there already. A file that cannot be read is refused at once: raises UnreadableFile (reason, line)
    or UploadTooLarge, and leaves nothing behind. Of a long file only the beginning is looked at here, since somebody
    waits; what is wrong further down fails the job. The caller starts `tasks.read_job` once this is committed.
    """
    key = _digest(idempotency_key, of_a_run=again_of is not None)
    if key and (earlier := Job.objects.filter(owner=owner, idempotency_key=key).first()):
        return earlier, False
    job = unsaved(owner=owner, filename=filename, proxy=proxy, now=now, quick=quick, name=name, note=note)
    job.idempotency_key, job.requested_column, job.upload = key, column, str(job.id)
    job.again_of, job.fresh_since = again_of, now if again_of else None
    job.digest = uploads.keep(upload, job.upload, accepted=again_of is not None)
    try:
        lay_out(job, layout or _looked_at(uploads.place(job.upload), column, options))
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:  # the same key at the same moment: the other one was first
        uploads.forget(job.upload)
        return Job.objects.get(owner=owner, idempotency_key=key), False
    except BaseException:
        uploads.forget(job.upload)
        raise
    return job, True


def _looked_at(path: Path, column: str, options: Options) -> Layout:
    choices = chosen(path, options, **bounds())
    return replace(look(path, column or None, choices=choices, **bounds()), options=options.said())


def _digest(key: str, *, of_a_run: bool) -> str:
    """Ours for another run come of another function: no key that somebody sends can be one of them."""
    if not key:
        return ""
    sent = key.encode("utf-8", "surrogatepass")
    return (blake2b(sent, digest_size=32, person=b"another run") if of_a_run else sha256(sent)).hexdigest()


def unsaved(
    *, owner: str, filename: str, proxy: DoiProxy, now: datetime, quick: bool = False, name: str = "", note: str = ""
) -> Job:
    """A job that is not stored yet, without its upload and its layout."""
    return Job(
        owner=owner,
        created_at=now,
        heartbeat_at=now,
        filename=filename,
        name=name,
        note=note,
        quick=quick,
        proxy=proxy.base_url,
        sample=proxy.sample,
    )


def lay_out(job: Job, layout: Layout) -> None:
    """A job that is not stored yet is to be read by this layout."""
    job.layout = layout.to_json()
    job.header = list(layout.header)
    job.column = layout.column_name
    job.total = layout.total
    if not job.quick and job.total > NEED_NO_SURVEY:  # a quick check asks nothing but Which RA anyway
        job.surveying, job.survey = True, no_survey()


def describe(job: Job, *, name: str | None = None, note: str | None = None) -> None:
    """Change what its owner calls the job, and what they noted about it; None leaves it as it is. Raises
    Job.DoesNotExist where it was deleted meanwhile."""
    given = {"name": name, "note": note}
    columns = {column: text for column, text in given.items() if text is not None}
    if columns:
        Job.objects.filter(pk=job.pk).update(**columns)
        job.refresh_from_db()


def cancel(job: Job, *, now: datetime) -> bool:
    """Stop the job; rows not asked yet keep an empty outcome. Whether there was anything left to stop. Raises
    Job.DoesNotExist where it was deleted meanwhile."""
    stopped = Job.objects.filter(pk=job.pk).exclude(state__in=ENDED).update(state=State.CANCELLED, finished_at=now)
    job.refresh_from_db()
    return bool(stopped)


def delete(job: Job) -> None:
    """Remove the job, its rows and its upload; whoever works on it finds it gone and stops."""
    with transaction.atomic():
        # Writers of rows hold this lock too: none can write while the rows are being removed.
        Job.objects.select_for_update().filter(pk=job.pk).first()
        transaction.on_commit(lambda: uploads.forget(job.upload))
        Job.objects.filter(pk=job.pk).delete()


def read_rows(job_id: uuid.UUID | str, *, clock: Clock = timezone.now) -> Iterator[int]:
    """Read the job's file into rows; yields the id of each chunk once it is stored.

    Goes on where a killed reader stopped. Gives nothing when somebody else reads the file, or nothing is to be read.
    Whoever takes the next chunk within a lease still holds the file; later, somebody else may have gone on with it.
    A line that cannot be read fails the job, with the reason and the line; the rows before it stay.
    """
    job = _claim_reading(job_id, clock())
    if job is None:
        return
    try:
        yield from _store_chunks(job, clock)
    except UnreadableFile as error:
        _end_reading(job, State.FAILED, error=str(error), finished_at=clock())
    except FileNotFoundError:
        _end_reading(job, State.FAILED, error="The uploaded file is no longer there.", finished_at=clock())
    else:
        _end_reading(job, State.CHECKING)
        end_survey_if_done(job.pk)
        finish_if_done(job.pk, clock())


def count_unread(job: Job) -> None:
    """Of a job that ended before its file was read to the end: how many rows there are, and the columns of all.

    `job.header` grows in place. What cannot be read of the file is the job's error, and the rows before it are all;
    should the job go on, its reader is to come to that line by itself, and fail the job with it.
    """
    layout = Layout.from_json(job.layout)
    if layout.complete:
        return
    width, total, readable = layout.width, 0, True
    try:
        for cells in rows(uploads.place(job.upload), layout, **bounds()):
            width, total = max(width, len(cells)), total + 1
    except UnreadableFile as error:
        job.error, readable = str(error), False
    layout = layout.grown(width, total, complete=readable)
    job.layout, job.total = layout.to_json(), layout.total
    job.header += layout.header[len(job.header) :]
    Job.objects.filter(pk=job.pk, state=job.state).update(error=job.error, **_as_columns(layout))


def finish_if_done(job_id: uuid.UUID, now: datetime) -> bool:
    """checking → finished, when no chunk is undone; → failed, where a line could not be read before (`retry.py`)."""
    undone = Chunk.objects.filter(job=OuterRef("pk"), done=False)
    checking = Job.objects.filter(~Exists(undone), pk=job_id, state=State.CHECKING)
    state = Case(When(error="", then=Value(State.FINISHED)), default=Value(State.FAILED))
    return bool(checking.update(state=state, finished_at=now))


def end_survey_if_done(job_id: uuid.UUID) -> bool:
    """From Which RA for the whole list to its records, when the file is read and no chunk is unsurveyed."""
    unsurveyed = Chunk.objects.filter(job=OuterRef("pk"), done=False, surveyed=False)
    surveying = Job.objects.filter(~Exists(unsurveyed), pk=job_id, state=State.CHECKING, surveying=True)
    return bool(surveying.update(surveying=False))


def _claim_reading(job_id: uuid.UUID | str, now: datetime) -> Job | None:
    abandoned = Q(state=State.READING, heartbeat_at__lt=now - LEASE)
    reader = str(uuid.uuid4())
    claimed = Job.objects.filter(Q(state=State.QUEUED) | abandoned, pk=job_id).update(
        state=State.READING, reader=reader, heartbeat_at=now
    )
    if not claimed:
        return None
    Job.objects.filter(pk=job_id, started_at=None).update(started_at=now)
    return Job.objects.filter(pk=job_id, reader=reader).first()


def _beat(job: Job, now: datetime) -> None:
    Job.objects.filter(pk=job.pk, state=State.READING, reader=job.reader).update(heartbeat_at=now)


def _store_chunks(job: Job, clock: Clock) -> Iterator[int]:
    layout = Layout.from_json(job.layout)
    line = Row.objects.filter(job=job).aggregate(last=Max("line"))["last"] or 0
    number = Chunk.objects.filter(job=job).count()
    path = uploads.place(job.upload)
    source = rows(path, layout, **bounds())
    source = itertools.islice(source, line, None)
    unreadable: UnreadableFile | None = None
    while unreadable is None:
        with kept(lambda: _beat(job, clock())):  # the first takes long where a killed reader had come far
            batch, unreadable = _take(source)
            if batch and not layout.complete:
                layout = layout.grown(max(map(len, batch)), line + len(batch))
            stored = list(stored_rows(job, layout, batch, line + 1))  # not while the database is ours alone
        if batch:
            chunk_id = _store(job, number, line, stored, layout, clock())
            if chunk_id is None:
                return
            yield chunk_id
        elif unreadable is None:
            return
        number, line = number + 1, line + len(batch)
    raise unreadable


def _take(source: Iterator[list[str]]) -> tuple[list[list[str]], UnreadableFile | None]:
    """The next rows, and what stopped them; the rows before an unreadable line are not lost with it."""
    batch: list[list[str]] = []
    try:
        length = 0
        for cells in itertools.islice(source, ROWS_IN_CHUNK):
            batch.append(cells)
            length += sum(map(len, cells))
            if length > TEXT_IN_CHUNK:
                break
    except UnreadableFile as error:
        return batch, error
    return batch, None


def _store(
    job: Job, number: int, before: int, stored: list[tuple[Any, ...]], layout: Layout, now: datetime
) -> int | None:
    """A chunk with its rows, all or nothing; None when the job is no longer ours to read."""
    learned = {} if layout.complete else _as_columns(layout)
    with transaction.atomic():
        ours = Job.objects.select_for_update().filter(pk=job.pk, state=State.READING, reader=job.reader).first()
        if ours is None:
            return None
        chunk = Chunk.objects.create(job=job, number=number, first_line=before + 1, last_line=before + len(stored))
        bulk_sql.insert(Row, ("job", "line", "cells", "input"), stored)
        Job.objects.filter(pk=job.pk).update(heartbeat_at=now, **learned)
    return chunk.pk


def _as_columns(layout: Layout) -> dict[str, Any]:
    return {"layout": layout.to_json(), "header": list(layout.header), "total": layout.total}


def _end_reading(job: Job, state: State, **columns: object) -> None:
    """reading → checking, or → failed, with the number of rows that there really are."""
    total = Row.objects.filter(job=job).count()
    stored = Job.objects.filter(pk=job.pk).values_list("layout", flat=True).first()
    if stored and not (layout := Layout.from_json(stored)).complete:
        columns |= _as_columns(layout.grown(layout.width, total, complete=True))
    Job.objects.filter(pk=job.pk, state=State.READING, reader=job.reader).update(
        **{"state": state, "total": total, **columns}
    )
