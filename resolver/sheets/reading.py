"""Files in: `detect` finds the layout of a file once, `rows` reads by it, streamed.

Rows that are wholly empty stay rows (each input row has its output row), except those at the end of the file.
`rows` gives every row as many cells as the header has names: a short row is filled with "".
"""

import dataclasses
import itertools
from collections.abc import Iterator
from pathlib import Path

from resolver.sheets.columns import find_column
from resolver.sheets.encodings import find_encoding
from resolver.sheets.layout import Layout, numbered
from resolver.sheets.text import (
    MAX_FIELD,
    SAMPLE_ROWS,
    find_delimiter,
    quotes_part_cells,
    sample_of,
    text_rows,
    too_long,
)
from resolver.sheets.unreadable import UnreadableFile, refuse_by_bytes, refuse_by_text
from resolver.sheets.xlsx import is_zip, refuse_unless_xlsx, xlsx_rows

__all__ = ["MAX_FIELD", "MAX_ROWS", "Layout", "UnreadableFile", "detect", "rows"]

MAX_ROWS = 2_000_000
MAX_COLUMNS = 2_000


def detect(
    path: Path | str,
    filename: str = "",
    column: str | None = None,
    *,
    max_rows: int = MAX_ROWS,
    max_field: int = MAX_FIELD,
) -> Layout:
    """The layout of the file, after one reading of all of it: what cannot be read is refused here.

    Raises UnreadableFile with a plain reason, and the line where there is one. `column` names the DOI column.
    A cell of more than `max_field` characters refuses the file: a quote is open, or it is no table.
    """
    path = Path(path)
    with path.open("rb") as stream:
        head = stream.read(4096)
    refuse_by_bytes(head)
    if is_zip(head):
        refuse_unless_xlsx(path)
        draft = Layout("xlsx", "", "", False, False, (), 0, 0)
    else:
        draft = _text_layout(path)
    return _survey(path, draft, column, max_rows, max_field)


def _text_layout(path: Path) -> Layout:
    encoding = find_encoding(path)
    sample = sample_of(path, encoding)
    refuse_by_text(sample[:4096])
    delimiter = find_delimiter(sample)
    return Layout("csv", encoding, delimiter, quotes_part_cells(sample, delimiter), False, (), 0, 0)


def _survey(path: Path, draft: Layout, column: str | None, max_rows: int, max_field: int) -> Layout:
    everything = _all_rows(path, draft, max_field)
    sample = list(itertools.islice(everything, SAMPLE_ROWS + 1))
    if not sample:
        raise UnreadableFile("The file has no rows: there is nothing in it but white space.")
    has_header, index = find_column([row for _, row in sample if row], column)
    total = width = 0
    for line, row in itertools.chain(sample, everything):
        total += 1
        if total - has_header > max_rows:
            raise UnreadableFile(f"The file has more than the {max_rows:,} rows allowed. Split it.", line)
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
    path: Path | str, layout: Layout, *, max_rows: int = MAX_ROWS, max_field: int = MAX_FIELD
) -> Iterator[list[str]]:
    """The data rows in order, each with `layout.width` cells, by the bounds of `detect`.

    Memory does not grow with a text file.
    """
    width = layout.width
    data = itertools.islice(_all_rows(Path(path), layout, max_field), int(layout.has_header), None)
    for count, (line, row) in enumerate(data, 1):
        if count > max_rows:
            raise UnreadableFile(f"The file has more than the {max_rows:,} rows allowed. Split it.", line)
        yield row if len(row) == width else (row + [""] * (width - len(row)))[:width]


def _all_rows(path: Path, layout: Layout, max_field: int) -> Iterator[tuple[int, list[str]]]:
    """Header and data rows, from the first that is not empty to the last that is not."""
    if layout.kind == "xlsx":
        source = xlsx_rows(path)
    else:
        source = text_rows(path, layout.encoding, layout.delimiter, layout.quoted, max_field)
    empty = 0
    begun = False
    for line, row in source:
        together = "".join(row)
        if not together or together.isspace():
            empty += begun
            continue
        if len(together) > max_field and max(map(len, row)) > max_field:
            raise too_long(max_field, line)
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
