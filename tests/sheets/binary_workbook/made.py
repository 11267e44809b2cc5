"""XLS and XLSB made record by record: [MS-CFB], [MS-XLS] (BIFF8) and [MS-XLSB] as far as cells need them."""

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tests.sheets.made_workbooks import archive, relations

Rows = Iterable[Iterable[Any]]

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_SMALLEST = 4096  # a shorter stream lies elsewhere
_FORMATS = (0, 14, 22, 46, 10)  # General, a date, a date with a time, a length of time, percent: the cell styles
_VISIBLE = 0


@dataclass(frozen=True)
class Styled:
    """A number in a cell with this style: its place among General, date, date and time, length of time, percent."""

    number: float
    style: int


@dataclass(frozen=True)
class Error:
    """A cell with this error; 42 is #N/A."""

    code: int = 42


@dataclass(frozen=True)
class Sheet:
    """A sheet of a book; `state` 1 is hidden, 2 very hidden."""

    name: str
    rows: Rows
    state: int = _VISIBLE


def xls(*sheets: Sheet, from_1904: bool = False) -> bytes:
    """A workbook as Excel 97 and later wrote it."""
    return compound(b"".join(_book(sheets, from_1904)))


def compound(stream: bytes, name: str = "Workbook") -> bytes:
    """A compound file with this stream alone."""
    stream = stream.ljust(_SMALLEST, b"\0")
    used = -(-len(stream) // _SECTOR)
    tables = 1
    while tables * _SECTOR // 4 < used + 1 + tables:
        tables += 1
    chain = [*range(1, used), _END, _END, *[_FAT] * tables]
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(tables * _SECTOR, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, tables, used, 0, _SMALLEST, _END, 0, _END, 0)
    places = range(used + 1, used + 1 + tables)
    head += struct.pack(f"<{tables}I", *places).ljust(436, b"\xff")
    folder = _entry("Root Entry", 5, child=1, start=_END, size=0) + _entry(
        name, 2, child=_FREE, start=0, size=len(stream)
    )
    padded = stream.ljust(used * _SECTOR, b"\0")
    return head + padded + folder.ljust(_SECTOR, b"\0") + fat


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    written = name.encode("utf-16-le")
    head = written.ljust(64, b"\0") + struct.pack("<HBB3I", len(written) + 2, kind, 1, _FREE, _FREE, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def _record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _text(text: str, length: str) -> bytes:
    """With the length before it; one byte for each character where that will do."""
    narrow = text.isascii()
    return struct.pack(f"<{length}B", len(text), not narrow) + text.encode("latin-1" if narrow else "utf-16-le")


def _begin(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<4H2I", 0x0600, kind, 0x0DBB, 0x07CC, 0, 6))


def _book(sheets: Iterable[Sheet], from_1904: bool) -> Iterator[bytes]:
    head = _begin(5) + _record(0x42, struct.pack("<H", 1200)) + _record(0x22, struct.pack("<H", from_1904))
    head += b"".join(_record(0xE0, struct.pack("<HH16x", 0, number)) for number in _FORMATS)
    bodies = [(sheet, _begin(16) + _cells(sheet.rows) + _record(0x0A)) for sheet in sheets]
    place = len(head) + sum(4 + 6 + len(_text(sheet.name, "B")) for sheet, _ in bodies) + 4
    yield head
    for sheet, body in bodies:
        yield _record(0x85, struct.pack("<IBB", place, sheet.state, 0) + _text(sheet.name, "B"))
        place += len(body)
    yield _record(0x0A)
    for _, body in bodies:
        yield body


def _cells(rows: Rows) -> bytes:
    return b"".join(
        _cell(number, column, value)
        for number, row in enumerate(rows)
        for column, value in enumerate(row)
        if value not in (None, "")
    )


def _cell(row: int, column: int, value: Any) -> bytes:
    style = value.style if isinstance(value, Styled) else 0
    place = struct.pack("<3H", row, column, style)
    match value:
        case bool():
            return _record(0x0205, place + bytes((value, 0)))
        case Error():
            return _record(0x0205, place + bytes((value.code, 1)))
        case str():
            return _record(0x0204, place + _text(value, "H"))
        case Styled():
            return _record(0x0203, place + struct.pack("<d", value.number))
    return _record(0x0203, place + struct.pack("<d", value))


def xlsb(*sheets: Sheet) -> bytes:
    """A workbook as Excel 2007 and later write it in binary."""
    listed = b"".join(
        _part(156, struct.pack("<2I", sheet.state, number) + _wide(f"rId{number}") + _wide(sheet.name))
        for number, sheet in enumerate(sheets, 1)
    )
    targets = {f"rId{number}": f"worksheet worksheets/sheet{number}.bin" for number, _ in enumerate(sheets, 1)}
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(rId1="officeDocument xl/workbook.bin"),
        "xl/workbook.bin": _part(131) + _part(143) + listed + _part(144) + _part(132),
        "xl/_rels/workbook.bin.rels": relations(**targets, rId900="styles styles.bin"),
        "xl/styles.bin": _styles(),
    }
    return archive(members | {f"xl/worksheets/sheet{n}.bin": _sheet(one.rows) for n, one in enumerate(sheets, 1)})


def _part(kind: int, data: bytes = b"") -> bytes:
    return (_varying(kind) if kind < 128 else bytes((kind & 0x7F | 0x80, kind >> 7))) + _varying(len(data)) + data


def _varying(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _styles() -> bytes:
    cells = b"".join(_part(47, struct.pack("<2H12x", 0, number)) for number in _FORMATS)
    return _part(278) + _part(617, struct.pack("<I", len(_FORMATS))) + cells + _part(618) + _part(279)


def _sheet(rows: Rows) -> bytes:
    lines = b"".join(_line(number, row) for number, row in enumerate(rows) if row)
    return _part(129) + _part(148, bytes(16)) + _part(145) + lines + _part(146) + _part(130)


def _line(number: int, row: Iterable[Any]) -> bytes:
    return _part(0, struct.pack("<I13x", number)) + _binary_cells(*row)


@lru_cache(maxsize=1, typed=True)  # of a row that is repeated
def _binary_cells(*row: Any) -> bytes:
    return b"".join(_binary_cell(column, value) for column, value in enumerate(row) if value not in (None, ""))


def _binary_cell(column: int, value: Any) -> bytes:
    place = struct.pack("<2I", column, value.style if isinstance(value, Styled) else 0)
    match value:
        case bool():
            return _part(4, place + bytes((value,)))
        case Error():
            return _part(3, place + bytes((value.code,)))
        case str():
            return _part(6, place + _wide(value))
        case Styled():
            return _part(5, place + struct.pack("<d", value.number))
    return _part(5, place + struct.pack("<d", value))
