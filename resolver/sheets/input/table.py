"""The rows of a file of any kind, read by its layout and streamed. Empty rows stay rows (each input row has its output
row), except those at the start and the end of the file."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict, Unpack

from doi_reading import Message
from resolver.sheets.binary_workbook.convert import ensure_converted
from resolver.sheets.binary_workbook.converted_table import read_converted_rows
from resolver.sheets.errors import NeedsChoice, ScanLimitReached, UnreadableFile, name_rows
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.file_kind import confirm_encoding
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.place_rows import read_place_rows
from resolver.sheets.input.text.csv import read_text_rows
from resolver.sheets.input.text.gzip import make_opener
from resolver.sheets.workbook.ods import read_ods_rows
from resolver.sheets.workbook.rows import (
    MAX_CELLS,
    FileBounds,
    build_cell_too_long_error,
    build_row_too_wide_error,
    measure_row_width,
)
from resolver.sheets.workbook.xlsx import read_xlsx_rows

_EMPTY_ROW_BYTES = 16  # of XML, which take the time of an empty row

NumberedRow = tuple[int, int, list[str]]
"""The line in which a row begins (of a workbook its number), the number that a spreadsheet shows for it, its cells."""


class OperatorBounds(TypedDict, total=False):
    """An operator's bounds: rows, characters of a cell, bytes of an unpacked file."""

    max_rows: int
    max_field: int
    max_expanded: int


def read_numbered_table(
    path: Path, layout: Layout, info: SheetFindings | None = None, **given: Unpack[OperatorBounds]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the data rows in order, each with the number that a spreadsheet shows for it, and with `layout.width`
    cells, bounded as in `detect_table_layout`. A short row is filled with "". If the layout is not complete, a row may
    have more cells, and any row may raise UnreadableFile. `info` is filled on the way."""
    width = layout.width
    bounds = FileBounds(**given)
    layout = confirm_encoding(path, layout, bounds.max_expanded)
    info = info or SheetFindings()
    info.encoding, info.encoding_assumed = layout.encoding, layout.encoding_assumed
    with name_rows(layout.has_sheets):
        everything = read_trimmed_rows(path, layout, bounds, info)
        for count, (line, number, row) in enumerate(itertools.islice(everything, int(layout.has_header), None), 1):
            if count > bounds.max_rows:
                raise build_too_many_rows_error(bounds.max_rows, line)
            if len(row) < width:
                row += [""] * (width - len(row))
            elif len(row) > width:
                row = row[: width if layout.complete else max(width, measure_row_width(row, line))]
            yield number, row


def build_too_many_rows_error(max_rows: int, line: int) -> UnreadableFile:
    return UnreadableFile(Message("The file has more than the {count} rows allowed. Split it.", count=max_rows), line)


def read_trimmed_rows(
    path: Path, layout: Layout, bounds: FileBounds, info: SheetFindings | None = None
) -> Iterator[NumberedRow]:
    """Yield header and data rows with their lines and numbers, from the first row with text, or from
    `layout.header_row`, to the last with text. `info` is filled on the way. Raises UnreadableFile."""
    info = info or SheetFindings()
    try:
        source = enumerate(_open_source(path, layout, bounds, info), 1)
        # A spreadsheet counts the rows of a text, empty ones too, and not its lines.
        rows = ((line, number if layout.kind == "csv" else line, row) for number, (line, row) in source)
        yield from _cut_empty_ends(rows, layout, bounds)
    except ScanLimitReached:
        info.gave_up = True


def _cut_empty_ends(source: Iterator[NumberedRow], layout: Layout, bounds: FileBounds) -> Iterator[NumberedRow]:
    waited = 0
    last: int | None = None  # the number of the last row with text
    for line, number, row in _start_at_header(source, layout) if layout.header_row else source:
        if len(row) > MAX_CELLS:
            raise build_row_too_wide_error(MAX_CELLS, line)
        if _is_empty(row):
            waited += _EMPTY_ROW_BYTES
            if waited > bounds.patience:
                raise ScanLimitReached
            if waited > _EMPTY_ROW_BYTES * bounds.max_rows:
                too_many = Message("There are more than {count} empty rows here. Delete them.", count=bounds.max_rows)
                raise UnreadableFile(too_many, line)
            continue
        if max(map(len, row)) > bounds.max_field:
            raise build_cell_too_long_error(bounds.max_field, line)
        for empty in range(last + 1 if last else number, number):  # the readers of sheets pass over most of these
            yield line, empty, []
        waited, last = 0, number
        yield line, number, row


def _start_at_header(source: Iterator[NumberedRow], layout: Layout) -> Iterator[NumberedRow]:
    """Yield the rows from the header row on. Raises NeedsChoice if that has no text."""
    for line, number, row in source:
        if number >= layout.header_row:
            if number > layout.header_row or _is_empty(row):
                break
            yield line, number, row
            yield from source
            return
    no_text = Message(
        "Row {number} has no text, so it can't contain the column names. Choose another row.", number=layout.header_row
    )
    raise NeedsChoice("header_row", no_text)


def _is_empty(row: list[str]) -> bool:
    return not "".join(row).replace("\x1a", "").strip()  # the end of a file in DOS


def _open_source(
    path: Path, layout: Layout, bounds: FileBounds, info: SheetFindings
) -> Iterator[tuple[int, list[str]]]:
    if layout.kind == "csv":
        opened = make_opener(path, layout.gzipped, bounds.max_expanded)
        return read_text_rows(opened, layout.encoding, layout.delimiter, layout.quoted, bounds.max_field)
    if layout.is_bibliographic:
        return read_place_rows(make_opener(path, layout.gzipped, bounds.max_expanded), layout, bounds, info)
    columns = layout.read_columns if layout.header else None  # else they are to be found yet
    if layout.kind in ("xls", "xlsb"):
        table = ensure_converted(path, layout.kind, bounds.max_expanded)
        found = read_converted_rows(table, bounds.max_field, info, layout.sheet_chosen)
    else:
        rows = read_ods_rows if layout.kind == "ods" else read_xlsx_rows
        found = rows(path, bounds, info, layout.sheet_chosen, columns)
    return _limit_characters(found, bounds.max_expanded)


def _limit_characters(source: Iterator[tuple[int, list[str]]], most: int) -> Iterator[tuple[int, list[str]]]:
    """Bound the characters: a million cells of a small workbook may refer to one long text, or repeat one cell."""
    length = 0
    for line, row in source:
        length += 4 * len(row) + sum(map(len, row))  # in XML a cell takes more than 4 characters beside its text
        if length > most:
            reason = Message(
                "The cells up to here have more than the {count} characters allowed. Save the sheet as CSV.", count=most
            )
            raise UnreadableFile(reason, line)
        yield line, row
