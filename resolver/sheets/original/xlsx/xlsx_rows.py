"""The rows of an XLSX sheet while they are read, and where in the part they change."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.input.layout import Layout
from resolver.sheets.left_out import Leave, LeftOut, NotWritable
from resolver.sheets.original.cell_edits import RowEdit
from resolver.sheets.original.linked_cell import HAS_FORMULA, build_linked_cell
from resolver.sheets.original.written_tags import get_attribute, set_attribute
from resolver.sheets.original.xlsx.rich_text import RichStrings
from resolver.sheets.original.xlsx.xlsx_cell import (
    FOR_A_RANGE,
    WrittenCell,
    WrittenElement,
    build_cell,
    write_formula,
    write_text,
)
from resolver.sheets.original.xlsx.xlsx_links import LinkEdits, build_reference
from resolver.sheets.original.xml_splice import Splices, WrittenXml
from resolver.sheets.workbook.hyperlinks import parse_reference
from resolver.sheets.workbook.numbers_and_dates import NumberFormat
from resolver.sheets.workbook.rows import MAX_CELLS, MAX_FIELD, parse_whole_number
from resolver.sheets.workbook.shared_strings import TextOnDisk
from resolver.sheets.workbook.xlsx import XlsxSheet


class XlsxEdits(NamedTuple):
    """What is to change in a sheet, who hears of what can't be written, and the index of the first appended column."""

    rows: Iterator[RowEdit]
    leave: Leave
    links: LinkEdits
    appended: int


class XlsxRows(XlsxSheet):
    """The handlers that put the edits into a sheet. `splices` has what changes when the part is read to its end."""

    def __init__(
        self,
        xml: WrittenXml,
        strings: RichStrings | None,
        formats: dict[str, NumberFormat],
        from_1904: bool,
        layout: Layout,
        edits: XlsxEdits,
        splices: Splices,
    ) -> None:
        super().__init__(xml, strings, formats, MAX_FIELD, from_1904, SheetFindings())
        self._written = xml
        self._rich = strings
        self._layout = layout
        self._edits, self._leave, self._links, self._appended = edits
        self._splices = splices
        self._wanted = layout.read_columns | {self._appended, self._appended + 1}
        self._edit = next(self._edits, None)
        self._is_edited = False  # the row at hand
        self._is_outside = True  # of the rows
        self._element: WrittenElement | None = None  # the row's
        self._prefix = ""
        self._target: WrittenCell | None = None
        self._formula_ends: dict[int, int] = {}  # the last row of formulas for several cells, by column
        self._cells: dict[int, WrittenCell] = {}
        self._places: list[tuple[int, int]] = []  # column and first byte of each cell of the row
        self._new: list[tuple[int, str]] = []
        self._dimension: tuple[WrittenElement, str] | None = None
        self._reached = (1 << 30, 0, 1 << 30, 0)  # first and last row, first and last column of new cells

    def read(self) -> None:
        """Read the part to its end."""
        while self.xml.read():
            self._end_block()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        super()._start(name, attributes)
        if "ref" in attributes and attributes.get("t") in FOR_A_RANGE and self._local[name] == "f":
            self._note_range(attributes["ref"])
        if self._is_edited:
            self._note_start(self._local[name], name, attributes)
        elif self._is_outside:
            self._note_outside(self._local[name], attributes)

    def _note_outside(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheetData":
            self._is_outside = False
            self._prefix = WrittenElement(self._written).prefix
        elif name == "hyperlink":
            self._links.rewrite_element(WrittenElement(self._written), attributes, self._splices)
        elif name == "dimension":
            self._dimension = WrittenElement(self._written), attributes.get("ref", "")

    def _note_range(self, ref: str) -> None:
        """Note the cells that a formula fills. It stands in the first of them; the others have values alone."""
        _, bottom, left, right = parse_reference(ref, MAX_CELLS) or (0, 0, 0, -1)
        for column in self._wanted:
            if left <= column <= right:
                self._formula_ends[column] = max(bottom, self._formula_ends.get(column, 0))

    def _begin_row(self, given: str | None) -> None:
        super()._begin_row(given)
        while self._edit is not None and self._edit.row < self._row.number:
            self._insert_row(self._edit)
        self._is_edited = self._edit is not None and self._edit.row == self._row.number
        if self._is_edited:
            self._element = WrittenElement(self._written)
            self._cells, self._places, self._new = {}, [], []

    def _note_start(self, local: str, name: str, attributes: dict[str, str]) -> None:
        if local == "c":
            place = attributes.get("r")
            column = self._find_column(place) if place else self._column + 1
            self._places.append((column, self._written.at))
            if column in self._wanted:
                self._target = WrittenCell(column, WrittenElement(self._written), attributes)
        elif self._target is None:
            return
        elif local == "f":
            self._target.formula = WrittenElement(self._written)
            self._target.formula_kind = attributes.get("t", "")
        elif local == "v":
            self._target.value = WrittenElement(self._written)
        elif not self._aside:
            self._target.collector.start(name, attributes)

    def _end(self, name: str) -> None:
        if self._target is not None:
            self._note_end(self._target, self._local[name], name)
        super()._end(name)
        if self._target is not None and self._local[name] == "c":
            self._end_target(self._target)
            self._target = None
        elif not self._is_edited and self._local[name] == "sheetData":
            self._is_outside = True
            while self._edit is not None:
                self._insert_row(self._edit)
        elif self._is_outside and self._local[name] == "worksheet":
            self._widen_dimension()

    def _note_end(self, target: WrittenCell, local: str, name: str) -> None:
        if local == "f" and target.formula:
            target.formula.end(self._written.at)
            target.formula_text = "".join(self._text.pieces)
        elif local == "v" and target.value:
            target.value.end(self._written.at)
        elif local == "c":
            target.element.end(self._written.at)
            target.shared_text = self._value
        elif not self._aside:
            target.collector.end(name, "".join(self._text.pieces))

    def _end_target(self, target: WrittenCell) -> None:
        cells = self._row.cells
        shown: Any = cells[target.column] if target.column < len(cells) else ""
        target.shown = str(self._rich.read(shown) if isinstance(shown, TextOnDisk) and self._rich else shown)
        if target.shown or target.column not in self._cells:
            self._cells[target.column] = target

    def _end_row(self) -> None:
        if self._edit is None or self._element is None or not self._is_edited:
            return
        self._element.end(self._written.at)
        self._put_names(self._edit)
        self._put_appended(self._edit)
        self._insert_cells(self._element)
        self._is_edited = False
        self._edit = next(self._edits, None)

    def _put_names(self, edit: RowEdit) -> None:
        column, instead = self._layout.column, self._layout.instead
        target = self._cells.get(column)
        if instead is not None and not (target and target.shown.strip()) and (found := self._cells.get(instead)):
            target, column = (found, instead) if found.shown.strip() else (target, column)
        if not edit.names:
            return
        try:
            if edit.row <= self._formula_ends.get(column, 0):
                raise NotWritable(HAS_FORMULA)
            if target is None:
                text, _ = build_linked_cell("", [], edit.names, is_split=self._layout.split)
                self._new.append((column, build_cell(self._prefix, edit.row, column, text)))
            else:
                self._change(edit, target)
        except NotWritable as error:
            for part, name in edit.names:
                text = target.shown if target else part
                self._leave(LeftOut(edit.row, "", self._layout.header[column], text, name, error.reason))

    def _change(self, edit: RowEdit, target: WrittenCell) -> None:
        formula = target.hyperlink
        address = self._links.find_address(edit.row, target.column) if target.shown else ""
        links = [*([formula.address] if formula else []), *([address] if address else [])]
        text, new = build_linked_cell(target.shown, links, edit.names, is_split=self._layout.split)
        if target.formula and (text != target.shown or (formula and new[0] != formula.address)):
            write_formula(target, new[0] if formula else "", text, self._splices)
        elif text != target.shown:
            self._write_text(target, text)
        if address and new[-1] != address:
            self._links.change(edit.row, target.column, address, new[-1])

    def _write_text(self, target: WrittenCell, text: str) -> None:
        runs = target.collector.runs
        if self._rich and target.attributes.get("t") == "s" and not runs:
            runs = self._rich.get_runs(parse_whole_number(target.shared_text.strip()))
        write_text(target, text, runs, self._splices)

    def _put_appended(self, edit: RowEdit) -> None:
        for column, text in enumerate(edit.appended or (), self._appended):
            target = self._cells.get(column)
            if not text:
                continue
            if target is None:
                self._new.append((column, build_cell(self._prefix, edit.row, column, text)))
            else:
                self._write_text(target, text)

    def _insert_cells(self, row: WrittenElement) -> None:
        if not self._new:
            return
        self._new.sort()
        tag = _widen_spans(row.tag, self._new[0][0] + 1, self._new[-1][0] + 1)
        if not row.is_open:
            row.replace(self._splices, tag, "".join(xml for _, xml in self._new))
        else:
            if tag != row.tag:
                self._splices.add(row.start, row.content, tag)
            for column, xml in self._new:
                at = next((start for other, start in self._places if other > column), row.stop)
                self._splices.add(at, at, xml)
        self._reach(self._row.number, *(column for column, _ in self._new))

    def _insert_row(self, edit: RowEdit) -> None:
        """Insert a row that the file doesn't have, at the tag at hand, and take the next edit."""
        self._cells, self._new = {}, []
        self._put_names(edit)
        self._put_appended(edit)
        if self._new:
            cells = "".join(xml for _, xml in sorted(self._new))
            row = f'<{self._prefix}row r="{edit.row}">{cells}</{self._prefix}row>'
            self._splices.add(self._written.at, self._written.at, row)
            self._reach(edit.row, *(column for column, _ in self._new))
        self._edit = next(self._edits, None)

    def _reach(self, row: int, *columns: int) -> None:
        top, bottom, left, right = self._reached
        self._reached = min(top, row), max(bottom, row), min(left, *columns), max(right, *columns)

    def _widen_dimension(self) -> None:
        if self._dimension is None or not (cells := parse_reference(self._dimension[1], MAX_CELLS)):
            return
        element, _ = self._dimension
        firsts, lasts = (
            zip(cells[::2], self._reached[::2], strict=True),
            zip(cells[1::2], self._reached[1::2], strict=True),
        )
        (top, left), (bottom, right) = map(min, firsts), map(max, lasts)
        if (top, bottom, left, right) != cells:
            tag = set_attribute(element.tag, "ref", build_reference((top, bottom, left, right)))
            self._splices.add(element.start, element.content, tag)


def _widen_spans(tag: str, first: int, last: int) -> str:
    """Return the tag of a row whose `spans` include the columns from first to last, counted from 1."""
    spans = get_attribute(tag, "spans")
    if spans is None:
        return tag
    numbers = [parse_whole_number(number) for number in spans.replace(":", " ").split()]
    if not numbers or min(numbers) < 1:
        return set_attribute(tag, "spans", None)
    if min(numbers) <= first and last <= max(numbers):
        return tag
    return set_attribute(tag, "spans", f"{min(*numbers, first)}:{max(*numbers, last)}")
