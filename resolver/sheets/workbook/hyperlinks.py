"""The hyperlinks of an XLSX sheet, and the formula HYPERLINK. Hyperlinks follow all rows in a sheet, so they are read
first, and kept on disk."""

import posixpath
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.workbook.rows import MAX_COLUMNS, MAX_SHEET_ROWS, parse_column_letters, parse_whole_number
from resolver.sheets.workbook.typed_cell import add_link
from resolver.sheets.workbook.workbook_archive import READ_BYTES, Archive, ZipMember
from resolver.sheets.workbook.xml_stream import DamagedPart, iterate_elements

MAX_LINKS = 1_000_000  # of a sheet; Excel ends at 65,530
MAX_LINK_CHARACTERS = 4_096  # Excel ends at 2,079. A longer one is no link
FIRST_LINKS = 10_000  # that are read while a person waits: programs write them in the order of the rows
_PLACE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,8})")
_CELLS = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?sheetData[\s/>]")
_LINKS = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?hyperlinks[\s/>]")
_TEXT = r'"((?:[^"]|"")*+)"'
# Excel separates the arguments of a formula by commas, OpenDocument by semicolons.
_HYPERLINK = re.compile(rf"(?:\w+:)?=?\s*HYPERLINK\(\s*{_TEXT}\s*(?:[,;]\s*{_TEXT}\s*)?(?P<end>\)\s*\Z|[,;])", re.I)

_Link = tuple[int, int, int, int, str]  # first and last row, first and last column, address


class SheetLinks:
    """The hyperlinks of one sheet that lead out of the workbook. Memory does not grow with their number. A sheet with
    none costs a look at its list of relations. Raises UnreadableFile beyond MAX_LINKS."""

    def __init__(self, database: sqlite3.Connection, archive: Archive, place: str, most: int = sys.maxsize) -> None:
        """Find none if relations and sheet have more than `most` bytes; with any `most` only the first FIRST_LINKS."""
        folder, name = posixpath.split(place)
        relations = f"{folder}/_rels/{name}.rels"
        self._coming: Iterator[_Link] = iter(())
        self._next: _Link | None = None
        self._here: dict[int, tuple[int, str]] = {}  # by column: the last row with this address
        self._first_end = MAX_SHEET_ROWS  # of these
        if not archive.has(relations) or archive.get_size(relations) + archive.get_size(place) > most:
            return
        enough = FIRST_LINKS if most < sys.maxsize else sys.maxsize
        with archive.open(relations) as part:
            found = _store_targets(database, part, relations, enough)
        if found:
            # Damage in the sheet is reported, with its row, when that is read.
            with archive.open(place) as part, suppress(DamagedPart):
                _store_links(database, _drop_cells(part), place, enough)
        self._coming = iter(database.execute(_IN_ORDER))
        self._next = next(self._coming, None)

    def put(self, number: int, cells: list[str], only: frozenset[int] | None = None) -> None:
        """Add the hyperlinks to the cells with text of the row with this number, or only to those in the columns
        `only`. Rows come in order."""
        if self._next is None and not self._here:
            return
        while self._next is not None and self._next[0] <= number:
            _, last, left, right, address = self._next
            spanned = range(left, right + 1)
            wanted = spanned if only is None else [column for column in only if column in spanned]
            self._here |= dict.fromkeys(wanted, (last, address))
            self._first_end = min(last, self._first_end)
            self._next = next(self._coming, None)
        if self._first_end < number:
            self._here = {column: link for column, link in self._here.items() if link[0] >= number}
            self._first_end = min((last for last, _ in self._here.values()), default=MAX_SHEET_ROWS)
        columns = self._here if len(self._here) < len(cells) else range(len(cells))
        for column in columns if only is None else only:
            if column < len(cells) and cells[column] and (link := self._here.get(column)):
                cells[column] = add_link(cells[column], link[1])


_TABLES = """
CREATE TABLE target (id TEXT PRIMARY KEY, address TEXT) WITHOUT ROWID;
CREATE TABLE link (first INTEGER, last INTEGER, left INTEGER, right INTEGER, id TEXT, place TEXT);
"""
_IN_ORDER = """
SELECT first, last, left, right, address || place FROM link JOIN target USING (id) ORDER BY first, link.rowid DESC
"""


def _store_targets(table: sqlite3.Connection, part: ZipMember, place: str, enough: int) -> bool:
    """Store the address of each hyperlink among the sheet's relations; return whether there is any."""
    table.executescript(_TABLES)
    targets = (
        (attributes.get("Id", ""), attributes.get("Target", ""))
        for element, attributes in iterate_elements(part.read_blocks(), place)
        if element == "Relationship"
        and attributes.get("Type", "").endswith("/hyperlink")
        and attributes.get("TargetMode") == "External"
        and len(attributes.get("Target", "")) <= MAX_LINK_CHARACTERS
    )
    return table.executemany("INSERT OR IGNORE INTO target VALUES (?, ?)", _take_first(targets, enough)).rowcount > 0


def _store_links(table: sqlite3.Connection, blocks: Iterator[bytes], place: str, enough: int) -> None:
    def find_links() -> Iterator[tuple[Any, ...]]:
        for element, attributes in iterate_elements(blocks, place):
            cells = parse_reference(attributes.get("ref", "")) if element == "hyperlink" else None
            relation = next((value for key, value in attributes.items() if key.endswith(" id")), "")
            location = attributes.get("location", "")
            if relation and cells and len(location) <= MAX_LINK_CHARACTERS:
                # The part of the address behind a # is kept apart.
                yield *cells, relation, f"#{location}" if location else ""

    links = _take_first(find_links(), enough, lambda link: int(link[3] - link[2] + 1))
    table.executemany("INSERT INTO link VALUES (?, ?, ?, ?, ?, ?)", links)


def _take_first(
    rows: Iterator[tuple[Any, ...]], enough: int, weigh: Callable[[tuple[Any, ...]], int] = lambda row: 1
) -> Iterator[tuple[Any, ...]]:
    """Yield rows until they weigh `enough`. Raises UnreadableFile beyond MAX_LINKS."""
    weight = 0
    for row in rows:
        if weight >= enough:
            return
        weight += weigh(row)
        if weight > MAX_LINKS:
            reason = Message(
                "The sheet has more than {count} hyperlinks. Remove them, or save the sheet as CSV.", count=MAX_LINKS
            )
            raise UnreadableFile(reason)
        yield row


def parse_reference(ref: str, columns: int = MAX_COLUMNS) -> tuple[int, int, int, int] | None:
    """Return first and last row, first and last column of a reference (A2, A2:B9) to the first `columns` columns; None
    for any other."""
    first, _, last = ref[:40].partition(":")
    corners = [_PLACE.fullmatch(one) for one in (first, last or first)]
    if not corners[0] or not corners[1]:
        return None
    (left, top), (right, bottom) = (
        (parse_column_letters(corner[1]), min(parse_whole_number(corner[2]), MAX_SHEET_ROWS))
        for corner in corners
        if corner
    )
    if top < 1 or bottom < top or right < left or left >= columns:
        return None
    return top, bottom, left, min(right, columns - 1)


def _drop_cells(part: ZipMember) -> Iterator[bytes]:
    """Yield a sheet's part without its cells: unpacking them takes a tenth of the time of parsing them."""
    before = part.read(READ_BYTES)
    if found := _CELLS.search(before):
        yield before[: found.start()]
        before = before[found.end() :]
        while (found := _LINKS.search(before)) is None:
            block = part.read(READ_BYTES)
            if not block:  # no hyperlinks: the end of the sheet alone is left
                yield before[before.rfind(b"</") :]
                return
            before = before[-256:] + block  # a tag may begin before the block
        before = before[found.start() :]
    yield before
    yield from part.read_blocks()


class HyperlinkFormula(NamedTuple):
    """The address, and the text that is shown, if the formula contains it."""

    address: str
    text: str


def parse_hyperlink_formula(formula: str) -> HyperlinkFormula | None:
    """Return the parts of a formula such as `HYPERLINK("https://doi.org/10.1000/182","Full text")`; None for any other,
    and if the address is calculated."""
    found = _HYPERLINK.match(formula) if len(formula) <= 8_192 else None
    if found is None or not found[1]:
        return None
    address = found[1].replace('""', '"')
    if not found["end"].startswith(")"):  # its text is calculated
        return HyperlinkFormula(address, "")
    return HyperlinkFormula(address, (found[2] or "").replace('""', '"') or address)


def change_hyperlink_formula(formula: str, address: str, text: str | None) -> str | None:
    """Return a formula that `parse_hyperlink_formula` can read with this address, and this text if it is not None; None
    if the formula has no text of its own and shows another address."""
    found = _HYPERLINK.match(formula)
    if found is None or (text not in (None, address) and found[2] is None):
        return None
    parts = [(found.span(1), address)]
    if text is not None and found[2] is not None:
        parts.append((found.span(2), text))
    pieces, at = list[str](), 0
    for (start, stop), new in parts:
        pieces += formula[at:start], new.replace('"', '""')
        at = stop
    return "".join([*pieces, formula[at:]])
