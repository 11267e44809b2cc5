"""The walk through the elements of an OpenDocument sheet: which table is read, its rows and cells."""

from doi_reading import Message
from resolver.sheets.file_findings import MAX_SHEET_NAME, SheetFindings
from resolver.sheets.workbook.rows import ensure_in_sheet, parse_whole_number
from resolver.sheets.workbook.xml_stream import DamagedPart, XmlStream

CONTENT = "content.xml"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
ROWS_REPEATED, COLUMNS_REPEATED = "number-rows-repeated", "number-columns-repeated"

_STYLE = "urn:oasis:names:tc:opendocument:xmlns:style:1.0"
_STYLE_NAME = f"{_STYLE} name"
_SHOWN, _TABLE_STYLE, _TABLE_NAME = f"{TABLE} display", f"{TABLE} style-name", f"{TABLE} name"
_ROWS, _COLUMNS = f"{TABLE} {ROWS_REPEATED}", f"{TABLE} {COLUMNS_REPEATED}"
_CELLS = ("table-cell", "covered-table-cell")
_MAX_HIDDEN_STYLES = 10_000
MAX_SHEETS = 1_000  # from which one can be chosen


class OdsTable:
    """Handlers of the elements of content.xml. Subclasses get the rows and cells of the visible tables, or of the
    `chosen`th of them, up to the end of the first for which they set `_has_rows`. `info` gets the tables' names."""

    def __init__(self, xml: XmlStream, info: SheetFindings, chosen: int | None) -> None:
        self._xml = xml
        self._local = xml.local
        self._info = info
        self._chosen = chosen
        self._style = ""
        self._hidden: set[str] = set()  # the styles of tables that are not shown
        self._visible = 0
        self._tables = 0
        self._depth = 0  # inside a cell; what is deeper than its own paragraphs is a note or a drawing
        self._is_hidden = self._has_sheet = self._has_rows = self._is_over = False
        self._number = 0
        self._repeated = 1
        self._column = 0
        self._cell: dict[str, str] = {}
        xml.handle_elements(self._start, self._end)

    def _begin_row(self) -> None:
        """Begin the row `_number`, which stands for `_repeated` rows."""

    def _end_row(self) -> None: ...

    def _begin_cell(self) -> None:
        """Begin the cell with the attributes `_cell` in the `_column`."""

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element in a cell."""

    def _end_inside(self) -> None: ...

    def _end_cell(self, name: str, repeated: int) -> None:
        """End a cell that stands for `repeated` cells."""

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
            self._number = self._number + self._repeated if self._number else 1
            self._repeated = count_repetitions(attributes.get(_ROWS))
            ensure_in_sheet(self._number + self._repeated - 1)
            self._column = 0
            self._begin_row()
        elif name in _CELLS:
            self._depth = 1
            self._cell = attributes
            self._begin_cell()

    def _note_style(self, name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            self._style = attributes.get(_STYLE_NAME, "")
        elif name == "table-properties" and attributes.get(_SHOWN) == "false":
            self._hidden.add(self._style)
            if len(self._hidden) > _MAX_HIDDEN_STYLES:
                raise DamagedPart(CONTENT, Message("it has more than {count} table styles", count=_MAX_HIDDEN_STYLES))

    def _begin_table(self, attributes: dict[str, str]) -> None:
        self._tables += 1
        if self._tables == 1:
            self._has_sheet = True
            self._is_hidden = attributes.get(_TABLE_STYLE, "") in self._hidden
            self._info.formulas = {}
            name = attributes.get(_TABLE_NAME, "")[:MAX_SHEET_NAME]
            if not self._is_hidden:
                if self._visible <= MAX_SHEETS:
                    self._info.sheets.append(name)
                self._is_hidden = self._chosen not in (None, self._visible)
                self._visible += 1
            if self._chosen is None or not self._is_hidden:
                self._info.sheet = name
            self._number = 0
            self._repeated = 1

    def _end(self, name: str) -> None:
        if self._is_over:
            return
        name = self._local[name]
        if self._depth > 1:
            self._depth -= 1
            self._end_inside()
        elif self._depth:
            self._depth = 0
            repeated = count_repetitions(self._cell.get(_COLUMNS))
            self._end_cell(name, repeated)
            self._column += repeated
        elif name == "table":
            self._tables -= 1
            self._is_over = not self._tables and self._has_rows
        elif name == "table-row" and self._tables and not self._is_hidden:
            self._end_row()


def count_repetitions(text: str | None) -> int:
    """Return the number of repetitions, 1 if the text isn't a number."""
    return max(1, parse_whole_number(text)) if text else 1
