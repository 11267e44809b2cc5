"""ODS: the first visible sheet with content, row after row, its cells as text: dates as ISO, numbers unformatted."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doi_reading import Message
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.errors import ScanLimitReached, UnreadableFile, build_no_such_sheet_error
from resolver.sheets.file_findings import MAX_SHEET_NAME, SheetFindings
from resolver.sheets.workbook.hyperlinks import MAX_LINK_CHARACTERS, parse_hyperlink_formula
from resolver.sheets.workbook.numbers_and_dates import format_cell_number, is_number_text, to_day_number
from resolver.sheets.workbook.rows import MAX_COLUMNS, FileBounds, SheetRow, parse_whole_number
from resolver.sheets.workbook.text_buffer import CellTextBuffer
from resolver.sheets.workbook.typed_cell import DAY, ELAPSED, GENERAL, MOMENT, PERCENT, Cell, add_link
from resolver.sheets.workbook.workbook_archive import Archive, ZipMember
from resolver.sheets.workbook.xml_stream import DamagedPart, XmlStream, parse_items

_CONTENT = "content.xml"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0 "
_HREF = "http://www.w3.org/1999/xlink href"
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "

# Elements inside a paragraph that hold no text of the cell: notes, drawings, the reading aid of East Asian text.
_ASIDE = frozenset({"annotation", "frame", "note", "ruby-text"})
_WHITE = {"tab": "\t", "line-break": "\n"}
_SPACE = re.compile(r"[ \t\r\n]+")
_TIME = re.compile(r"(-?)PT(\d{1,9})H(\d{2})M(\d{2})(?:[.,]\d+)?S")
_MAX_HIDDEN_STYLES = 10_000
_MAX_SHEETS = 1_000  # from which one can be chosen


def read_ods_rows(
    path: Path, bounds: FileBounds, info: SheetFindings, chosen: int | None = None, linked_column: int | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield every row with text, with its number, of the first sheet with content, or of the `chosen`th visible one.

    `info` is filled, with the sheet's name before the first row. Hyperlinks are read of `linked_column` alone, if it is
    known. Memory does not grow with the sheet, nor with the repetitions of a row. Raises ScanLimitReached.
    """
    with Archive(path) as archive, archive.open(_CONTENT) as part:
        yield from _OdsSheet(part, bounds.max_field, info, chosen, linked_column).iterate_rows(bounds.patience)
    if chosen is not None and chosen >= len(info.sheets):
        raise build_no_such_sheet_error()


def read_ods_sheet_names(path: Path, bounds: FileBounds) -> list[str]:
    """Return the names of the sheets that are shown, as far as `bounds.patience` bytes contain them."""
    info = SheetFindings()
    with suppress(ScanLimitReached):
        next(read_ods_rows(path, bounds, info, chosen=-1), None)
    return info.sheets


class _OdsSheet:
    """The handlers that make rows of a sheet's elements: paragraphs in cells in rows in the first table with some."""

    def __init__(
        self, part: ZipMember, max_field: int, info: SheetFindings, chosen: int | None, linked_column: int | None
    ) -> None:
        self._info = info
        self._chosen = chosen
        self._linked_column = linked_column
        self._max_field = max_field
        self._xml = XmlStream(part.read_blocks(), _CONTENT)
        self._local = self._xml.local
        self._xml.handle_elements(self._start, self._end)
        self._text = CellTextBuffer(max_field)
        self._style = ""
        self._hidden: set[str] = set()  # the styles of tables that are not shown
        self._tables = 0
        self._depth = 0  # inside a cell; what is deeper than its own paragraphs is a note or a drawing
        self._aside = 0
        self._is_hidden = self._has_sheet = self._has_rows = self._is_over = False
        self._row = SheetRow(0, max_field)
        self._repeated = 1
        self._column = 0
        self._cell: dict[str, str] = {}
        self._link = ""
        self._has_value = False  # a figure: its text, rounded perhaps, is not needed
        self._paragraphs = 0
        self._finished: list[tuple[SheetRow, int]] = []

    def iterate_rows(self, patience: int) -> Iterator[tuple[int, list[str]]]:
        for row, repeated in parse_items(self._xml, self._finished, self._end_block, patience):
            for number in range(row.number, row.number + repeated):
                yield number, list(row.cells)
        if not self._has_sheet:
            raise UnreadableFile(Message("The workbook has no sheet."))

    def _end_block(self) -> int:
        self._text.shorten()
        return self._row.number

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._local[name]
        if self._is_over:
            return
        if self._depth:
            self._depth += 1
            self._start_inside(name, attributes)
        elif name == "table":
            self._begin_table(attributes)
        elif not self._tables:
            self._note_style(name, attributes)
        elif self._is_hidden:
            return
        elif name == "table-row":
            self._row = SheetRow(self._row.number + self._repeated if self._row.number else 1, self._max_field)
            self._repeated = _count(attributes.get(_TABLE + "number-rows-repeated"))
            self._column = 0
        elif name in ("table-cell", "covered-table-cell"):
            self._depth = 1
            self._cell = attributes
            self._link = ""
            self._paragraphs = 0
            self._has_value = _OFFICE + "value" in attributes

    def _note_style(self, name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            self._style = attributes.get(_STYLE + "name", "")
        elif name == "table-properties" and attributes.get(_TABLE + "display") == "false":
            self._hidden.add(self._style)
            if len(self._hidden) > _MAX_HIDDEN_STYLES:
                raise DamagedPart(_CONTENT, Message("it has more than {count} table styles", count=_MAX_HIDDEN_STYLES))

    def _begin_table(self, attributes: dict[str, str]) -> None:
        self._tables += 1
        if self._tables == 1:
            self._has_sheet = True
            self._is_hidden = attributes.get(_TABLE + "style-name", "") in self._hidden
            self._info.formulas = {}
            name = attributes.get(_TABLE + "name", "")[:MAX_SHEET_NAME]
            if not self._is_hidden and len(self._info.sheets) <= _MAX_SHEETS:
                self._info.sheets.append(name)
                self._is_hidden = self._chosen not in (None, len(self._info.sheets) - 1)
            if self._chosen is None or not self._is_hidden:
                self._info.sheet = name
            self._row = SheetRow(0, self._max_field)
            self._repeated = 1

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        if self._aside:
            self._aside += 1
        elif name == "a":
            self._note_link(attributes.get(_HREF, ""))
        elif self._has_value or (self._depth == 2 and name != "p") or name in _ASIDE:
            self._aside = 1
            self._xml.handle_text(None)
        elif name == "p":
            if self._paragraphs:
                self._text.add("\n")
            self._paragraphs += 1
            self._xml.handle_text(self._add)
        elif name == "s":
            self._text.add(" ", _count(attributes.get(_TEXT + "c")))
        elif name in _WHITE:
            self._text.add(_WHITE[name])

    def _note_link(self, address: str) -> None:
        """Keep the first address that seems to contain a DOI, else the first of all."""
        if len(address) <= MAX_LINK_CHARACTERS and (
            not self._link or (has_doi_pattern(address) and not has_doi_pattern(self._link))
        ):
            self._link = address

    def _end(self, name: str) -> None:
        if self._is_over:
            return
        name = self._local[name]
        if self._depth > 1:
            self._end_inside()
        elif self._depth:
            self._depth = 0
            self._end_cell(name)
        elif name == "table":
            self._tables -= 1
            self._is_over = not self._tables and self._has_rows
        elif name == "table-row" and self._tables and not self._is_hidden:
            SheetRow(self._row.number + self._repeated - 1, self._max_field)  # refused where the sheet has no end
            if self._row.cells:
                self._has_rows = True
                self._finished.append((self._row, self._repeated))

    def _end_inside(self) -> None:
        self._depth -= 1
        if self._aside:
            self._aside -= 1
        if self._depth == 1:
            self._xml.handle_text(None)
        elif not self._aside:
            self._xml.handle_text(self._add)

    def _end_cell(self, name: str) -> None:
        self._row.count_cell()
        repeated = _count(self._cell.get(_TABLE + "number-columns-repeated"))
        text = self._text.take()
        if name == "table-cell" and (shown := self._add_link(_read_cell(self._cell, text), repeated)):
            for column in range(self._column, self._column + min(repeated, MAX_COLUMNS + 1)):
                self._row.put(column, shown)
        elif _TABLE + "formula" in self._cell and _OFFICE + "value-type" not in self._cell:
            self._info.add_formula(min(self._column, MAX_COLUMNS), self._row.number)
        self._column += repeated

    def _add_link(self, shown: str, repeated: int) -> str:
        """Return the cell with the address of its formula, or of a part of its text."""
        formula = parse_hyperlink_formula(self._cell.get(_TABLE + "formula", ""))
        if formula and not shown and _OFFICE + "value-type" not in self._cell:
            shown = formula.text
        link = formula.address if formula else self._link
        wanted = self._linked_column is None or 0 <= self._linked_column - self._column < repeated
        return add_link(shown, link) if link and shown and wanted else shown

    def _add(self, text: str) -> None:
        if not text.isprintable() or "  " in text:  # line breaks in the XML are spaces; those of the text are elements
            text = _SPACE.sub(" ", text)
        self._text.add(text)


def _read_cell(cell: dict[str, str], text: str) -> str:
    kind = cell.get(_OFFICE + "value-type", "string")
    if kind == "string":
        return text or cell.get(_OFFICE + "string-value", "")
    if kind == "boolean":
        shown = cell.get(_OFFICE + "boolean-value", text).upper()
        return Cell.of(shown, shown == "TRUE") if shown in ("TRUE", "FALSE") else shown
    if kind == "date":
        return _format_date(cell.get(_OFFICE + "date-value", text))
    if kind == "time" and (found := _TIME.fullmatch(cell.get(_OFFICE + "time-value", ""))):
        hours, minutes, seconds = map(int, found.groups()[1:])
        days = (hours * 3600 + minutes * 60 + seconds) / 86_400
        shown = f"{found[1]}{hours}:{found[3]}:{found[4]}"
        return Cell.of(shown, repr(days), ELAPSED) if not found[1] else shown
    value = cell.get(_OFFICE + "value", text)
    shown = format_cell_number(value, None, False)
    return Cell.of(shown, value, PERCENT if kind == "percentage" else GENERAL) if is_number_text(value) else shown


def _format_date(iso: str) -> str:
    shown, days = iso.removesuffix("T00:00:00").replace("T", " "), to_day_number(iso)
    return Cell.of(shown, days, DAY if " " not in shown else MOMENT) if days else shown


def _count(text: str | None) -> int:
    """Return the number of repetitions, 1 if the text isn't a number."""
    return max(1, parse_whole_number(text)) if text else 1
