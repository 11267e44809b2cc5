"""XLSX: the first sheet, its cells as the text that a person sees."""

import datetime
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook, PasswordError

from resolver.sheets.expansion import MAX_EXPANDED, MAX_GRID, measure
from resolver.sheets.unreadable import UnreadableFile

# What zipfile raises for broken, truncated, encrypted or unknown content: it has no common class for them.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
)
_Cell = int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta


def is_zip(head: bytes) -> bool:
    """Whether the file is a ZIP archive, as XLSX is."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def refuse_unless_xlsx(path: Path, max_expanded: int = MAX_EXPANDED, max_grid: int = MAX_GRID) -> None:
    """Refuse other archives by name, and a workbook that would not fit into memory once unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "xl/workbook.xml" not in names:
                raise UnreadableFile(_other_archive(archive, names))
            measure(archive, names, max_expanded, max_grid)
    except _DAMAGED as error:
        raise UnreadableFile("The workbook is damaged or has a password. Save it again as XLSX or as CSV.") from error


def _other_archive(archive: zipfile.ZipFile, names: set[str]) -> str:
    if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
        if b"opendocument.spreadsheet" in archive.read("mimetype"):
            return "This is an OpenDocument sheet (.ods). Save it as XLSX or as CSV."
        return "This is an OpenDocument or EPUB file, not a table. Save the table as XLSX or as CSV."
    if "xl/workbook.bin" in names:
        return "This is a binary Excel workbook (.xlsb). Save it as XLSX or as CSV."
    if "word/document.xml" in names:
        return "This is a Word document. Copy the DOIs into a text file, one on each line, and upload that."
    return "This is a ZIP archive. Unpack it and upload the table in it."


def xlsx_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Every row of the first sheet with its number, from the first row that has anything."""
    try:
        with CalamineWorkbook.from_path(path) as workbook:
            if not workbook.sheet_names:
                raise UnreadableFile("The workbook has no sheet.")
            sheet = workbook.get_sheet_by_index(0)
            for number, row in enumerate(sheet.iter_rows(), 1):
                yield number, [shown(cell) for cell in row]
    except PasswordError as error:
        raise UnreadableFile("The workbook has a password. Save it without one.") from error
    except CalamineError as error:
        raise UnreadableFile(f"The workbook cannot be read ({error}). Save it again as XLSX or as CSV.") from error


def shown(cell: _Cell | None) -> str:
    """The cell as text: 1.0 is "1", a date is ISO, an empty cell is ""."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(sep=" ")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)
