"""The hyperlinks of an XLSX sheet with other addresses: its <hyperlink> elements, and its relations part."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from sqlite3 import Connection
from typing import Any

from resolver.sheets.original.written_tags import get_attribute, set_attribute
from resolver.sheets.original.xlsx.xlsx_cell import WrittenElement
from resolver.sheets.original.xml_splice import Splices, WrittenXml
from resolver.sheets.workbook.hyperlinks import SheetLinks, parse_reference
from resolver.sheets.workbook.rows import MAX_CELLS, to_column_letters
from resolver.sheets.workbook.typed_cell import get_link
from resolver.sheets.workbook.workbook_archive import Archive
from resolver.sheets.workbook.xml_stream import iterate_elements

_NUMBERED = re.compile(r"rId([0-9]{1,18})", re.IGNORECASE)
_TABLES = """
CREATE TABLE new_link (row INTEGER, column INTEGER, old TEXT, new TEXT, PRIMARY KEY (row, column)) WITHOUT ROWID;
CREATE TABLE use (id TEXT PRIMARY KEY, count INTEGER) WITHOUT ROWID;
CREATE TABLE new_target (id TEXT PRIMARY KEY, address TEXT) WITHOUT ROWID;
CREATE TABLE new_relation (id TEXT, address TEXT);
"""
_COUNT, _CELLS = "SELECT count(*), min(new), max(new)", "SELECT row, column, new"
_IN_RANGE = " FROM new_link WHERE row BETWEEN ? AND ? AND column BETWEEN ? AND ? AND old = ?"

_Cells = tuple[int, int, int, int]  # first and last row, first and last column


class LinkEdits:
    """The hyperlinks of one sheet, first by cell of the `columns`, in the order of rows, then element by element, then
    their relations. All is kept on disk."""

    def __init__(self, database: Connection, archive: Archive, place: str, columns: frozenset[int]) -> None:
        folder, name = posixpath.split(place)
        self.relations = f"{folder}/_rels/{name}.rels"
        self._archive = archive
        self._database = database
        database.executescript(_TABLES)
        self._links = SheetLinks(database, archive, place)
        self._columns = columns
        self._is_counted = False
        self._free_number = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def find_address(self, row: int, column: int) -> str:
        """Return the address of a cell with text, "" for none. Rows come in order."""
        cells = [""] * column + ["-"]
        self._links.put(row, cells, self._columns)
        return get_link(cells[column])

    def change(self, row: int, column: int, old: str, new: str) -> None:
        """Let the hyperlink of a cell lead to another address."""
        self._count += 1
        self._database.execute("INSERT OR REPLACE INTO new_link VALUES (?, ?, ?, ?)", (row, column, old, new))

    def rewrite_element(self, element: WrittenElement, attributes: dict[str, str], splices: Splices) -> None:
        """Let a <hyperlink> lead where its cells shall. That of several cells is divided if others keep theirs."""
        relation = next((value for key, value in attributes.items() if key.endswith(" id")), "")
        cells = parse_reference(attributes.get("ref", ""), MAX_CELLS)
        target = self._find("SELECT address FROM target WHERE id = ?", relation) if self._count and cells else None
        if cells is None or target is None:
            return
        location = attributes.get("location", "")
        old = f"{target}#{location}" if location else target
        count, first, last = self._database.execute(_COUNT + _IN_RANGE, (*cells, old)).fetchone()
        top, bottom, left, right = cells
        if count == (bottom - top + 1) * (right - left + 1) and first == last:
            splices.add(element.start, element.content, self._lead_all(element.tag, relation, old, first))
        elif count:
            found = self._database.execute(_CELLS + _IN_RANGE + " ORDER BY row, column", (*cells, old))
            before = ""
            for piece, new in _divide(cells, found):
                if before:
                    splices.add(element.start, element.start, before if before.endswith("/>") else f"{before[:-1]}/>")
                before = set_attribute(element.tag, "ref", build_reference(piece))
                before = _lead(before, old, new, self._add_relation(new)) if new else before
            splices.add(element.start, element.content, before)

    def rewrite_relations(self, splices: Splices) -> Callable[[str], bytes]:
        """Find what changes in the relations part, after the sheet. Return the function that encodes it."""
        with self._archive.open(self.relations) as part:
            xml = WrittenXml(part.read_blocks(), self.relations)
            template = ""

            def start(name: str, attributes: dict[str, str]) -> None:
                nonlocal template
                if xml.local[name] == "Relationship" and attributes.get("Type", "").endswith("/hyperlink"):
                    element = WrittenElement(xml)
                    template = element.tag
                    found = self._find("SELECT address FROM new_target WHERE id = ?", attributes.get("Id", ""))
                    if found is not None:
                        splices.add(element.start, element.content, set_attribute(element.tag, "Target", found))

            def end(name: str) -> None:
                if xml.local[name] == "Relationships":
                    for identifier, address in self._database.execute("SELECT id, address FROM new_relation"):
                        tag = set_attribute(set_attribute(template, "Id", identifier), "Target", address)
                        tag = set_attribute(tag, "TargetMode", "External", "TargetMode")
                        splices.add(xml.at, xml.at, tag if tag.endswith("/>") else f"{tag[:-1]}/>")

            xml.handle_elements(start, end)
            while xml.read():
                pass
        return xml.encode

    def _lead_all(self, tag: str, relation: str, old: str, new: str) -> str:
        """Return the tag of a hyperlink all of whose cells lead to one new address."""
        if not self._is_counted:
            self._is_counted = True
            self._database.execute("INSERT INTO use SELECT id, count(*) FROM link GROUP BY id")
        if self._find("SELECT count FROM use WHERE id = ?", relation) != 1:
            return _lead(tag, old, new, self._add_relation(new))
        self._database.execute("INSERT INTO new_target VALUES (?, ?)", (relation, new))
        return _lead(tag, old, new, relation)

    def _add_relation(self, address: str) -> str:
        if not self._free_number:
            with self._archive.open(self.relations) as part:
                found = iterate_elements(part.read_blocks(), self.relations)
                numbered = (_NUMBERED.fullmatch(attributes.get("Id", "")) for _, attributes in found)
                self._free_number = max((int(one[1]) for one in numbered if one), default=0)
        self._free_number += 1
        identifier = f"rId{self._free_number}"
        self._database.execute("INSERT INTO new_relation VALUES (?, ?)", (identifier, address))
        return identifier

    def _find(self, query: str, key: str) -> Any:
        found = self._database.execute(query, (key,)).fetchone()
        return found[0] if found else None


def _lead(tag: str, old: str, new: str, relation: str) -> str:
    """Return the tag of a hyperlink with another relation, whose address has no part behind a #."""
    tag = set_attribute(set_attribute(tag, "id", relation), "location", None)
    for shown in ("display", "tooltip"):
        if get_attribute(tag, shown) == old:
            tag = set_attribute(tag, shown, new)
    return tag


def _divide(cells: _Cells, changed: Iterable[tuple[int, int, str]]) -> Iterator[tuple[_Cells, str]]:
    """Yield the parts of a range: each changed cell with its address, and what lies between with ""."""
    top, bottom, left, right = cells
    row, column = top, left
    for at, place, new in changed:
        if at > row and column > left:
            if column <= right:
                yield (row, row, column, right), ""
            row, column = row + 1, left
        if at > row:
            yield (row, at - 1, left, right), ""
            row = at
        if place > column:
            yield (row, row, column, place - 1), ""
        yield (row, row, place, place), new
        column = place + 1
    if left < column <= right:
        yield (row, row, column, right), ""
    row += column > left
    if row <= bottom:
        yield (row, bottom, left, right), ""


def build_reference(cells: _Cells) -> str:
    """Return the reference of these cells, such as A2:B9."""
    top, bottom, left, right = cells
    first, last = f"{to_column_letters(left)}{top}", f"{to_column_letters(right)}{bottom}"
    return first if first == last else f"{first}:{last}"
