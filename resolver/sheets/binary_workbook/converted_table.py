"""The table made from an XLS or XLSB: JSON lines. The first has the names of the sheets, each other a row with text:
the index of its sheet, its number, its cells as they are stored. It is written by calamine, which trusts the sizes that
a file declares, so only in a process with bounds.
"""

import errno
import itertools
import resource
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path

import orjson
import python_calamine as calamine

from doi_reading import Message
from resolver.sheets.bounded_process.bounds import allow_memory
from resolver.sheets.errors import UnreadableFile, build_no_such_sheet_error
from resolver.sheets.file_findings import MAX_LISTED_SHEETS, MAX_SHEET_NAME, SheetFindings
from resolver.sheets.workbook.numbers_and_dates import Moment, format_cell_number, is_number_text, to_day_number
from resolver.sheets.workbook.rows import SheetRow
from resolver.sheets.workbook.typed_cell import DAY, ELAPSED, MOMENT, TIME, Cell, decode_row, encode_row
from resolver.sheets.workbook.workbook_archive import DAMAGED, LOCKED

TOO_LARGE = Message("The workbook is damaged, or too large to read safely. Save it as XLSX or as CSV.")
_A_DAY = timedelta(days=1)


def write_table(book: str, table: str, size: int, memory: int) -> None:
    """Write the table of the workbook at the path `book` to the path `table`: at most `size` bytes, with `memory` bytes
    of memory. Raises UnreadableFile, and OSError if there is no room."""
    allow_memory(memory)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (min(size, before[1]), before[1]))
    try:
        _write(book, table)
    except calamine.PasswordError as error:
        raise UnreadableFile(LOCKED) from error
    except calamine.CalamineError as error:
        raise UnreadableFile(DAMAGED) from error
    except MemoryError as error:
        raise UnreadableFile(TOO_LARGE) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise
        raise UnreadableFile(TOO_LARGE if error.errno == errno.EFBIG else DAMAGED) from error
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # Rust's own; it is no Exception, and cannot be imported
            raise UnreadableFile(DAMAGED) from error
        raise
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _write(path: str, table: str) -> None:
    with calamine.CalamineWorkbook.from_path(path) as book, Path(table).open("wb") as out:
        numbered = enumerate(book.sheets_metadata)
        sheets = [(place, sheet) for place, sheet in numbered if sheet.typ == calamine.SheetTypeEnum.WorkSheet]
        shown = [(place, sheet) for place, sheet in sheets if sheet.visible == calamine.SheetVisibleEnum.Visible]
        read = (shown or sheets)[:MAX_LISTED_SHEETS]
        names = [sheet.name[:MAX_SHEET_NAME] for _, sheet in read]
        lines = (
            (sheet, number, encode_row(cells, read=-1))
            for sheet, (place, _) in enumerate(read)
            for number, cells in _iterate_rows(book.get_sheet_by_index(place))
        )
        for line in itertools.chain([names], lines):
            out.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))


def _iterate_rows(sheet: calamine.CalamineSheet) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows with text, with their numbers. The library leaves out the columns before the first used one."""
    if sheet.start is None:
        return
    before = [""] * sheet.start[1]
    for number, values in enumerate(sheet.iter_rows(), 1):
        width = len(values)
        while width and values[width - 1] == "":
            width -= 1
        if width:
            yield number, before + [value if type(value) is str else _read_cell(value) for value in values[:width]]


def _read_cell(value: object) -> str:
    """Return the cell as the reader of XLSX does: dates as ISO, numbers without their format."""
    match value:
        case bool():
            return Cell.of(str(value).upper(), value=value)
        case int() | float():
            return _make_number_cell(repr(value).removesuffix(".0"), None, 0)
        case datetime():
            return _make_number_cell(to_day_number(value.isoformat()), "date", MOMENT) or value.isoformat(sep=" ")
        case date():
            return _make_number_cell(to_day_number(value.isoformat()), "date", DAY) or value.isoformat()
        case time():
            since = timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
            return Cell.of(value.isoformat("seconds"), repr(since / _A_DAY), TIME)
        case timedelta():
            return _make_number_cell(repr(value / _A_DAY), "elapsed", ELAPSED)
    return str(value)


def _make_number_cell(figure: str, moment: Moment | None, number_format: int | str) -> str:
    """Return a number as a cell; anything else as text."""
    text = format_cell_number(figure, moment, from_1904=False)
    return Cell.of(text, figure, number_format) if is_number_text(figure) else text


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
