"""XLSX: the first visible sheet, row after row, its cells as the text that a person sees."""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from resolver.sheets.archive import Archive, Part
from resolver.sheets.grid import MAX_COLUMNS, Row, too_long, whole
from resolver.sheets.strings import SharedStrings, unescaped
from resolver.sheets.xlsx_dates import Moment, number_text
from resolver.sheets.xlsx_parts import Book, find_parts, moments
from resolver.sheets.xmlstream import XmlStream, damaged

_DIGITS = "0123456789"


def xlsx_rows(path: Path, max_field: int) -> Iterator[tuple[int, list[str]]]:
    """Every row with its number, those that the file leaves out too. Memory does not grow with the sheet."""
    with Archive(path) as archive, SharedStrings() as strings:
        book = find_parts(archive)
        if book.strings:
            with archive.open(book.strings) as part:
                strings.fill(part, book.strings, max_field)
        with archive.open(book.sheet) as part:
            yield from _Sheet(part, book, strings, moments(archive, book), max_field).rows()


class _Sheet:
    """The sheet's elements on their way to rows. All text is taken up, and what is no cell's is dropped again."""

    def __init__(
        self, part: Part, book: Book, strings: SharedStrings, moments: dict[str, Moment], max_field: int
    ) -> None:
        self._book = book
        self._strings = strings
        self._moments = moments
        self._max_field = max_field
        self._pieces: list[str] = []  # of the text at hand
        self._inline: list[str] = []  # texts of the cell itself
        self._value = ""
        self._cell: dict[str, str] = {}
        self._column = -1
        self._row = Row(0)
        self._is_in_row = False
        self._aside = 0  # inside the reading aid of East Asian text
        self._finished: list[Row] = []
        self._xml = XmlStream(part, book.sheet)
        self._local = self._xml.local
        self._xml.tell(self._start, self._end)
        self._xml.tell_text(self._pieces.append)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """The rows from the first one."""
        last = 0
        while self._xml.read():
            for row in self._finished:
                for number in range(last + 1, row.number):
                    yield number, []
                last = row.number
                yield row.number, row.cells
            self._finished.clear()
            self._bound()

    def _bound(self) -> None:
        """Let no text grow beyond what a cell may hold; a block of the file is the most that is added at once."""
        if not self._is_in_row:
            self._pieces.clear()
        elif sum(map(len, self._pieces)) + sum(map(len, self._inline)) > self._max_field:
            raise too_long(self._max_field, self._row.number)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._local[name]
        if name == "c":
            self._cell = attributes
        elif name in ("v", "t"):
            self._pieces.clear()
        elif name == "row":
            self._begin_row(attributes.get("r"))
        elif name == "rPh":
            self._aside += 1

    def _end(self, name: str) -> None:
        name = self._local[name]
        if name == "v":
            self._value = "".join(self._pieces)
        elif name == "c":
            self._end_cell()
        elif name == "row":
            self._finished.append(self._row)
            self._is_in_row = False
        elif name == "t":
            if not self._aside:
                self._inline.append("".join(self._pieces))
        elif name == "rPh":
            self._aside -= 1

    def _begin_row(self, given: str | None) -> None:
        number = self._row.number + 1
        if given:
            if whole(given) < number:  # no program writes rows out of order
                raise damaged(self._book.sheet)
            number = whole(given)
        self._row = Row(number)
        self._is_in_row = True
        self._column = -1

    def _end_cell(self) -> None:
        place = self._cell.get("r")
        self._column = _column(place.rstrip(_DIGITS)) if place else self._column + 1
        if self._value or self._inline:
            self._row.put(self._column, self._text())
            self._value = ""
            self._inline.clear()

    def _text(self) -> str:
        kind = self._cell.get("t", "n")
        value = self._value
        if kind == "n":
            return number_text(value, self._moments.get(self._cell.get("s", "")), self._book.from_1904)
        if kind == "s":
            return self._strings.text(whole(value))
        if kind == "inlineStr":
            return unescaped("".join(self._inline))
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if kind == "d":
            return value.removesuffix("T00:00:00").replace("T", " ")
        return unescaped(value)  # the result of a formula, or an error such as #N/A


@lru_cache(maxsize=MAX_COLUMNS)
def _column(letters: str) -> int:
    """The index of the column with these letters: A is 0. What is no column of any sheet is far out."""
    index = 0
    for letter in letters[:8]:
        index = index * 26 + ord(letter) - 64
    return index - 1 if index > 0 else MAX_COLUMNS
