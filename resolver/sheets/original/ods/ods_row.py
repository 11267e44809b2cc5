"""A row of an OpenDocument sheet as it is written, which may stand for several rows, and the changes in it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from resolver.sheets.original.ods.ods_cell import OdsPrefixes
from resolver.sheets.original.written_tags import TAG, open_tag, set_attribute
from resolver.sheets.workbook.ods_table import COLUMNS_REPEATED, ROWS_REPEATED

_END_TAG = re.compile(r"</[^>]*+>")

Read = Callable[[int, int], str]
"""Returns what is written from one byte to before another."""
Splice = tuple[int, int, str]
"""The bytes from where to where are replaced, and the XML by which."""


@dataclass(frozen=True, slots=True)
class OdsCell:
    """A cell that stands for `repeated` cells from `column` on. `at` is the byte where its end tag begins; where it has
    none, the byte behind its tag."""

    start: int
    at: int
    column: int
    repeated: int
    is_covered: bool
    attributes: dict[str, str]


@dataclass(slots=True)
class OdsRow:
    """A row that stands for `repeated` rows from `number` on, and its cells. `at` is as in OdsCell, `stop` is the byte
    behind the row. `is_in_matrix`: a formula of a row above may stand for its cells too."""

    start: int
    number: int
    repeated: int
    tag: str
    at: int = 0
    stop: int = 0
    cells: list[OdsCell] = field(default_factory=list)
    is_in_matrix: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether the row has no end tag."""
        return not self.cells and self.tag.endswith("/>")

    @property
    def name(self) -> str:
        """The name of the element."""
        found = TAG.match(self.tag)
        return found["name"] if found else ""

    def find(self, column: int) -> OdsCell | None:
        """Return the cell that stands for this column."""
        return next((cell for cell in self.cells if 0 <= column - cell.column < cell.repeated), None)


class OdsRowText:
    """A row and the text of its cells, read once. `encode` returns the bytes of XML."""

    def __init__(self, row: OdsRow, read: Read, encode: Callable[[str], bytes], prefixes: OdsPrefixes) -> None:
        self.row = row
        self._read = read
        self._encode = encode
        self.prefixes = prefixes

    def get_cell(self, column: int) -> tuple[str, OdsCell | None]:
        """Return the XML of the one cell in this column, with the cell if there is one: an empty one if not."""
        cell = self.row.find(column)
        if cell is None:
            return f"<{self._prefix}table-cell/>", None
        return self._repeat(self._read(cell.start, self._find_end(cell)), cell, 1), cell

    def place(self, new: Mapping[int, str]) -> Iterator[Splice]:
        """Yield the splices by which these columns get other cells: repeated cells are split."""
        left = dict(sorted(new.items()))
        for cell in self.row.cells:
            columns = [column for column in left if 0 <= column - cell.column < cell.repeated]
            if columns:
                stop = self._find_end(cell)
                written = self._read(cell.start, stop)
                yield cell.start, stop, "".join(self._split(written, cell, {one: left.pop(one) for one in columns}))
        last = self.row.cells[-1] if self.row.cells else None
        column = last.column + last.repeated if last else 0
        if left:
            pieces = list[str]()
            for place, xml in left.items():
                pieces += self._fill(place - column), xml
                column = place + 1
            yield self.row.at, self.row.at, "".join(pieces)

    def render(self, splices: Iterable[Splice], repeated: int) -> str:
        """Return the row with these splices; it then stands for so many rows."""
        tag = set_attribute(
            self.row.tag,
            ROWS_REPEATED,
            str(repeated) if repeated > 1 else None,
            f"{self.prefixes.table}{ROWS_REPEATED}",
        )
        pieces, at = list[str](), self.row.start + len(self._encode(self.row.tag))
        for start, stop, xml in splices:
            pieces += self._read(at, start), xml
            at = stop
        if self.row.is_closed:
            return f"{open_tag(tag)}{''.join(pieces)}</{self.row.name}>" if pieces else tag
        return "".join([tag, *pieces, self._read(at, self.row.at), f"</{self.row.name}>"])

    @property
    def _prefix(self) -> str:
        return self.row.name[: self.row.name.rfind(":") + 1]

    def _find_end(self, cell: OdsCell) -> int:
        """Return the byte behind a cell."""
        written = self._read(cell.start, cell.at)
        if written.endswith("/>") and TAG.fullmatch(written):
            return cell.at
        following = next((each.start for each in self.row.cells if each.start > cell.start), self.row.at)
        end = _END_TAG.match(self._read(cell.at, following))
        return cell.at + len(self._encode(end[0])) if end else cell.at

    def _split(self, written: str, cell: OdsCell, new: Mapping[int, str]) -> Iterator[str]:
        at = cell.column
        for column, xml in new.items():
            yield self._repeat(written, cell, column - at)
            yield xml
            at = column + 1
        yield self._repeat(written, cell, cell.column + cell.repeated - at)

    def _repeat(self, written: str, cell: OdsCell, times: int) -> str:
        """Return a cell so that it stands for so many."""
        if times == cell.repeated or not times:
            return written if times else ""
        found = TAG.match(written)
        tag = found[0] if found else ""
        return set_attribute(tag, COLUMNS_REPEATED, str(times) if times > 1 else None) + written[len(tag) :]

    def _fill(self, count: int) -> str:
        if count < 1:
            return ""
        repeated = f' {self.prefixes.table}{COLUMNS_REPEATED}="{count}"' if count > 1 else ""
        return f"<{self._prefix}table-cell{repeated}/>"
