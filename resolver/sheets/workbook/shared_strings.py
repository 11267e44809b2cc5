"""The texts that the cells of an XLSX sheet refer to by number, kept on disk: there may be millions."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache

from resolver.sheets.workbook.text_buffer import CellTextBuffer, unescape_ooxml
from resolver.sheets.workbook.xml_stream import XmlStream

_LONG_TEXT = 1 << 10  # characters, from which on a text is left on disk
_BATCH_TEXTS = 32  # that are read from disk together: sheets name most of them in order
NOT_READ = "\ufffd"
"""A text that was not looked for, see SharedStrings."""


class TextOnDisk:
    """A text that is left on disk until its row is complete: a few bytes of a sheet may refer to millions."""

    __slots__ = ("length", "number")

    def __init__(self, number: int, length: int) -> None:
        self.number = number
        self.length = length

    def __len__(self) -> int:
        return self.length


class SharedStrings:
    """The texts of one workbook. Memory does not grow with their number.

    The part is read as far as its texts are needed: sheets name most of them in order, and the first rows need few. A
    sorted sheet names them in any order, so only `most` bytes of the part are read, and later texts are NOT_READ.
    """

    def __init__(
        self, database: sqlite3.Connection, blocks: Iterator[bytes], part: str, max_field: int, most: int
    ) -> None:
        self._most = most
        self._xml = XmlStream(blocks, part)
        self._local = self._xml.local
        self._text = CellTextBuffer(max_field)
        self._aside = 0  # inside the reading aid of East Asian text
        self._xml.handle_elements(self._start, self._end)
        self._xml.handle_text(self._text.pieces.append)
        self._table = database
        database.execute("CREATE TABLE text (number INTEGER PRIMARY KEY, length INTEGER, text TEXT)")
        self._new: list[tuple[int, int, str]] = []
        self._count = 0
        self._cached = lru_cache(maxsize=128)(self._find_neighbours)

    def get_text(self, number: int) -> str | TextOnDisk | None:
        """Return the text, of which one character more than `max_field` at most; None if there is none."""
        while number >= self._count and self._xml.fed < self._most and self._xml.read():
            self._text.shorten()
            self._table.executemany("INSERT INTO text VALUES (?, ?, ?)", self._new)
            self._new.clear()
        if not 0 <= number < self._count:
            return None if number < 0 or self._xml.fed < self._most else NOT_READ
        first = number - number % _BATCH_TEXTS
        return self._cached(first, min(_BATCH_TEXTS, self._count - first))[number - first]

    def read(self, text: TextOnDisk) -> str:
        """Return a text from the disk."""
        return str(self._table.execute("SELECT text FROM text WHERE number = ?", (text.number,)).fetchone()[0])

    def _find_neighbours(self, first: int, count: int) -> list[str | TextOnDisk]:
        query = "SELECT number, length, CASE WHEN length <= ? THEN text END FROM text WHERE number BETWEEN ? AND ?"
        found = self._table.execute(query, (_LONG_TEXT, first, first + count - 1))
        return [TextOnDisk(number, length) if text is None else text for number, length, text in found]

    def _start(self, name: str, _: dict[str, str]) -> None:
        name = self._local[name]
        if name == "t":
            self._text.pieces.clear()
        elif name == "rPh":
            self._aside += 1

    def _end(self, name: str) -> None:
        name = self._local[name]
        if name == "t":
            if not self._aside:
                self._text.keep()
        elif name == "si":
            text = unescape_ooxml(self._text.take())
            self._new.append((self._count, len(text), text))
            self._count += 1
        elif name == "rPh":
            self._aside -= 1
