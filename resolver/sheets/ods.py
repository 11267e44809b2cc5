"""ODS: the first sheet, row after row, its cells as the text that a person sees."""

import re
from collections.abc import Iterator
from pathlib import Path

from resolver.sheets.archive import Archive, Part
from resolver.sheets.grid import MAX_COLUMNS, Row, whole
from resolver.sheets.unreadable import UnreadableFile
from resolver.sheets.xlsx_dates import number_text
from resolver.sheets.xmlstream import XmlStream

_CONTENT = "content.xml"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0 "
_TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0 "
_TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0 "

# Elements inside a paragraph whose text is not the cell's: notes, drawings, the reading aid of East Asian text.
_ASIDE = frozenset({"annotation", "frame", "note", "ruby-text"})
_WHITE = {"tab": "\t", "line-break": "\n"}
_SPACE = re.compile(r"[ \t\r\n]+")
_TIME = re.compile(r"(-?)PT(\d{1,9})H(\d{2})M(\d{2})(?:[.,]\d+)?S")
_MOST_SPACES = 100_000


def ods_rows(path: Path, max_field: int) -> Iterator[tuple[int, list[str]]]:
    """Every row with its number. Memory does not grow with the sheet, nor with how often a row is repeated."""
    with Archive(path) as archive, archive.open(_CONTENT) as part:
        yield from _Sheet(part, max_field).rows()


class _Sheet:
    """The sheet's elements on their way to rows: paragraphs in cells in rows in the first table."""

    def __init__(self, part: Part, max_field: int) -> None:
        self._xml = XmlStream(part, _CONTENT)
        self._local = self._xml.local
        self._xml.tell(self._start, self._end)
        self._text = _CellText(max_field)
        self._tables = 0
        self._depth = 0  # inside a cell; what is told of deeper than its own paragraphs is a note or a drawing
        self._aside = 0
        self._has_sheet = self._is_over = False
        self._row = Row(0)
        self._repeated = 1
        self._column = 0
        self._cell: dict[str, str] = {}
        self._has_value = False  # a figure: its text, rounded perhaps, is not needed
        self._paragraphs = 0
        self._finished: list[tuple[Row, int]] = []

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows from the first one."""
        while not self._is_over and self._xml.read():
            for row, repeated in self._finished:
                for number in range(row.number, row.number + repeated):
                    yield number, list(row.cells)
            self._finished.clear()
        if not self._has_sheet:
            raise UnreadableFile("The workbook has no sheet.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._local[name]
        if self._is_over:
            return
        if self._depth:
            self._depth += 1
            self._start_inside(name, attributes)
        elif name == "table":
            self._tables += 1
            self._has_sheet = True
        elif not self._tables:
            return
        elif name == "table-row":
            self._row = Row(self._row.number + self._repeated if self._row.number else 1)
            self._repeated = _count(attributes.get(_TABLE + "number-rows-repeated"))
            self._column = 0
        elif name in ("table-cell", "covered-table-cell"):
            self._depth = 1
            self._cell = attributes
            self._paragraphs = 0
            self._has_value = _OFFICE + "value" in attributes

    def _start_inside(self, name: str, attributes: dict[str, str]) -> None:
        if self._aside:
            self._aside += 1
        elif self._has_value or (self._depth == 2 and name != "p") or name in _ASIDE:
            self._aside = 1
            self._xml.tell_text(None)
        elif name == "p":
            if self._paragraphs:
                self._text.add("\n")
            self._paragraphs += 1
            self._xml.tell_text(self._add)
        elif name == "s":
            self._text.add(" " * min(_count(attributes.get(_TEXT + "c")), _MOST_SPACES))
        elif name in _WHITE:
            self._text.add(_WHITE[name])

    def _end(self, name: str) -> None:
        name = self._local[name]
        if self._is_over:
            return
        if self._depth > 1:
            self._end_inside()
        elif self._depth:
            self._depth = 0
            self._end_cell(name)
        elif not self._tables:
            return
        elif name == "table-row":
            Row(self._row.number + self._repeated - 1)  # refused where the sheet has no end
            self._finished.append((self._row, self._repeated))
        elif name == "table":
            self._tables -= 1
            self._is_over = not self._tables

    def _end_inside(self) -> None:
        self._depth -= 1
        if self._aside:
            self._aside -= 1
        if self._depth == 1:
            self._xml.tell_text(None)
        elif not self._aside:
            self._xml.tell_text(self._add)

    def _end_cell(self, name: str) -> None:
        repeated = _count(self._cell.get(_TABLE + "number-columns-repeated"))
        text = self._text.take()
        if name == "table-cell" and (shown := _shown(self._cell, text)):
            for column in range(self._column, self._column + min(repeated, MAX_COLUMNS + 1)):
                self._row.put(column, shown)
        self._column += repeated

    def _add(self, text: str) -> None:
        if not text.isprintable() or "  " in text:  # line breaks in the XML are spaces; those of the text are elements
            text = _SPACE.sub(" ", text)
        self._text.add(text)


class _CellText:
    """The text of a cell: of one that is too long, one character more than allowed; its row is then refused."""

    def __init__(self, max_field: int) -> None:
        self._room = self._most = max_field + 1
        self._pieces: list[str] = []

    def add(self, text: str) -> None:
        """More text."""
        if self._room > 0:
            self._pieces.append(text[: self._room])
            self._room -= len(text)

    def take(self) -> str:
        """The text so far, which is then forgotten."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._room = self._most
        return text


def _shown(cell: dict[str, str], text: str) -> str:
    kind = cell.get(_OFFICE + "value-type", "string")
    if kind == "string":
        return text or cell.get(_OFFICE + "string-value", "")
    if kind == "boolean":
        return cell.get(_OFFICE + "boolean-value", text).upper()
    if kind == "date":
        return cell.get(_OFFICE + "date-value", text).removesuffix("T00:00:00").replace("T", " ")
    if kind == "time" and (found := _TIME.fullmatch(cell.get(_OFFICE + "time-value", ""))):
        return f"{found[1]}{int(found[2])}:{found[3]}:{found[4]}"
    return number_text(cell.get(_OFFICE + "value", text), None, False)


def _count(text: str | None) -> int:
    """How often something is repeated; what is no such figure counts once."""
    return max(1, whole(text)) if text else 1
