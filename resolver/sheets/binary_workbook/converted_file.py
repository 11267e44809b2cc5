"""The table made from an XLS or XLSB: JSON lines. The first has the names of the sheets, each other a row with text:
the place of its sheet, its number, its cells as they are stored.
"""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import orjson

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile, build_no_such_sheet_error
from resolver.sheets.workbook.rows import SheetRow
from resolver.sheets.workbook.sheet_findings import SheetFindings
from resolver.sheets.workbook.stored_row import decode_row

Line = tuple[int, int, list[Any]]  # place of the sheet, number of the row, cells


def write_converted(out: IO[bytes], sheets: list[str], lines: Iterable[Line]) -> None:
    """Write the names of the sheets, then the lines."""
    for line in itertools.chain([sheets], lines):
        out.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    out.flush()


def read_converted_sheet_names(table: Path) -> list[str]:
    """Return the names of the sheets that can be chosen, in order."""
    with table.open("rb") as lines:
        return list(orjson.loads(lines.readline()))


def read_converted_rows(
    table: Path, max_field: int, info: SheetFindings, chosen: int | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield every row with text, with its number, of the first sheet with content, or of the `chosen`th. `info.sheet`
    is filled before. Raises UnreadableFile for a row too wide or too long, NeedsChoice if there is no such sheet."""
    sheets = read_converted_sheet_names(table)
    if not sheets:
        raise UnreadableFile(Message("The workbook has no sheet with cells."))
    if chosen is not None and chosen >= len(sheets):
        raise build_no_such_sheet_error()
    with table.open("rb") as lines:
        lines.readline()
        for line in lines:
            sheet, number, cells = orjson.loads(line)
            if chosen is None:
                chosen = sheet
            if sheet > chosen:
                return
            if sheet == chosen:
                info.sheet = sheets[sheet]
                yield number, _build_row(number, decode_row(cells), max_field)


def _build_row(number: int, cells: list[str], max_field: int) -> list[str]:
    """Return the row within the bounds of any sheet. No database takes a text with a NUL."""
    row = SheetRow(number, max_field)
    for column, cell in enumerate(cells):
        if "\0" in cell:
            raise UnreadableFile(Message("There is a NUL character. Remove it, or export the table again."), number)
        row.put(column, cell)
    return row.cells
