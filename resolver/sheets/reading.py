"""Files in: `detect` finds the layout of a file once, `rows` reads by it, streamed.

Rows that are wholly empty stay rows (each input row has its output row), except those at the end of the file.
`rows` gives every row as many cells as the header has names: a short row is filled with "".
"""

import dataclasses
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from resolver.sheets.archive import is_zip, workbook_kind
from resolver.sheets.columns import find_column
from resolver.sheets.encodings import find_encoding
from resolver.sheets.grid import MAX_COLUMNS, too_long
from resolver.sheets.layout import Layout, numbered
from resolver.sheets.ods import ods_rows
from resolver.sheets.opening import Opener, is_gzip, opener
from resolver.sheets.other_formats import HEAD, is_ole, ole_reason, refuse_by_bytes, refuse_by_text
from resolver.sheets.text import (
    MAX_FIELD,
    SAMPLE_ROWS,
    find_delimiter,
    quotes_part_cells,
    sample_of,
    text_rows,
)
from resolver.sheets.unreadable import UnreadableFile
from resolver.sheets.xlsx import xlsx_rows

__all__ = ["MAX_EXPANDED", "MAX_FIELD", "MAX_ROWS", "Layout", "UnreadableFile", "detect", "rows"]

MAX_ROWS = 2_000_000
MAX_EXPANDED = 600_000_000
SAMPLE_CELL = 1_000
_NO_ROWS = "The file has no rows: there is nothing in it but white space."
_NO_ROWS_IN_SHEET = "The first visible sheet has no rows. Move the sheet with the DOIs to the front."
_DOS_END = "\x1a"  # the end of a file, to programs of that time


def detect(
    path: Path | str,
    filename: str = "",
    column: str | None = None,
    *,
    max_rows: int = MAX_ROWS,
    max_field: int = MAX_FIELD,
    max_expanded: int = MAX_EXPANDED,
) -> Layout:
    """The layout of the file, after one reading of all of it: what cannot be read is refused here.

    Raises UnreadableFile with a plain reason, and the line where there is one. `column` names the DOI column.
    A cell of more than `max_field` characters refuses the file: a quote is open, or it is no table. So does a
    workbook or gzip'd text that unpacks to more than `max_expanded` bytes.
    """
    path = Path(path)
    bounds = _Bounds(max_rows, max_field, max_expanded)
    return _survey(path, _draft(path, max_expanded), column, bounds)


@dataclass(frozen=True, slots=True)
class _Bounds:
    rows: int
    field: int
    expanded: int


def _draft(path: Path, max_expanded: int) -> Layout:
    """The layout without its header, column and total."""
    head = _head(lambda: path.open("rb"))
    gzipped = is_gzip(head)
    opened = opener(path, gzipped, max_expanded)
    if gzipped:
        head = _head(opened)
        if is_gzip(head) or is_zip(head):
            raise UnreadableFile(
                "What is compressed with gzip here is compressed by itself. Unpack it once, with gunzip."
            )
    if is_zip(head):
        return Layout(workbook_kind(path, max_expanded), "", "", False, False, (), 0, 0)
    refuse_by_bytes(head)
    if is_ole(head):
        raise UnreadableFile(ole_reason(b"" if gzipped else _ole_directory(path, head)))
    refuse_by_text(head)
    encoding = find_encoding(opened)
    sample = sample_of(opened, encoding)
    delimiter = find_delimiter(sample)
    return Layout("csv", encoding, delimiter, quotes_part_cells(sample, delimiter), False, (), 0, 0, gzipped)


def _head(opened: Opener) -> bytes:
    with opened() as stream:
        return stream.read(HEAD)


def _ole_directory(path: Path, head: bytes) -> bytes:
    """The sector in which the names of the document's parts stand."""
    size = 4096 if head[30:31] == b"\x0c" else 512
    with path.open("rb") as stream:
        stream.seek(size * (int.from_bytes(head[48:52], "little") + 1))
        return stream.read(4096)


def _survey(path: Path, draft: Layout, column: str | None, bounds: _Bounds) -> Layout:
    everything = _all_rows(path, draft, bounds)
    sample = [
        # Of the first rows only so much is kept as tells which column it is: their cells may be long.
        (line, [cell[:SAMPLE_CELL] for cell in row] if place else row)
        for place, (line, row) in enumerate(itertools.islice(everything, SAMPLE_ROWS + 1))
    ]
    if not sample:
        raise UnreadableFile(_NO_ROWS if draft.kind == "csv" else _NO_ROWS_IN_SHEET)
    has_header, index = find_column([row for _, row in sample if row], column)
    total = width = 0
    for line, row in itertools.chain(sample, everything):
        total += 1
        if total - has_header > bounds.rows:
            raise _too_many(bounds.rows, line)
        if len(row) > width:
            width = max(width, _filled(row))
            if width > MAX_COLUMNS:
                raise UnreadableFile(f"The row has more than {MAX_COLUMNS:,} cells. Is this a table?", line)
    names = sample[0][1] if has_header else []
    if total == has_header:
        raise UnreadableFile("The file has a header row and nothing below it.")
    header = tuple(names) + tuple(numbered(position) for position in range(len(names), max(width, index + 1)))
    return dataclasses.replace(draft, has_header=has_header, header=header, column=index, total=total - has_header)


def rows(
    path: Path | str,
    layout: Layout,
    *,
    max_rows: int = MAX_ROWS,
    max_field: int = MAX_FIELD,
    max_expanded: int = MAX_EXPANDED,
) -> Iterator[list[str]]:
    """The data rows in order, each with `layout.width` cells, by the bounds of `detect`.

    Memory does not grow with the file.
    """
    width = layout.width
    everything = _all_rows(Path(path), layout, _Bounds(max_rows, max_field, max_expanded))
    for count, (line, row) in enumerate(itertools.islice(everything, int(layout.has_header), None), 1):
        if count > max_rows:
            raise _too_many(max_rows, line)
        yield row if len(row) == width else (row + [""] * (width - len(row)))[:width]


def _too_many(max_rows: int, line: int) -> UnreadableFile:
    return UnreadableFile(f"The file has more than the {max_rows:,} rows allowed. Split it.", line)


def _source(path: Path, layout: Layout, bounds: _Bounds) -> Iterator[tuple[int, list[str]]]:
    if layout.kind == "csv":
        opened = opener(path, layout.gzipped, bounds.expanded)
        return text_rows(opened, layout.encoding, layout.delimiter, layout.quoted, bounds.field)
    cells = xlsx_rows(path, bounds.field) if layout.kind == "xlsx" else ods_rows(path, bounds.field)
    return _bounded(cells, bounds.expanded)


def _bounded(source: Iterator[tuple[int, list[str]]], most: int) -> Iterator[tuple[int, list[str]]]:
    """A million cells of a small workbook may refer to one long text."""
    length = 0
    for line, row in source:
        length += sum(map(len, row))
        if length > most:
            raise UnreadableFile(
                f"The cells up to here have more than the {most:,} characters allowed. Save the sheet as CSV.", line
            )
        yield line, row


def _all_rows(path: Path, layout: Layout, bounds: _Bounds) -> Iterator[tuple[int, list[str]]]:
    """Header and data rows, from the first that is not empty to the last that is not."""
    empty = 0
    begun = False
    for line, row in _source(path, layout, bounds):
        together = "".join(row)
        if not together or together.isspace() or together == _DOS_END:
            empty += begun
            continue
        if len(together) > bounds.field and max(map(len, row)) > bounds.field:
            raise too_long(bounds.field, line)
        begun = True
        for _ in range(empty):
            yield line, []
        empty = 0
        yield line, row


def _filled(row: list[str]) -> int:
    width = len(row)
    while width and not row[width - 1]:
        width -= 1
    return width
