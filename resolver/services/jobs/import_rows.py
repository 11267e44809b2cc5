"""Read the file of a job into its rows, by one worker at a time, and store them chunk by chunk."""

import itertools
import uuid
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import Coalesce

from doi_reading import Message
from resolver.models import Chunk, Job, Row, State, raw_sql
from resolver.models.fields import encode_storable, measure_json
from resolver.services.accounts import quotas
from resolver.services.jobs.lifecycle import end_precheck_if_done, finish_if_done
from resolver.services.jobs.list_rows import ListRow, ReadingTime, read_list_rows
from resolver.services.jobs.references import REFERENCES
from resolver.services.jobs.row_readings import has_typed_cells
from resolver.services.jobs.row_results import COUNTED
from resolver.services.storage.batched_removal import remove_in_batches
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock, Lease, LeaseColumns
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.services.uploads import stored_uploads
from resolver.services.webhooks import events
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.workbook.typed_cell import encode_row

READER = LeaseColumns("reader", "read_until", heartbeat="heartbeat_at")
# A chunk is held in memory, so it ends early if its cells have about so many characters.
ROWS_IN_CHUNK = 1000
CHARACTERS_IN_CHUNK = 4_000_000
# What a list may store: a workbook of some kilobytes may repeat one text in every row, or have a million rows.
LEAST_LIST_BYTES = 20_000_000  # for any list, however small its file is
ROW_BYTES = 330  # beside its texts, with its entries in indexes, as it is read: 326 in PostgreSQL, 303 in SQLite
_STORED = ("job", "line", "row", "part", "cells", "input", "reference")


class TooMuchText(UnreadableFile):
    """The list takes more room than its upload allows (STORED_FACTOR), from the row `line` on. None of it is kept."""

    def __init__(self, limit: int, row: int) -> None:
        reason = Message(
            "With this row the list takes more than {count} MB in the database. That is too much for a file of this "
            "size. If a long text is repeated in every row, remove its column. If the file is compressed, upload it "
            "unpacked. Or check the list in parts.",
            count=limit // 1_000_000,
        )
        super().__init__(reason, row)
        self.name_row()


class _GiveBack(Exception):
    """Thrown into a reader, after a chunk, so that it gives its lease back."""


def read_into_rows(
    job_id: uuid.UUID | str, *, clock: Clock = read_clock, rows_in_chunk: int = ROWS_IN_CHUNK
) -> Generator[int, None, None]:
    """Read the job's file into rows; yield the id of each chunk once it is stored.

    Starts where a killed reader stopped. Yields nothing if another worker reads the file, or nothing is left to read. A
    caller that takes the next chunk within a lease still holds the file. If its end is seen with a chunk, the reading
    has ended when that chunk is yielded. An unreadable line fails the job, with the reason and the line; the rows
    before it stay. A missing file fails it too, and a retry reads the rest if the file is back. A list whose text takes
    too much room fails, and no row is kept. Frees the file and raises FilesUnreachable if another worker may reach it.
    """
    now = clock()
    unread = Job.objects.filter(pk=job_id, state__in=(State.QUEUED, State.READING))
    lease = READER.take(unread, now, state=State.READING, started_at=Coalesce("started_at", now))
    if lease is None:
        return
    more = True
    try:
        for chunk_id, more in _store_chunks(lease, clock, rows_in_chunk):
            if not more:
                _complete_reading(lease, clock())
            yield chunk_id
    except TooMuchText as error:
        _refuse_list(lease, str(error), clock)
    except UnreadableFile as error:
        _fail_reading(lease, str(error), clock())
    except FileNotFoundError:
        _fail_reading(lease, str(stored_uploads.GONE), clock(), is_end=False)
    except FilesUnreachable:
        lease.give_back()
        raise
    except _GiveBack:
        lease.give_back()
    else:
        if more:
            _complete_reading(lease, clock())


def give_file_back(reading: Generator[int, None, None]) -> None:
    """Stop a reader after a chunk and give its lease back, so that another worker can read the rest."""
    with suppress(StopIteration):
        reading.throw(_GiveBack)


def complete_layout(job: Job) -> None:
    """Count the rows and the columns of a job that ended before its file was read to the end. `job.header` grows in
    place. An unreadable line becomes the job's error, and rows after it don't count."""
    layout = Layout.from_json(job.layout)
    if layout.complete or job.error == str(stored_uploads.GONE):  # then its rows are all
        return
    width, total, readable = layout.width, 0, True
    try:
        for row in read_list_rows(
            stored_uploads.get_upload_path(job.upload), layout, **stored_uploads.get_reading_bounds()
        ):
            width, total = max(width, len(row.cells)), total + 1
    except UnreadableFile as error:
        job.error, readable = str(error), False
    layout = layout.extend(width, total, complete=readable)
    job.layout, job.total = layout.to_json(), layout.total
    job.header += layout.header[len(job.header) :]
    Job.objects.filter(pk=job.pk, state=job.state).update(error=job.error, **_as_columns(layout))


def _store_chunks(lease: Lease[Job], clock: Clock, rows_in_chunk: int) -> Iterator[tuple[int, bool]]:
    """Yield the id of each chunk, and whether there may be another."""
    job = lease.row
    layout = Layout.from_json(job.layout)
    line = Row.objects.filter(job=job).aggregate(last=Max("line"))["last"] or 0
    number = Chunk.objects.filter(job=job).count()
    path = stored_uploads.get_upload_path(job.upload)
    info = SheetFindings()
    left = ReadingTime(layout, info)
    source = _limit_stored_text(read_list_rows(path, layout, info, **stored_uploads.get_reading_bounds()), job, layout)
    source = itertools.islice(left.count(source), line, None)
    more = True
    while more:
        # The first batch takes long if a killed reader had read many rows.
        with lease.keep(clock):
            batch, more, unreadable = _take(source, rows_in_chunk, left)
            if isinstance(unreadable, TooMuchText):
                raise unreadable
            if batch and not layout.complete:
                layout = layout.extend(max(len(row.cells) for row in batch), line + len(batch))
                layout = replace(
                    layout,
                    encoding=info.encoding or layout.encoding,
                    encoding_assumed=info.encoding_assumed,
                    without_doi=info.without_doi,
                    lines_in_cells=layout.lines_in_cells if line else (0, 0),
                )
                layout = layout.count_lines((row.row, row.cells) for row in batch)
            stored = list(_build_values(job, layout, batch, line + 1))  # before the transaction
        if batch:
            chunk_id = _store(lease, number, line, stored, layout, clock())
            if chunk_id is None:
                return
            yield chunk_id, more
        if unreadable is not None:
            raise unreadable
        number, line = number + 1, line + len(batch)


def _build_values(job: Job, layout: Layout, batch: Sequence[ListRow], first: int) -> Iterator[tuple[Any, ...]]:
    if not has_typed_cells(job):
        return ((job.pk, line, *row) for line, row in enumerate(batch, first))
    return (
        (job.pk, line, row.row, row.part, _encode_row(row, layout), row.text, row.reference)
        for line, row in enumerate(batch, first)
    )


def _encode_row(row: ListRow, layout: Layout) -> list[Any]:
    # A hyperlink of a split cell has a row of its own.
    return encode_row(row.cells, -1 if layout.split else layout.find_read_column(row.cells))


def _limit_stored_text(rows: Iterator[ListRow], job: Job, layout: Layout) -> Iterator[ListRow]:
    """Yield the rows as long as the stored list fits: STORED_FACTOR times the bytes of the upload, and never less than
    LEAST_LIST_BYTES. Raises TooMuchText.

    Rows are counted from the first at each reading, so the successor of a killed reader counts the stored ones too.
    What a check adds to a row follows from at most MAX_CELL characters of its text. No list of DOIs is refused for its
    rows, unless it is compressed: the shortest DOI has more than ROW_BYTES / STORED_FACTOR bytes.
    """
    factor = settings.STORED_FACTOR
    limit = max(LEAST_LIST_BYTES, factor * stored_uploads.measure_upload(job.upload))
    used = 2 * measure_json(job.header)  # of the list and of its layout
    for row in rows:
        used += ROW_BYTES + measure_json(_encode_row(row, layout)) + len(encode_storable(row.text).encode())
        if factor and used > limit:
            raise TooMuchText(limit, row.row)
        yield row


def _take(source: Iterator[ListRow], most: int, left: ReadingTime) -> tuple[list[ListRow], bool, UnreadableFile | None]:
    """Return the next rows, whether more may follow, and the error that stopped them, if any."""
    batch: list[ListRow] = []
    length = 0
    try:
        with left.spend():
            while len(batch) < most and length <= CHARACTERS_IN_CHUNK:
                row = next(source, None)
                if row is None:
                    return batch, False, None
                batch.append(row)
                length += sum(map(len, row.cells))
    except UnreadableFile as error:
        return batch, True, error
    return batch, True, None


def _store(
    lease: Lease[Job], number: int, before: int, stored: list[tuple[Any, ...]], layout: Layout, now: datetime
) -> int | None:
    """Store a chunk with its rows, all or nothing. Return its id; None if the lease is lost."""
    learned: dict[str, Any] = {} if layout.complete else _as_columns(layout)
    until = before + len(stored)
    with transaction.atomic():
        job = lease.find_row().select_for_update().filter(state=State.READING).first()
        if job is None:
            return None
        chunk = Chunk.objects.create(job=job, number=number, first_line=before + 1, last_line=until)
        raw_sql.insert_rows(Row, _STORED, stored)
        if until > job.counted_rows:  # also after a download of a stopped list has counted the rows
            quotas.count_rows_read(job.owner, min(until - job.counted_rows, len(stored)), now)
            learned["counted_rows"] = until
        if begun := sum(line == reference for _, line, *_, reference in stored):
            learned["references"] = job.references + begun
        lease.renew(now, **learned)
    return chunk.pk


def _as_columns(layout: Layout) -> dict[str, Any]:
    return {"layout": layout.to_json(), "header": list(layout.header), "total": layout.total}


def _complete_reading(lease: Lease[Job], now: datetime) -> None:
    _end_reading(lease, State.CHECKING)
    end_precheck_if_done(lease.row.pk)
    finish_if_done(lease.row.pk, now)


def _fail_reading(lease: Lease[Job], error: str, now: datetime, *, is_end: bool = True, **columns: object) -> None:
    with transaction.atomic():
        if _end_reading(lease, State.FAILED, is_end=is_end, error=error, finished_at=now, **columns):
            events.record_end(lease.row.pk, now)


def _refuse_list(lease: Lease[Job], error: str, clock: Clock) -> None:
    """Remove the stored rows, then fail the job. If the reader is killed, its successor removes the rest."""
    job = lease.row
    with lease.keep(clock):
        Chunk.objects.filter(job=job).delete()  # first: without them no worker writes results
        remove_in_batches(Row.objects.filter(job=job), "line")
    unchecked = {
        name: getattr(Job(), name) for name in (*COUNTED, *REFERENCES, "duplicates", "prechecking", "precheck")
    }
    _fail_reading(lease, error, clock(), **unchecked)


def _end_reading(lease: Lease[Job], state: State, *, is_end: bool = True, **columns: object) -> bool:
    """Change reading to checking or failed, with the number of stored rows. Return whether it was still reading. Unless
    this `is_end` of the list, the layout keeps the number of rows left to read, for a retry."""
    job = lease.row
    total = Row.objects.filter(job=job).count()
    stored = Job.objects.filter(pk=job.pk).values_list("layout", flat=True).first()
    if is_end and stored and not (layout := Layout.from_json(stored)).complete:
        columns |= _as_columns(layout.extend(layout.width, total, complete=True))
    return bool(lease.find_row().filter(state=State.READING).update(**{"state": state, "total": total, **columns}))
