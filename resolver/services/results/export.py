"""The results of a job, row by row, for a file. Meanwhile the job may be retried or deleted."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from django.http import StreamingHttpResponse

from resolver.domain.report.correction import CorrectedDoi, find_untold_proposal, get_corrected_doi
from resolver.models import Job, Row
from resolver.services.http.downloads import build_download
from resolver.services.jobs.import_rows import complete_layout
from resolver.services.jobs.lifecycle import OUTLIVED, ensure_ended
from resolver.services.jobs.list_rows import read_list_rows
from resolver.services.jobs.row_readings import (
    find_expected_address,
    has_expected_addresses,
    has_typed_cells,
    is_bibliographic,
    is_split,
)
from resolver.services.report_messages import add_duplicate_note
from resolver.services.results.row_numbers import find_row_numbers
from resolver.services.results.row_queries import ALL, RowFilter, find_line_numbers
from resolver.services.storage.keyset import Edge, filter_beyond
from resolver.services.uploads import stored_uploads
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.place_rows import describe_place
from resolver.sheets.output.export_formats import ExportFormat
from resolver.sheets.output.result_row import ResultRow, list_columns
from resolver.sheets.workbook.stored_row import decode_row, decode_row_texts


class JobChanged(Exception):
    """The job runs again, or is gone: its rows are no longer what the file began with."""


def ensure_unchanged(job: Job) -> None:
    """Raise JobChanged unless the ended job stands as it did. Call it after rows are fetched and before they are sent:
    rows are only emptied once the job runs again.

    A file that breaks off shows as broken; one with emptied rows would look whole. A transaction around the whole
    download would keep the database from cleaning up for hours.
    """
    found = Job.objects.filter(pk=job.pk, state=job.state, finished_at=job.finished_at)
    if not found.exclude(owner=OUTLIVED).exists():
        raise JobChanged(f"job {job.pk} was taken up again or deleted during a download")


FIRST, AT_ONCE = 100, 2000  # rows that are fetched together, at first and at most
MUCH = 2_000_000  # characters in the cells of these, with which the next ones are fewer
# No model instances: building one costs as much as writing its line.
_STORED = (
    "line", "row", "part", "cells", "input", "doi", "url", "outcome", "ra", "urls", "problems", "messages",
    "suggestion", "checked_at", "proxy", "alias_of", "prefix_ra", "ra_status", "answered_at", "cached", "incomplete",
    "others", "same_as", "doubtful", "also_registered", "correction", "decision", "decided_doi", "decided_by",
    "decided_at", "address",
)  # fmt: skip
_NUMBER, _CELLS, _SAME_AS = map(_STORED.index, ("row", "cells", "same_as"))
# Not in a header: control characters. Not in UTF-8: lone surrogates. Not in file names: what systems give a meaning to,
# or what changes the direction of text.
_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f"\\/:*?<>|\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff]')
_NO_WORD = re.compile(r"[^a-z0-9]+")
_GZIP = re.compile(r"\.gz$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CheckedRow(ResultRow):
    """A row with what only JSON has room for: the other DOIs of its text, the earlier line with its name; and with what
    its corrected DOI comes from."""

    others: tuple[Mapping[str, Any], ...] = ()
    same_as: int | None = None
    doubtful: bool = False
    also_registered: tuple[str, ...] = ()
    correction: str = ""
    decision: str = ""
    decided_doi: str = ""
    decided_by: str = ""
    decided_at: datetime | None = None
    is_place: bool = False
    expected: str | None = None  # None: the list has no column of expected addresses
    address: str = ""

    @property
    def problem_codes(self) -> tuple[str, ...]:
        """The codes of the problems, by the name that a stored row has for them."""
        return self.problems

    @property
    def suggestion(self) -> str:
        """The suggested DOI, by the name that a stored row has for it."""
        return self.suggested_doi

    def list_result_cells(self) -> list[str]:
        """The text under each of `list_columns`."""
        audited = [] if self.expected is None else [self.expected, self.address]
        return [*ResultRow.list_result_cells(self), *audited]

    def as_object(self, names: Sequence[str]) -> dict[str, Any]:
        """The whole Row of the REST interface. Of a bibliographic file it says first which place it is."""
        return {
            **describe_place(self.cells if self.is_place else None),
            **ResultRow.as_object(self, names),
            "expected": self.expected,
            "address": self.address,
            "doubtful": self.doubtful,
            "others": list(self.others),
            "same_as": self.same_as,
            "decision": self.decision or None,
            "decided_by": self.decided_by or None,
            # With microseconds, unlike other times: REST takes it back to see whether the row was decided since.
            "decided_at": self.decided_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
            if self.decided_at
            else None,
        }


class CorrectedRow(CheckedRow):
    """A row with the DOI to go on with."""

    __slots__ = ()

    def find_correction(self) -> CorrectedDoi:
        """What goes back into the catalogue."""
        return get_corrected_doi(self)

    def list_result_cells(self) -> list[str]:
        """The text under each of `list_columns` of corrected results."""
        correction, doi = self.find_correction()
        return [*CheckedRow.list_result_cells(self), doi, str(correction)]

    def as_object(self, names: Sequence[str]) -> dict[str, Any]:
        """The whole Row of the REST interface, the corrected DOI, and how it came about."""
        correction, doi = self.find_correction()
        return {**CheckedRow.as_object(self, names), "corrected_doi": doi or None, "correction": str(correction)}


def iterate_results(
    job: Job, *, corrected: bool = False, wanted: RowFilter = ALL, as_cells: bool = False, deciders: bool = True
) -> Iterator[ResultRow]:
    """Return every row in line order, also unchecked ones; memory doesn't grow with the job. With `wanted` only the
    rows that fit, and none that was never read from the file. `as_cells` gives the numbers and dates of a workbook as
    such (`sheets.workbook.typed_cell.Cell`), instead of texts. Without `deciders` no row says who decided.

    The header is `job.header`, which may grow by this (in place) if the job was cancelled before its file was read to
    the end; the rows have the columns of `list_columns`. Raises JobStillRunning, at once, and
    JobChanged in the middle.
    """
    ensure_ended(job)
    if wanted == ALL:
        complete_layout(job)
    rows = _iterate_rows(
        job, CorrectedRow if corrected else CheckedRow, wanted, decode_row if as_cells else decode_row_texts
    )
    return rows if deciders else (replace(row, decided_by="") if row.decided_by else row for row in rows)


def build_results_download(
    job: Job,
    form: ExportFormat,
    *,
    corrected: bool = False,
    wanted: RowFilter = ALL,
    delimiter: str = ",",
    deciders: bool = True,
) -> StreamingHttpResponse:
    """Return the rows of `iterate_results` as a file to download. Raise JobStillRunning or TooManyColumns, at once."""
    rows = iterate_results(job, corrected=corrected, wanted=wanted, as_cells=form.has_values, deciders=deciders)
    name = build_results_name(job.filename, form.suffix, corrected=corrected, wanted=wanted)
    columns = list_job_columns(job, corrected=corrected)
    return build_download(name, form, job.header or [], rows, columns=columns, delimiter=delimiter)


def list_job_columns(job: Job, *, corrected: bool = False) -> tuple[str, ...]:
    """Return the names of the columns that the results of the job have."""
    return list_columns(split=is_split(job), audited=has_expected_addresses(job), corrected=corrected)


def _iterate_rows(
    job: Job, kind: type[CheckedRow], wanted: RowFilter, cells_of: Callable[[Iterable[Any]], list[str]]
) -> Iterator[CheckedRow]:
    # Page by page: a slow download must hold neither a cursor nor a transaction open.
    line, at_once = 0, min(FIRST, AT_ONCE)
    is_workbook, are_places, audited = has_typed_cells(job), is_bibliographic(job), has_expected_addresses(job)
    while True:
        page = _read_page(job, wanted, line, at_once)
        if page or line < job.total:
            ensure_unchanged(job)
        if not page:
            break
        unnumbered = (each for one in page for each in (one[_NUMBER] is None and one[0], one[_SAME_AS]) if each)
        numbers = find_row_numbers(job, set(unnumbered))
        for (
            line, number, part, cells, text, doi, url, outcome, ra, urls, problems, messages, suggestion, checked_at,
            proxy, alias_of, prefix_ra, ra_status, answered_at, cached, incomplete, others, same_as, doubtful,
            also_registered,
            correction, decision, decided_doi, decided_by, decided_at, address,
        ) in page:  # fmt: skip
            # By position, in the order of the fields: names cost time. Of a text file all cells are texts.
            result = kind(
                cells_of(cells) if is_workbook else cells, line, number or numbers[line], part, text, doi, url, outcome,
                ra, tuple(urls), tuple(problems.split()),
                add_duplicate_note(messages, numbers.get(same_as) if same_as else None), suggestion, checked_at, proxy,
                alias_of, prefix_ra, ra_status, answered_at, cached, incomplete, tuple(others), same_as, doubtful,
                tuple(also_registered), correction, decision, decided_doi, decided_by, decided_at, are_places,
                find_expected_address(job, cells) if audited else None, address,
            )  # fmt: skip
            proposal = find_untold_proposal(result)
            yield replace(result, suggested_doi=proposal, doubtful=True) if proposal else result
        held = sum(len(text) for values in page for text in decode_row_texts(values[_CELLS]))
        at_once = max(at_once // 2, 1) if held > MUCH else min(at_once * 2, AT_ONCE)
    if wanted == ALL and line < job.total:
        yield from _iterate_never_stored(job, line, kind)


def _read_page(job: Job, wanted: RowFilter, before: int, most: int) -> list[tuple[Any, ...]]:
    """Return the next rows that fit, as the columns of `_STORED`."""
    found = filter_beyond(Row.objects.filter(job=job), ("line",), Edge((before,)))
    if wanted == ALL:
        return list(found.values_list(*_STORED)[:most])
    fitting = find_line_numbers(job, wanted, found, most)
    return list(Row.objects.filter(job=job, line__in=fitting).order_by("line").values_list(*_STORED)) if fitting else []


def _iterate_never_stored(job: Job, before: int, kind: type[CheckedRow]) -> Iterator[CheckedRow]:
    """Yield the unchecked rest of the file of a job that ended before it was read to the end."""
    layout = Layout.from_json(job.layout)
    source = read_list_rows(stored_uploads.get_upload_path(job.upload), layout, **stored_uploads.get_reading_bounds())
    for line, row in enumerate(itertools.islice(source, before, job.total), before + 1):
        yield kind(
            cells=row.cells,
            line=line,
            row=row.row,
            part=row.part,
            input=row.text,
            is_place=layout.is_bibliographic,
            expected=layout.find_expected(row.cells),
        )


def build_results_name(filename: str, ending: str, *, corrected: bool = False, wanted: RowFilter = ALL) -> str:
    """Return `list-checked.csv` (or `-corrected`) for `list.csv`, or with a filter `list-not-found.csv` (or
    `list-not-found-corrected.csv`); harmless, since a stranger chose the name and the filters."""
    words = [wanted.group, wanted.correction, wanted.outcome, wanted.problem, wanted.ra, wanted.address, wanted.host]
    words += ["repeated"] * wanted.duplicates + ["found"] * bool(wanted.q)
    told = [_NO_WORD.sub("-", word.lower()).strip("-")[:40] for word in words if word]
    kind = ["corrected"] if corrected else ["checked"] if wanted == ALL else [] if any(told) else ["some"]
    said = "-".join(filter(None, [*told, *kind]))
    return f"{_split_file_name(filename)[0]}-{said}.{ending}"


def build_file_name(filename: str, word: str, ending: str = "csv") -> str:
    """Return `list-hosts.csv` for `list.csv` and the word hosts; harmless."""
    return f"{_split_file_name(filename)[0]}-{word}.{ending}"


def build_original_name(filename: str) -> str:
    """Return `list-corrected.ris` for `list.ris`, and `list-corrected.ris.gz` for `list.ris.gz`; harmless."""
    stem, ending = _split_file_name(filename)
    return f"{stem}-corrected{ending}{'.gz' if _GZIP.search(filename) else ''}"


def _split_file_name(filename: str) -> tuple[str, str]:
    """Return the file's name without its ending, and the ending with its dot."""
    path = PurePosixPath(_GZIP.sub("", _UNFIT.sub("_", filename).strip()))
    return path.stem.strip(" .")[:80] or "dois", path.suffix[:20]
