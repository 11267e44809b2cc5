"""The results of a job row by row for a file, while the job may be retried or deleted."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from django.http import StreamingHttpResponse

from resolver.domain.report.row_task import RowTask
from resolver.models import Job, Row
from resolver.services.http.downloads import build_download
from resolver.services.jobs.import_rows import complete_layout
from resolver.services.jobs.lifecycle import OUTLIVED, ensure_ended
from resolver.services.jobs.list_rows import read_list_rows
from resolver.services.jobs.row_readings import (
    compares_works,
    find_expected_address,
    has_expected_addresses,
    has_typed_cells,
    is_bibliographic,
    is_split,
    searches_works,
)
from resolver.services.result_files.columns import list_columns
from resolver.services.result_files.json_members import build_list_objects
from resolver.services.result_files.result_row import STORED_NAMES, ResultRow
from resolver.services.results.row_numbers import find_row_numbers
from resolver.services.results.row_queries import ALL, RowFilter, find_line_numbers
from resolver.services.results.task_tables import (
    build_source_object,
    list_decision_columns,
    list_source_columns,
)
from resolver.services.storage.keyset import BATCH_ROWS, Edge, filter_beyond
from resolver.services.uploads import stored_uploads
from resolver.sheets.input.layout import Layout
from resolver.sheets.output.export_formats import ExportFormat
from resolver.sheets.output.result_table import ResultTable
from resolver.sheets.workbook.typed_cell import decode_row, decode_row_texts


class JobChanged(Exception):
    """The job runs again or was deleted: its rows differ from those with which the file began."""


def ensure_unchanged(job: Job) -> None:
    """Raise JobChanged unless the ended job is as it was. Call it after rows are fetched and before they are sent: rows
    are only emptied once the job runs again.

    A truncated file is seen to be broken; one with emptied rows would look whole. A transaction around the whole
    download would keep the database from cleaning up for hours.
    """
    found = Job.objects.filter(pk=job.pk, state=job.state, finished_at=job.finished_at)
    if not found.exclude(owner=OUTLIVED).exists():
        raise JobChanged(f"job {job.pk} was taken up again or deleted during a download")


LARGE_PAGE_CHARACTERS = 2_000_000  # in the cells of a page of rows; the next page then has fewer rows
# Headers can't have control characters, and UTF-8 no lone surrogates. File names must not have characters that mean
# something to systems, or change the direction of text.
_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f"\\/:*?<>|\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]')
_NO_WORD = re.compile(r"[^a-z0-9]+")
_GZIP = re.compile(r"\.gz$", re.IGNORECASE)


def iterate_results(
    job: Job, *, wanted: RowFilter = ALL, as_cells: bool = False, deciders: bool = True
) -> Iterator[ResultRow]:
    """Return every row in line order, also unchecked ones; memory doesn't grow with the job. With `wanted` only the
    rows that fit, and none that was never read from the file. `as_cells` keeps the numbers and dates of a workbook
    (`sheets.workbook.typed_cell.Cell`) instead of texts. Without `deciders` no row names the person who decided.

    The header is `job.header`, which this may extend (in place) if the job was cancelled before its file was read to
    the end. Raises JobStillRunning, at once, and JobChanged in the middle.
    """
    ensure_ended(job)
    if wanted == ALL:
        complete_layout(job)
    rows = _iterate_rows(job, wanted, decode_row if as_cells else decode_row_texts)
    return rows if deciders else (row._replace(decided_by="") if row.decided_by else row for row in rows)


def build_results_table(
    job: Job,
    *,
    corrected: bool = False,
    wanted: RowFilter = ALL,
    as_cells: bool = False,
    deciders: bool = True,
    translate: Callable[[str], str] = str,
) -> ResultTable:
    """Return the rows of `iterate_results` as a table for a file; `corrected`: with corrected DOIs, as all files of
    tasks. The file of the task `back` has nothing but the columns of the upload, the number of the row, a sentence,
    which `translate` makes a text, and the DOI that we found; that of `decide` has what a person needs. Raise as
    `iterate_results`."""
    rows, header = iterate_results(job, wanted=wanted, as_cells=as_cells, deciders=deciders), job.header or []
    if wanted.task == RowTask.BACK:
        columns = list_source_columns(translate)
        header = header[: header.index("writable")] if is_bibliographic(job) else header  # the rest is for us
        return ResultTable(header, rows, columns, build_source_object(columns), has_legend=False)
    corrected = corrected or bool(wanted.task)
    build_object = build_list_objects(are_places=is_bibliographic(job), corrected=corrected)
    if wanted.task == RowTask.DECIDE:
        return ResultTable(header, rows, list_decision_columns(), build_object)
    columns = list_columns(
        split=is_split(job),
        compared=compares_works(job),
        audited=has_expected_addresses(job),
        corrected=corrected,
        searched=searches_works(job),
    )
    return ResultTable(header, rows, columns, build_object)


def build_results_download(
    job: Job,
    form: ExportFormat,
    *,
    corrected: bool = False,
    wanted: RowFilter = ALL,
    delimiter: str = ",",
    deciders: bool = True,
    translate: Callable[[str], str] = str,
) -> StreamingHttpResponse:
    """Return the table of `build_results_table` to download. Raise JobStillRunning or TooManyColumns, at once."""
    table = build_results_table(
        job,
        corrected=corrected,
        wanted=wanted,
        as_cells=form.has_values,
        deciders=deciders,
        translate=translate,
    )
    name = build_results_name(job.filename, form.suffix, corrected=corrected, wanted=wanted)
    return build_download(name, form, table, delimiter=delimiter)


def _iterate_rows(job: Job, wanted: RowFilter, cells_of: Callable[[Iterable[Any]], list[str]]) -> Iterator[ResultRow]:
    # Page by page: a slow download must hold neither a cursor nor a transaction open. The first page comes soon.
    line, at_once = 0, min(100, BATCH_ROWS)
    while True:
        page = _read_page(job, wanted, line, at_once)
        if page or line < job.total:
            ensure_unchanged(job)
        if not page:
            break
        yield from _complete_rows(job, page, cells_of)
        line = page[-1].line
        held = sum(len(text) for row in page for text in decode_row_texts(row.cells))
        at_once = max(at_once // 2, 1) if held > LARGE_PAGE_CHARACTERS else min(at_once * 2, BATCH_ROWS)
    if wanted == ALL and line < job.total:
        yield from _iterate_never_stored(job, line)


def _complete_rows(
    job: Job, page: Sequence[ResultRow], cells_of: Callable[[Iterable[Any]], list[str]]
) -> Iterator[ResultRow]:
    """Yield the rows with values that aren't in stored columns, and their cells by `cells_of`."""
    is_workbook, audited = has_typed_cells(job), has_expected_addresses(job)
    unnumbered = {line for row in page for line in (None if row.row else row.line, row.same_as) if line}
    numbers = find_row_numbers(job, unnumbered)
    for row in page:
        changes: dict[str, Any] = {}
        if is_workbook:  # of a text file all cells are texts
            changes["cells"] = cells_of(row.cells)
        if audited:
            changes["expected"] = find_expected_address(job, row.cells)
        if not row.row:
            changes["row"] = numbers[row.line]
        if row.same_as:
            changes["same_as_row"] = numbers.get(row.same_as)
        yield row._replace(**changes) if changes else row


def _read_page(job: Job, wanted: RowFilter, before: int, most: int) -> list[ResultRow]:
    found = filter_beyond(Row.objects.filter(job=job), ("line",), Edge((before,)))
    if wanted == ALL:
        stored = found.values_list(*STORED_NAMES)[:most]
    else:
        fitting = find_line_numbers(job, wanted, found, most)
        stored = Row.objects.filter(job=job, line__in=fitting).order_by("line").values_list(*STORED_NAMES)
    return [ResultRow(*values) for values in stored]


def _iterate_never_stored(job: Job, before: int) -> Iterator[ResultRow]:
    """Yield the unchecked rest of the file of a job that ended before it was read to the end."""
    layout = Layout.from_json(job.layout)
    source = read_list_rows(stored_uploads.get_upload_path(job.upload), layout, **stored_uploads.get_reading_bounds())
    for line, row in enumerate(itertools.islice(source, before, job.total), before + 1):
        expected = layout.find_expected(row.cells)
        yield ResultRow(row.cells, line, row.row, row.part, input=row.text, expected=expected)


def build_results_name(filename: str, ending: str, *, corrected: bool = False, wanted: RowFilter = ALL) -> str:
    """Return `list-checked.csv` (or `-corrected`) for `list.csv`, or with a filter `list-not-found.csv` (or
    `list-not-found-corrected.csv`), and `list-ready.csv` or `list-for-the-source.csv` for a task. It is
    harmless: strangers choose the name and the filters."""
    task = "for-the-source" if wanted.task == RowTask.BACK else wanted.task
    words = [task, wanted.group, wanted.correction, wanted.outcome, wanted.problem, wanted.ra]
    words += [wanted.address, wanted.work, wanted.found_by, wanted.host]
    words += ["repeated"] * wanted.duplicates + ["found"] * bool(wanted.q)
    slugs = [_NO_WORD.sub("-", word.lower()).strip("-")[:40] for word in words if word]
    kind = ["corrected"] if corrected else ["checked"] if wanted == ALL else [] if any(slugs) else ["some"]
    return build_file_name(filename, "-".join(filter(None, [*slugs, *kind])), ending)


def build_file_name(filename: str, word: str, ending: str = "csv") -> str:
    """Return `list-hosts.csv` for `list.csv` and the word hosts; harmless."""
    return f"{_split_file_name(filename)[0]}-{word}.{ending}"


def build_original_name(filename: str, word: str) -> str:
    """Return `list-corrected.ris` for `list.ris`, and `list-corrected.ris.gz` for `list.ris.gz`; harmless."""
    stem, ending = _split_file_name(filename)
    return f"{stem}-{word}{ending}{'.gz' if _GZIP.search(filename) else ''}"


def _split_file_name(filename: str) -> tuple[str, str]:
    path = PurePosixPath(_GZIP.sub("", _UNFIT.sub("_", filename).strip()))
    return path.stem.strip(" .")[:80] or "dois", path.suffix[:20]
