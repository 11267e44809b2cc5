"""XLSX: the first visible sheet with content, row after row, its cells as text: dates as ISO, numbers unformatted."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile, build_no_such_sheet_error
from resolver.sheets.file_findings import SheetFindings
from resolver.sheets.workbook.hyperlinks import HyperlinkFormula, SheetLinks, parse_hyperlink_formula
from resolver.sheets.workbook.numbers_and_dates import (
    AS_IT_IS,
    NumberFormat,
    convert_1904_to_1900,
    format_cell_number,
    is_number_text,
    to_day_number,
)
from resolver.sheets.workbook.rows import MAX_COLUMNS, FileBounds, SheetRow, parse_whole_number, to_column_letters
from resolver.sheets.workbook.shared_strings import SharedStrings, TextOnDisk
from resolver.sheets.workbook.temporary_database import open_temporary_database
from resolver.sheets.workbook.text_buffer import CellTextBuffer, unescape_ooxml
from resolver.sheets.workbook.typed_cell import DATE_AND_TIME, Cell, add_link
from resolver.sheets.workbook.workbook_archive import Archive
from resolver.sheets.workbook.xlsx_parts import find_xlsx_parts, read_number_formats
from resolver.sheets.workbook.xml_stream import XmlStream, parse_items

_YES_OR_NO = {"1": Cell.of("TRUE", value=True), "0": Cell.of("FALSE", value=False)}
_COLUMNS = {to_column_letters(column): column for column in range(MAX_COLUMNS)}
_COLUMNS |= {letters.lower(): column for letters, column in _COLUMNS.items()}


def read_xlsx_rows(
    path: Path,
    bounds: FileBounds,
    info: SheetFindings,
    chosen: int | None = None,
    linked_columns: frozenset[int] | None = None,
) -> Iterator[tuple[int, list[str]]]:
    """Yield every row with text, with its number, of the first sheet with content, or of the `chosen`th.

    `info` is filled, with the sheet's name before the first row. Hyperlinks are read of `linked_columns` alone,
    if these are known. Memory does not grow with the sheet. Raises ScanLimitReached.
    """
    with ExitStack() as open_now:
        archive = open_now.enter_context(Archive(path))
        book = find_xlsx_parts(archive)
        strings = None
        if book.strings:
            part = open_now.enter_context(archive.open(book.strings))
            database = open_now.enter_context(open_temporary_database())
            strings = SharedStrings(database, part.read_blocks(), book.strings, bounds.max_field, bounds.shared)
        formats = read_number_formats(archive, book)
        patience = bounds.patience
        looked_at: set[str] = set()  # many sheets may be one and the same part
        if chosen is not None and chosen >= len(book.sheets):
            raise build_no_such_sheet_error()
        for name, place in book.sheets if chosen is None else [book.sheets[chosen]]:
            if place in looked_at:
                continue
            looked_at.add(place)
            before, info.formulas = info.formulas, {}
            with open_temporary_database() as database, archive.open(place) as part:
                links = SheetLinks(database, archive, place, bounds.linked)
                empty = True
                xml = XmlStream(part.read_blocks(), place)
                sheet = XlsxSheet(xml, strings, formats, bounds.max_field, book.from_1904, info)
                for row in sheet.iterate_rows(patience):
                    if empty:
                        info.sheet = name
                    empty = False
                    links.put(*row, linked_columns)
                    yield row
            if not empty:
                return
            patience = max(patience - sheet.xml.fed, 0)
            info.formulas = info.formulas or before


class XlsxSheet:
    """The handlers that make rows of a sheet's elements. All text is collected, and what isn't a cell's is dropped."""

    def __init__(
        self,
        xml: XmlStream,
        strings: SharedStrings | None,
        formats: dict[str, NumberFormat],
        max_field: int,
        from_1904: bool,
        info: SheetFindings,
    ) -> None:
        self._strings = strings
        self._formats = formats
        self._max_field = max_field
        self._from_1904 = from_1904
        self._info = info
        self._text = CellTextBuffer(max_field)
        self._value = ""
        self._has_formula = False
        self._link: HyperlinkFormula | None = None
        self._cell: dict[str, str] = {}
        self._column = -1
        self._row = SheetRow(0, max_field)
        self._aside = 0  # inside the reading aid of East Asian text
        self._finished: list[SheetRow] = []
        self.xml = xml
        self._local = self.xml.local
        self.xml.handle_elements(self._start, self._end)
        self.xml.handle_text(self._text.pieces.append)

    def iterate_rows(self, patience: int) -> Iterator[tuple[int, list[str]]]:
        for row in parse_items(self.xml, self._finished, self._end_block, patience):
            # Row by row, and not kept with the row: all rows of a block together may refer to gigabytes.
            read = self._strings.read if self._strings else str
            yield row.number, [read(cell) if type(cell) is TextOnDisk else cell for cell in row.cells]

    def _end_block(self) -> int:
        self._text.shorten()
        return self._row.number

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._local[name]
        if name == "c":
            self._cell = attributes
            self._has_formula = False
            self._link = None
        elif name in ("v", "t"):
            self._text.pieces.clear()
        elif name == "row":
            self._begin_row(attributes.get("r"))
        elif name == "f":
            self._has_formula = True
            self._text.pieces.clear()
        elif name == "rPh":
            self._aside += 1

    def _end(self, name: str) -> None:
        name = self._local[name]
        if name == "v":
            self._value = "".join(self._text.pieces)
        elif name == "c":
            self._end_cell()
        elif name == "row":
            self._end_row()
        elif name == "t":
            if not self._aside:
                self._text.keep()
        elif name == "f":
            self._link = parse_hyperlink_formula("".join(self._text.pieces))
        elif name == "rPh":
            self._aside -= 1

    def _begin_row(self, given: str | None) -> None:
        number = self._row.number + 1
        if given:
            if parse_whole_number(given) < number:
                reason = Message(
                    "The row after row {number} has an invalid number, “{text}”. Save the workbook again as "
                    "XLSX or as CSV.",
                    number=self._row.number,
                    text=given[:20],
                )
                raise UnreadableFile(reason, number)
            number = parse_whole_number(given)
        self._row = SheetRow(number, self._max_field)
        self._column = -1

    def _end_row(self) -> None:
        if self._row.cells:
            self._finished.append(self._row)

    def _find_column(self, place: str) -> int:
        """Return the index of the column in a cell's name; MAX_COLUMNS for one beyond any sheet."""
        letters = place.rstrip("0123456789")
        column = _COLUMNS.get(letters)
        if column is None:
            letters = letters.replace("$", "").upper()
            if not (letters.isascii() and letters.isalpha()):
                reason = Message(
                    "“{text}” isn't a valid cell name. Save the workbook again as XLSX or as CSV.", text=place[:20]
                )
                raise UnreadableFile(reason, self._row.number)
            column = _COLUMNS.get(letters, MAX_COLUMNS)
        return column

    def _end_cell(self) -> None:
        self._row.count_cell()
        place = self._cell.get("r")
        self._column = self._find_column(place) if place else self._column + 1
        if inline := self._text.take():  # some programs leave out that it is one
            self._row.put(self._column, unescape_ooxml(inline))
        elif self._value:
            shown = self._read_value(self._value)
            if self._link and not isinstance(shown, TextOnDisk):
                shown = add_link(shown, self._link.address)
            self._row.put(self._column, shown)
        elif self._link and self._link.text:
            self._row.put(self._column, add_link(self._link.text, self._link.address))
        elif self._has_formula and self._cell.get("t") != "str":  # of that kind the result is known to be no text
            self._info.add_formula(min(self._column, MAX_COLUMNS), self._row.number)
        self._value = ""

    def _read_value(self, value: str) -> str | TextOnDisk:
        kind = self._cell.get("t", "n")
        if kind == "n":
            return self._read_number(value)
        if kind == "s":
            return self._read_shared(value)
        if kind == "b":
            return _YES_OR_NO.get(value, value)
        if kind == "d":
            text, days = value.removesuffix("T00:00:00").replace("T", " "), to_day_number(value)
            return Cell.of(text, days, self._format().code or DATE_AND_TIME) if days else text
        return unescape_ooxml(value)  # the result of a formula, or an error such as #N/A

    def _format(self) -> NumberFormat:
        return self._formats.get(self._cell.get("s", ""), AS_IT_IS)

    def _read_number(self, value: str) -> str:
        moment, code = self._format()
        text = format_cell_number(value, moment, self._from_1904)
        if not is_number_text(value):
            return text
        return Cell.of(text, convert_1904_to_1900(value) if self._from_1904 and moment == "date" else value, code)

    def _read_shared(self, value: str) -> str | TextOnDisk:
        text = self._strings.get_text(parse_whole_number(value.strip())) if self._strings else None
        if text is None:
            reason = Message(
                "Cell {cell} refers to text number “{text}”, but the workbook has no such text. Save it "
                "again as XLSX or as CSV.",
                cell=f"{to_column_letters(self._column)}{self._row.number}",
                text=value[:20],
            )
            raise UnreadableFile(reason, self._row.number)
        return text
