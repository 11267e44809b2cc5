"""The results as XLSX, in constant memory, with a legend sheet."""

import re
from collections.abc import Iterable, Sequence
from os import PathLike

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from resolver.sheets.formulas import harmless
from resolver.sheets.legend import legend_rows
from resolver.sheets.results import RESULT_COLUMNS, ResultRow, result_header

MAX_SHEET_ROWS = 1_048_576
MAX_SHEET_COLUMNS = 16_384
MAX_CELL = 32_767  # UTF-16 units: Excel calls a file with a longer cell damaged
_CUT = " … [cut: the cell has {length} characters; CSV and JSON lines hold all of it]"
_NOT_XML = re.compile("[\ud800-\udfff\ufffe\uffff]")


class TooManyRows(ValueError):
    """More rows or columns than an XLSX sheet can hold; CSV can."""


def xlsx_file(
    header: Sequence[str],
    rows: Iterable[ResultRow],
    path: str | PathLike[str],
    columns: Sequence[str] = RESULT_COLUMNS,
) -> None:
    """Write the workbook: sheets Results and Legend. Every cell is a string, never a number, link, formula."""
    options = {
        "constant_memory": True,
        "strings_to_numbers": False,
        "strings_to_formulas": False,
        "strings_to_urls": False,
    }
    names = result_header(header, columns)
    if len(names) > MAX_SHEET_COLUMNS:
        raise TooManyRows(f"An XLSX sheet holds {MAX_SHEET_COLUMNS:,} columns at most. Take the CSV.")
    with xlsxwriter.Workbook(str(path), options) as workbook:
        sheet = workbook.add_worksheet("Results")
        sheet.freeze_panes(1, 0)
        _write(sheet, 0, names)
        width = len(header)
        for number, row in enumerate(rows, 1):
            if number >= MAX_SHEET_ROWS:
                raise TooManyRows(f"An XLSX sheet holds {MAX_SHEET_ROWS:,} rows at most. Take the CSV.")
            cells = list(row.cells)[:width]
            _write(sheet, number, [*cells, *[""] * (width - len(cells)), *row.result_cells()])
        legend = workbook.add_worksheet("Legend")
        legend.set_column(0, 1, 26)
        legend.set_column(2, 2, 110)
        for number, line in enumerate(legend_rows(columns)):
            _write(legend, number, line)


def _write(sheet: Worksheet, number: int, cells: Sequence[str]) -> None:
    for column, cell in enumerate(cells):
        if cell:
            sheet.write_string(number, column, fitting(harmless(cell)))


def fitting(cell: str) -> str:
    """The cell as a sheet can hold it: what XML cannot carry is U+FFFD; one too long is cut, and says so."""
    cell = _NOT_XML.sub("\ufffd", cell)
    if len(cell) <= MAX_CELL // 2:
        return cell
    units = cell.encode("utf-16-le")
    if len(units) // 2 <= MAX_CELL:
        return cell
    note = _CUT.format(length=f"{len(cell):,}")
    return units[: (MAX_CELL - len(note)) * 2].decode("utf-16-le", "ignore") + note
