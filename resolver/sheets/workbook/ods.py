"""ODS: the first visible sheet with content, row after row, its cells as text: dates as ISO, numbers unformatted."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from doi_reading import Message
from resolver.sheets.doi_pattern import has_doi_pattern
from resolver.sheets.errors import ScanLimitReached, UnreadableFile, build_no_such_sheet_error
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.workbook.hyperlinks import MAX_LINK_CHARACTERS, parse_hyperlink_formula
from resolver.sheets.workbook.numbers_and_dates import format_cell_number, is_number_text, to_day_number
from resolver.sheets.workbook.ods_table import CONTENT, OFFICE, TABLE, TEXT, OdsTable, count_repetitions
from resolver.sheets.workbook.rows import MAX_COLUMNS, FileBounds, SheetRow
from resolver.sheets.workbook.text_buffer import CellTextBuffer
from resolver.sheets.workbook.typed_cell import DAY, ELAPSED, GENERAL, MOMENT, PERCENT, Cell, add_link
from resolver.sheets.workbook.workbook_archive import Archive, ZipMember
from resolver.sheets.workbook.xml_stream import XmlStream, parse_items

VALUE_TYPE, FORMULA = f"{OFFICE} value-type", f"{TABLE} formula"
_VALUE = f"{OFFICE} value"
_HREF = "http://www.w3.org/1999/xlink href"

# Elements inside a paragraph that hold no text of the cell: notes, drawings, the reading aid of East Asian text.
ASIDE = frozenset({"annotation", "frame", "note", "ruby-text"})
WHITE = {"tab": "\t", "line-break": "\n"}
_SPACE = re.compile(r"[ \t\r\n]+")
_TIME = re.compile(r"(-?)PT(\d{1,9})H(\d{2})M(\d{2})(?:[.,]\d+)?S")


def read_ods_rows(
    path: Path,
    bounds: FileBounds,
    info: SheetFindings,
    chosen: int | None = None,
    linked_columns: frozenset[int] | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """Yield every row with text, with its number, of the first sheet with content, or of the `chosen`th visible one.

    `info` is filled, with the sheet's name before the first row. Hyperlinks are read of `linked_columns` alone,
    if these are known. Memory does not grow with the sheet, nor with the repetitions of a row. Raises ScanLimitReached.
    """
    with Archive(path) as archive, archive.open(CONTENT) as part:
        yield from _OdsSheet(part, bounds.max_field, info, chosen, linked_columns).iterate_rows(bounds.patience)
    if chosen is not None and chosen >= len(info.sheets):
        raise build_no_such_sheet_error()


def read_ods_sheet_names(path: Path, bounds: FileBounds) -> list[str]:
    """Return the names of the sheets that are shown, as far as `bounds.patience` bytes contain them."""
    info = SheetFindings()
    with suppress(ScanLimitReached):
        next(read_ods_rows(path, bounds, info, chosen=-1), None)
    return info.sheets


class _OdsSheet(OdsTable):
    """The handlers that make rows of a sheet's elements: paragraphs in cells in rows in the first table with some."""

    def __init__(
        self,
        part: ZipMember,
        max_field: int,
        info: SheetFindings,
        chosen: int | None,
        linked_columns: frozenset[int] | None,
    ) -> None:
        super().__init__(XmlStream(part.read_blocks(), CONTENT), info, chosen)
        self._linked_columns = linked_columns
        self._max_field = max_field
        self._text = CellTextBuffer(max_field)
        self._aside = 0
        self._row = SheetRow(0, max_field)
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
        return self._number

    def _begin_row(self) -> None:
        self._row = SheetRow(self._number, self._max_field)

    def _end_row(self) -> None:
        if self._row.cells:
            self._has_rows = True
            self._finished.append((self._row, self._repeated))

    def _begin_cell(self) -> None:
        self._link = ""
        self._paragraphs = 0
        self._has_value = _VALUE in self._cell

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        if self._aside:
            self._aside += 1
        elif name == "a":
            self._note_link(attributes.get(_HREF, ""))
        elif self._has_value or (self._depth == 2 and name != "p") or name in ASIDE:
            self._aside = 1
            self._xml.handle_text(None)
        elif name == "p":
            if self._paragraphs:
                self._text.add("\n")
            self._paragraphs += 1
            self._xml.handle_text(self._add)
        elif name == "s":
            self._text.add(" ", count_repetitions(attributes.get(f"{TEXT} c")))
        elif name in WHITE:
            self._text.add(WHITE[name])

    def _note_link(self, address: str) -> None:
        """Keep the first address that seems to contain a DOI, else the first of all."""
        if len(address) <= MAX_LINK_CHARACTERS and (
            not self._link or (has_doi_pattern(address) and not has_doi_pattern(self._link))
        ):
            self._link = address

    def _end_inside(self) -> None:
        if self._aside:
            self._aside -= 1
        if self._depth == 1:
            self._xml.handle_text(None)
        elif not self._aside:
            self._xml.handle_text(self._add)

    def _end_cell(self, name: str, repeated: int) -> None:
        self._row.count_cell()
        text = self._text.take()
        if name == "table-cell" and (shown := self._add_link(read_ods_cell(self._cell, text), repeated)):
            for column in range(self._column, self._column + min(repeated, MAX_COLUMNS + 1)):
                self._row.put(column, shown)
        elif FORMULA in self._cell and VALUE_TYPE not in self._cell:
            self._info.add_formula(min(self._column, MAX_COLUMNS), self._row.number)

    def _add_link(self, shown: str, repeated: int) -> str:
        """Return the cell with the address of its formula, or of a part of its text."""
        formula = parse_hyperlink_formula(self._cell.get(FORMULA, ""))
        if formula and not shown and VALUE_TYPE not in self._cell:
            shown = formula.text
        link = formula.address if formula else self._link
        reached = range(self._column, self._column + repeated)
        wanted = self._linked_columns is None or any(column in reached for column in self._linked_columns)
        return add_link(shown, link) if link and shown and wanted else shown

    def _add(self, text: str) -> None:
        if not text.isprintable() or "  " in text:  # line breaks in the XML are spaces; those of the text are elements
            text = _SPACE.sub(" ", text)
        self._text.add(text)


def read_ods_cell(cell: dict[str, str], text: str) -> str:
    """Return what a cell with these attributes and this text in its paragraphs shows."""
    kind = cell.get(VALUE_TYPE, "string")
    if kind == "string":
        return text or cell.get(f"{OFFICE} string-value", "")
    if kind == "boolean":
        shown = cell.get(f"{OFFICE} boolean-value", text).upper()
        return Cell.of(shown, shown == "TRUE") if shown in ("TRUE", "FALSE") else shown
    if kind == "date":
        return _format_date(cell.get(f"{OFFICE} date-value", text))
    if kind == "time" and (found := _TIME.fullmatch(cell.get(f"{OFFICE} time-value", ""))):
        hours, minutes, seconds = map(int, found.groups()[1:])
        days = (hours * 3600 + minutes * 60 + seconds) / 86_400
        shown = f"{found[1]}{hours}:{found[3]}:{found[4]}"
        return Cell.of(shown, repr(days), ELAPSED) if not found[1] else shown
    value = cell.get(_VALUE, text)
    shown = format_cell_number(value, None, False)
    return Cell.of(shown, value, PERCENT if kind == "percentage" else GENERAL) if is_number_text(value) else shown


def _format_date(iso: str) -> str:
    shown, days = iso.removesuffix("T00:00:00").replace("T", " "), to_day_number(iso)
    return Cell.of(shown, days, DAY if " " not in shown else MOMENT) if days else shown
