"""A file of any kind as rows: which kind it is, and its rows from the first to the last with text."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from resolver.domain.message import Message
from resolver.sheets.binary_workbook.convert import ensure_converted
from resolver.sheets.binary_workbook.converted_file import read_converted_rows, read_converted_sheet_names
from resolver.sheets.errors import NeedsChoice, ScanLimitReached, UnreadableFile
from resolver.sheets.input.csv import find_delimiter, has_quoting, read_sample, read_text_rows
from resolver.sheets.input.gzip import Opener, is_gzip, make_opener
from resolver.sheets.input.layout import NOTHING_CHOSEN, Layout, LayoutChoices, WorkbookKind
from resolver.sheets.input.text_encoding import find_encoding
from resolver.sheets.input.unsupported_formats import HEAD, is_ole, refuse_by_bytes, refuse_by_text, refuse_ole_but_xls
from resolver.sheets.workbook.ods import read_ods_rows, read_ods_sheet_names
from resolver.sheets.workbook.rows import MAX_CELLS, FileBounds, cell_too_long_error, row_too_wide_error
from resolver.sheets.workbook.sheet_findings import SheetFindings
from resolver.sheets.workbook.workbook_archive import Archive, detect_workbook_kind, is_zip
from resolver.sheets.workbook.xlsx import read_xlsx_rows
from resolver.sheets.workbook.xlsx_parts import find_xlsx_parts

_CELL = 4  # counts as so many characters more, which is less than it takes in XML where it is written out
_EMPTY_ROW = 16  # takes the time of so many bytes of XML
_DOS_END = "\x1a"  # the end of a file, to programs of that time


class OperatorBounds(TypedDict, total=False):
    """What an operator bounds: rows, characters of a cell, bytes of what is unpacked."""

    max_rows: int
    max_field: int
    max_expanded: int


def detect_file_layout(
    path: Path, max_expanded: int, most: int | None = None, choices: LayoutChoices = NOTHING_CHOSEN
) -> Layout:
    """Return the layout without header, column and total. `most` bytes of a text decide the encoding. Choices stand."""
    header_row = choices.header_row or 0
    head = _head(lambda: path.open("rb"))
    if kind := _workbook_kind(path, head, max_expanded):
        return Layout(kind, "", "", False, False, (), 0, 0, sheet_chosen=choices.sheet, header_row=header_row)
    gzipped = is_gzip(head)
    opened = make_opener(path, gzipped, max_expanded)
    if gzipped:
        head = _head(opened)
        if is_gzip(head) or is_zip(head):
            raise UnreadableFile(
                Message("The file was compressed with gzip more than once. Unpack it once with gunzip, and try again.")
            )
        if is_ole(head):
            refuse_ole_but_xls(b"")
    refuse_by_bytes(head)
    refuse_by_text(head)
    encoding = find_encoding(opened, most, choices.encoding)
    sample = read_sample(opened, encoding)
    delimiter = find_delimiter(sample, header_row) if choices.delimiter is None else choices.delimiter
    quoted = has_quoting(sample, delimiter)
    chosen = choices.encoding is not None
    return Layout(
        "csv", encoding, delimiter, quoted, False, (), 0, 0, gzipped, encoding_chosen=chosen, header_row=header_row
    )


def read_sheet_names(path: Path, bounds: FileBounds) -> list[str]:
    """Return the names of the visible sheets of a workbook, in order; of an ODS those that `bounds.patience` bytes
    contain; none of a text."""
    kind = _workbook_kind(path, _head(lambda: path.open("rb")), bounds.max_expanded)
    if kind is None:
        return []
    if kind == "ods":
        return read_ods_sheet_names(path, bounds)
    if kind == "xlsx":
        with Archive(path) as archive:
            return [name for name, _ in find_xlsx_parts(archive).sheets]
    return read_converted_sheet_names(ensure_converted(path, kind, bounds.max_expanded))


def confirm_encoding(path: Path, layout: Layout, max_expanded: int) -> Layout:
    """Return the layout with the encoding of the whole file, if only its beginning decided it."""
    if layout.complete or layout.kind != "csv":
        return layout
    chosen = layout.encoding if layout.encoding_chosen else None
    encoding = find_encoding(make_opener(path, layout.gzipped, max_expanded), chosen=chosen)
    return dataclasses.replace(layout, encoding=encoding)


def _workbook_kind(path: Path, head: bytes, max_expanded: int) -> WorkbookKind | None:
    """Return the kind of workbook; None for other files. Refuses other archives, and documents of office programs."""
    if is_zip(head):
        return detect_workbook_kind(path, max_expanded)
    if is_ole(head):
        refuse_ole_but_xls(_ole_directory(path, head))
        return "xls"
    return None


def _head(opened: Opener) -> bytes:
    with opened() as stream:
        return stream.read(HEAD)


def _ole_directory(path: Path, head: bytes) -> bytes:
    """Return the sector with the names of the document's parts."""
    size = 4096 if head[30:31] == b"\x0c" else 512
    with path.open("rb") as stream:
        stream.seek(size * (int.from_bytes(head[48:52], "little") + 1))
        return stream.read(4096)


def read_trimmed_rows(
    path: Path, layout: Layout, bounds: FileBounds, info: SheetFindings | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield header and data rows with their lines, from the first row with text, or the header row that was chosen, to
    the last with text.

    `info` is filled: of a workbook, and where `bounds.patience` ended the reading. Raises UnreadableFile.
    """
    info = info or SheetFindings()
    try:
        yield from _without_empty_ends(_source(path, layout, bounds, info), layout, bounds)
    except ScanLimitReached:
        info.gave_up = True


def _without_empty_ends(
    source: Iterator[tuple[int, list[str]]], layout: Layout, bounds: FileBounds
) -> Iterator[tuple[int, list[str]]]:
    empty = waited = 0
    last: int | None = None
    for line, row in _from_header(source, layout) if layout.header_row else source:
        if len(row) > MAX_CELLS:
            raise row_too_wide_error(MAX_CELLS, line)
        if last is not None and layout.kind != "csv":  # the readers of sheets pass over rows without text
            empty += line - last - 1
        if _is_empty(row):
            empty += last is not None
            last = last and line
            waited += _EMPTY_ROW
            if waited > bounds.patience:
                raise ScanLimitReached
            if waited > _EMPTY_ROW * bounds.max_rows:
                too_many = Message("There are more than {count} empty rows here. Delete them.", count=bounds.max_rows)
                raise UnreadableFile(too_many, line)
            continue
        if max(map(len, row)) > bounds.max_field:
            raise cell_too_long_error(bounds.max_field, line)
        last = line
        for _ in range(empty):
            yield line, []
        empty = waited = 0
        yield line, row


def _from_header(source: Iterator[tuple[int, list[str]]], layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows from the header row on. Raises NeedsChoice if that has no text."""
    for place, (line, row) in enumerate(source, 1):
        # A spreadsheet counts the rows of a text, empty ones too, whatever lines they take.
        number = place if layout.kind == "csv" else line
        if number >= layout.header_row:
            if number > layout.header_row or _is_empty(row):
                break
            yield line, row
            yield from source
            return
    no_text = Message(
        "Row {number} has no text, so it can't contain the column names. Choose another row.", number=layout.header_row
    )
    raise NeedsChoice("header_row", no_text)


def _is_empty(row: list[str]) -> bool:
    return not "".join(row).replace(_DOS_END, "").strip()


def _source(path: Path, layout: Layout, bounds: FileBounds, info: SheetFindings) -> Iterator[tuple[int, list[str]]]:
    if layout.kind == "csv":
        opened = make_opener(path, layout.gzipped, bounds.max_expanded)
        return read_text_rows(opened, layout.encoding, layout.delimiter, layout.quoted, bounds.max_field)
    column = layout.column if layout.header else None  # else it is to be found yet
    if layout.kind in ("xls", "xlsb"):
        table = ensure_converted(path, layout.kind, bounds.max_expanded)
        found = read_converted_rows(table, bounds.max_field, info, layout.sheet_chosen)
    else:
        rows = read_ods_rows if layout.kind == "ods" else read_xlsx_rows
        found = rows(path, bounds, info, layout.sheet_chosen, column)
    return _bounded(found, bounds.max_expanded)


def _bounded(source: Iterator[tuple[int, list[str]]], most: int) -> Iterator[tuple[int, list[str]]]:
    """Bound the characters: a million cells of a small workbook may refer to one long text, or repeat one cell."""
    length = 0
    for line, row in source:
        length += _CELL * len(row) + sum(map(len, row))
        if length > most:
            raise UnreadableFile(
                Message(
                    "The cells up to here have more than the {count} characters allowed. Save the sheet as CSV.",
                    count=most,
                ),
                line,
            )
        yield line, row
