"""The readings of a list's rows: of the text of the DOI cell, or of its hyperlink."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from doi_reading import FailedReading, Reading, read, read_all
from resolver.domain.report.triage import UNTIDY
from resolver.models import Job, Row, raw_sql
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.place_rows import FIELD, read_unreadable
from resolver.sheets.workbook.typed_cell import decode_row, decode_row_texts, find_linked_cell, get_link

Read = Callable[[str, Sequence[Any]], Reading]
"""A function that reads a stored row: its text and its cells."""

_OF_A_LINK = UNTIDY - {"trailing-slash"}  # that may be why the name of the link isn't registered

log = logging.getLogger(__name__)


def has_typed_cells(job: Job) -> bool:
    """Return whether the rows may hold numbers, dates and hyperlinks, not only texts."""
    return bool(job.layout.get("kind", "csv") != "csv")


def is_split(job: Job) -> bool:
    """Return whether each DOI of a cell has its own row."""
    return bool(job.layout.get("split"))


def has_expected_addresses(job: Job) -> bool:
    """Return whether a column of the file has the addresses to which the DOIs should lead."""
    return job.layout.get("expected") is not None


def find_expected_address(job: Job, cells: Sequence[Any]) -> str | None:
    """Return the text of a stored row in the column of expected addresses; None if there is no such column."""
    place = job.layout.get("expected")
    return None if place is None else next(iter(decode_row_texts(cells[place : place + 1])), "")


def compares_works(job: Job) -> bool:
    """Return whether the works of the rows are compared with what the agencies say."""
    return bool(job.layout.get("compare"))


def searches_works(job: Job) -> bool:
    """Return whether the works of rows without a right DOI are searched for. Another run of the file doesn't search: a
    person agreed to it once."""
    return bool(job.layout.get("search")) and not job.quick and job.rerun_of_id is None


def shares_cell(job: Job, row: Row) -> bool:
    """Return whether the row's cell has more DOIs in a split list. The expected address may be for any of them."""
    if row.part != 1:
        return row.part > 1
    cell = Layout.from_json(job.layout).get_cell(decode_row(row.cells))
    return len(find_in_cell(cell)) > 1


def find_in_cell(cell: str) -> list[Reading]:
    """Return a reading for each DOI of the cell in order, at least one."""
    return read_all(str(cell), get_link(cell), longest=settings.MAX_CELL)


def inspect_cell(cell: str) -> Reading:
    """Return the reading of the cell. Its `input` is the text, or the address of the hyperlink."""
    return read(str(cell), get_link(cell), longest=settings.MAX_CELL)


def extract_cell_text(cell: str) -> str:
    """Return the text to read of a cell."""
    return inspect_cell(cell).input if get_link(cell) else str(cell)


def is_bibliographic(job: Job) -> bool:
    """Return whether the rows are places in the records of a bibliographic file."""
    return job.layout.get("kind") in FORMATS


def choose_reader(job: Job) -> Read:
    """Return the function that reads the rows of this job."""
    return choose_place_reader(Layout.from_json(job.layout)) if is_bibliographic(job) else inspect_stored_row


def choose_place_reader(layout: Layout) -> Read:
    """Return the function that reads the rows of a bibliographic file."""
    return partial(inspect_place, link_fields=FORMATS[layout.kind].link_fields)


def inspect_place(text: str, cells: Sequence[Any], link_fields: Collection[str] = ()) -> Reading:
    """Return the reading of a row of a bibliographic file, or the reading that its record can't be read. A link to a
    publisher in one of the `link_fields` is as it should be, so nothing is said of how it is written."""
    reading = read_unreadable(cells) or read(text, longest=settings.MAX_CELL)
    if reading.form != "publisher-url" or cells[FIELD] not in link_fields:
        return reading
    return replace(reading, problems=tuple(one for one in reading.problems if one.code not in _OF_A_LINK))


def inspect_stored_row(text: str, cells: Sequence[Any]) -> Reading:
    """Return the reading of a stored row: of its text, or of its cell if that has a hyperlink."""
    found = find_linked_cell(cells)
    return read(text, longest=settings.MAX_CELL) if found is None else inspect_cell(found)


def try_read_row(text: str, cells: Sequence[Any], read: Read, *, line: int, job: object) -> Reading:
    """Return the reading of a stored row by `read`. An error of the portal is logged with the line and becomes a
    FailedReading, so that the other rows are read."""
    try:
        reading = read(text, cells)
    except Exception:
        log.exception("Line %d of job %s could not be read", line, job)
        return FailedReading.of(text)
    if isinstance(reading, FailedReading):
        log.error("Line %d of job %s could not be read", line, job)
    return reading


def read_stored_rows(job: Job, rows: QuerySet[Row], read: Read | None = None) -> list[Reading]:
    """Return the readings of these rows of a job. Cells of a text file are not fetched."""
    read = read or choose_reader(job)
    if has_typed_cells(job):
        stored = raw_sql.load_rows(rows, ("line", "input", "cells"))
        return [try_read_row(text, cells, read, line=line, job=job.pk) for line, text, cells in stored]
    texts = raw_sql.load_rows(rows, ("line", "input"))
    return [try_read_row(text, (), read, line=line, job=job.pk) for line, text in texts]
