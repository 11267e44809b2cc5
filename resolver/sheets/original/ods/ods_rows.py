"""The rows of an OpenDocument sheet in which something changes, as they are written."""

from collections.abc import Callable, Collection, Iterator

from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.original.ods.ods_cell import OdsPrefixes
from resolver.sheets.original.ods.ods_row import OdsCell, OdsRow
from resolver.sheets.original.room_for_columns import ensure_room
from resolver.sheets.original.xml_splice import WrittenXml
from resolver.sheets.workbook.ods import FORMULA, VALUE_TYPE
from resolver.sheets.workbook.ods_table import CONTENT, OFFICE, TABLE, TEXT, OdsTable, count_repetitions
from resolver.sheets.workbook.rows import MAX_CELLS, build_row_too_wide_error
from resolver.sheets.workbook.workbook_archive import ZipMember
from resolver.sheets.workbook.xml_stream import XmlStream

_MATRIX_COLUMNS, _MATRIX_ROWS = f"{TABLE} number-matrix-columns-spanned", f"{TABLE} number-matrix-rows-spanned"


class OdsXml(WrittenXml):
    """The part with the sheets, which tells the prefixes of its first element."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._root = -1  # the byte where the first element with namespaces begins
        self._uris: dict[str | None, str] = {}
        super().__init__(blocks, CONTENT)

    @property
    def prefixes(self) -> OdsPrefixes | None:
        """The prefixes, as far as each of them stands for one namespace; None if one is missing."""
        found = {uri: f"{prefix}:" for prefix, uri in self._uris.items() if prefix}
        wanted = [found.get(uri) for uri in (OFFICE, TABLE, TEXT)]
        return OdsPrefixes(*filter(None, wanted)) if all(wanted) else None

    def _count_prefix(self, prefix: str | None, uri: str) -> None:
        super()._count_prefix(prefix, uri)
        if self._root < 0:
            self._root = self.at
        if self._root == self.at:
            self._uris[prefix] = uri
        elif self._uris.get(prefix, uri) != uri:
            del self._uris[prefix]


class OdsRows(OdsTable):
    """Handlers that give each wanted row of the `chosen`th visible table to `change`, when it ends. `is_wanted` tells
    for the numbers of the first and the last row that a row stands for. `columns` are those with DOIs."""

    def __init__(
        self,
        xml: WrittenXml,
        chosen: int,
        columns: Collection[int],
        is_wanted: Callable[[int, int], bool],
        change: Callable[[OdsRow], None],
    ) -> None:
        super().__init__(xml, SheetFindings(), chosen)
        self._written = xml
        self._columns = columns
        self._is_wanted = is_wanted
        self._change = change
        self._row: OdsRow | None = None
        self._cell_start = 0
        self._matrix_end = 0  # the last row of a formula for several cells

    def _begin_row(self) -> None:
        if self._is_wanted(self._number, self._number + self._repeated - 1):
            self._row = OdsRow(self._written.at, self._number, self._repeated, self._written.read_tag())
            self._written.hold()

    def _begin_cell(self) -> None:
        if self._row is not None:
            self._cell_start = self._written.at
        if _MATRIX_ROWS in self._cell:
            stop = self._column + count_repetitions(self._cell.get(_MATRIX_COLUMNS))
            if any(self._column <= column < stop for column in self._columns):
                last = self._number + count_repetitions(self._cell[_MATRIX_ROWS]) - 1
                self._matrix_end = max(self._matrix_end, last)

    def _end_cell(self, name: str, repeated: int) -> None:
        if self._row is not None:
            is_covered = name != "table-cell"
            cell = OdsCell(self._cell_start, self._written.at, self._column, repeated, is_covered, self._cell)
            self._row.cells.append(cell)
            if len(self._row.cells) > MAX_CELLS:
                raise build_row_too_wide_error(MAX_CELLS, self._number)

    def _end_row(self) -> None:
        self._has_rows = True
        if row := self._row:
            row.at = row.stop = self._written.at
            if not row.is_closed:
                row.stop += len(self._written.encode(self._written.read_tag()))
            row.is_in_matrix = row.number <= self._matrix_end
            self._change(row)
            self._row = None
            self._written.release()


class OdsWidth(OdsTable):
    """Handlers that measure how many columns of the `chosen`th visible table are used."""

    def __init__(self, part: ZipMember, chosen: int) -> None:
        super().__init__(XmlStream(part.read_blocks(), CONTENT), SheetFindings(), chosen)
        self._is_used = False
        self._width = 0

    def measure(self) -> int:
        """Return the number of columns up to the last one with a text, a value, a formula, a note or a merged cell.
        Raises UnreadableFile if with two columns more it would be too wide."""
        while not self._is_over and self._xml.read():
            pass
        return self._width

    def _begin_cell(self) -> None:
        self._is_used = VALUE_TYPE in self._cell or FORMULA in self._cell

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        self._is_used = True

    def _end_cell(self, name: str, repeated: int) -> None:
        if self._is_used or name != "table-cell":
            self._width = max(self._width, self._column + repeated)
            ensure_room(self._width, self._number)

    def _end_row(self) -> None:
        self._has_rows = True
