"""The process in which calamine reads one XLS or XLSB. It limits itself, and writes the table to standard output.

    python -m resolver.sheets.binary_workbook.calamine_process FILE MEMORY SECONDS SIZE

The library trusts the sizes that a file declares. More than MEMORY (bytes of address space) or SECONDS (of the
processor) ends only this process. SIZE is how many bytes it may write.
"""

import errno
import os
import resource
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from resolver.sheets.binary_workbook.convert import ConversionStatus
from resolver.sheets.binary_workbook.converted_file import Line, write_converted
from resolver.sheets.workbook.numbers_and_dates import Moment, format_cell_number, is_number_text, to_day_number
from resolver.sheets.workbook.stored_row import encode_row
from resolver.sheets.workbook.typed_cell import DAY, ELAPSED, MOMENT, TIME, Cell

_LONGEST_NAME = 100
_MOST_SHEETS = 200  # no more can be chosen
_NO_LINK = -1
_A_DAY = timedelta(days=1)


def main() -> ConversionStatus:
    """Write the table of the file that the arguments name, within their bounds."""
    memory, seconds, size = map(int, sys.argv[2:])
    limits = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_FSIZE: size,
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in limits.items():
        resource.setrlimit(limit, (most, most))
    try:
        _write(sys.argv[1])
    except PasswordError:
        return ConversionStatus.LOCKED
    except CalamineError:
        return ConversionStatus.DAMAGED
    except MemoryError:
        return ConversionStatus.TOO_LARGE
    except OSError as error:
        return {errno.EFBIG: ConversionStatus.TOO_LARGE, errno.ENOSPC: ConversionStatus.NO_ROOM}.get(
            error.errno or 0, ConversionStatus.DAMAGED
        )
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # Rust's own; it is no Exception, and cannot be imported
            return ConversionStatus.DAMAGED
        raise
    return ConversionStatus.WELL


def _write(path: str) -> None:
    with CalamineWorkbook.from_path(path) as book:
        sheets = [
            (place, sheet) for place, sheet in enumerate(book.sheets_metadata) if sheet.typ == SheetTypeEnum.WorkSheet
        ]
        shown = [(place, sheet) for place, sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
        read = (shown or sheets)[:_MOST_SHEETS]
        names = [sheet.name[:_LONGEST_NAME] for _, sheet in read]
        write_converted(sys.stdout.buffer, names, _iterate_lines(book, [place for place, _ in read]))


def _iterate_lines(book: CalamineWorkbook, places: list[int]) -> Iterator[Line]:
    for sheet, place in enumerate(places):
        for number, cells in _iterate_rows(book.get_sheet_by_index(place)):
            yield sheet, number, encode_row(cells, _NO_LINK)


def _iterate_rows(sheet: CalamineSheet) -> Iterator[tuple[int, list[str]]]:
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


if __name__ == "__main__":
    os._exit(main())  # what is still to be written has no room either
