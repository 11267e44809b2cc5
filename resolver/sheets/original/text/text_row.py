"""A row of a text table: the places of its cells, and its bytes with some of them changed."""

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from doi_reading import Message
from resolver.sheets.bibliographic.record import Edit, splice
from resolver.sheets.input.text.csv import build_dialect
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.text.recorded_text import RecordedLine

_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_DOS_END = "\x1a"
_LINE_ENDS = "\r\n"
_TAB = "\t"
_NEEDS_QUOTES = Message("The text needs quotation marks around it, and this file has none. Change it by hand.")
_NOT_IN_ENCODING = Message("The encoding of the file doesn't have all characters of this text. Change it by hand.")
_NOT_FOUND = Message("It isn't clear where the cells of this row begin and end. Change it by hand.")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text is divided: the delimiter ("" for a plain list), whether `"` quotes cells, the codec, and the number
    of bytes of its shortest character."""

    delimiter: str
    quoted: bool
    codec: str
    width: int


class TextRow:
    """The lines of one row, and its `cells` as they were read."""

    def __init__(self, lines: Sequence[RecordedLine], cells: Sequence[str], dialect: Dialect) -> None:
        first = next((place for place, line in enumerate(lines) if not line.is_skipped), len(lines))
        self._before, self._lines = b"".join(line.raw for line in lines[:first]), lines[first:]
        self._cells = _cut_dos_end(cells)
        self._dialect = dialect
        self._text = "".join(line.text for line in lines if not line.is_skipped)
        self._places = list(self._find_places())
        if [self._read(start, end) for start, end in self._places] != self._cells:
            raise NotWritable(_NOT_FOUND)

    def change(self, column: int | None, text: str, more: Sequence[str], width: int) -> bytes:
        """Return the row with this text in the cell of this column (None: no cell), and `more` in cells behind the
        first `width`. A short row is filled with empty cells. Raises NotWritable."""
        wanted = list(self._cells)
        edits = list[tuple[int, int, str]]()
        if column is not None:
            edits += self._write_cell(column, text, wanted)
        if more:
            edits += self._append(more, width, wanted)
        raw = self._splice(edits)
        self._ensure_read_as(raw, wanted, plain_list=bool(more) and not self._dialect.delimiter)
        return self._before + raw

    def _write_cell(self, column: int, text: str, wanted: list[str]) -> Iterator[tuple[int, int, str]]:
        missing = column - len(wanted) + 1
        if missing > 0:
            wanted += [""] * missing
            end = self._places[-1][1]
            yield end, end, self._dialect.delimiter * missing + self._quote(text, self._dialect.delimiter)
        else:
            yield *self._places[column], self._quote(text, self._dialect.delimiter, quotes=self._is_quoted(column))
        wanted[column] = text

    def _append(self, more: Sequence[str], width: int, wanted: list[str]) -> Iterator[tuple[int, int, str]]:
        missing = max(width - len(wanted), 0)
        delimiter = self._dialect.delimiter or _TAB
        at = self._places[min(width, len(self._cells)) - 1][1]
        quotes = all(map(self._is_quoted, range(len(self._cells))))
        cells = "".join(delimiter + self._quote(text, delimiter, quotes=quotes) for text in more)
        yield at, at, delimiter * missing + cells
        wanted[width:width] = [*[""] * missing, *more]

    def _find_places(self) -> Iterator[tuple[int, int]]:
        """Yield where each cell begins and ends, with its quotation marks."""
        text, delimiter = self._text, self._dialect.delimiter
        plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
        at, last = 0, len(text.rstrip(_LINE_ENDS + _DOS_END))
        while True:
            quoted = _QUOTED.match(text, at) if self._dialect.quoted else None
            found = quoted or plain.match(text, at, last)
            end = found.end() if found else at
            yield at, end
            if not delimiter or text[end : end + 1] != delimiter:
                return
            at = end + 1

    def _read(self, start: int, end: int) -> str:
        written = self._text[start:end]
        if self._dialect.quoted and written.startswith('"'):
            return written[1:-1].replace('""', '"')
        return written

    def _is_quoted(self, column: int) -> bool:
        start = self._places[column][0]
        return self._dialect.quoted and self._text.startswith('"', start)

    def _quote(self, text: str, delimiter: str, *, quotes: bool = False) -> str:
        is_mistaken = self._dialect.quoted and text.startswith('"')
        if not quotes and not is_mistaken and set(text).isdisjoint(delimiter + _LINE_ENDS):
            return text
        if not self._dialect.quoted:
            raise NotWritable(_NEEDS_QUOTES)
        return '"{}"'.format(text.replace('"', '""'))

    def _splice(self, edits: Sequence[tuple[int, int, str]]) -> bytes:
        raw = b"".join(line.raw for line in self._lines)
        with suppress(UnicodeError):
            if self._text.encode(self._dialect.codec) == raw:  # ISO-2022-JP has bytes between characters
                text = self._text
                for start, end, new in reversed(edits):
                    text = text[:start] + new + text[end:]
                return self._encode(text)
        measured = [Edit(self._measure(start), self._measure(end), self._encode(new)) for start, end, new in edits]
        return splice(raw, 0, measured)

    def _encode(self, text: str) -> bytes:
        try:
            raw = text.encode(self._dialect.codec)
            if raw.decode(self._dialect.codec) == text:
                return raw
        except UnicodeError:
            pass
        raise NotWritable(_NOT_IN_ENCODING)

    def _measure(self, place: int) -> int:
        """Return the number of bytes before this character of the text."""
        size = 0
        for line in self._lines:
            if not line.is_skipped:
                if place <= len(line.text):
                    return size + self._measure_in_line(line, place)
                place -= len(line.text)
            size += len(line.raw)
        return size

    def _measure_in_line(self, line: RecordedLine, place: int) -> int:
        width = self._dialect.width
        if len(line.raw) == width * len(line.text):
            return place * width
        if self._dialect.codec.startswith("utf-"):
            return len(line.text[:place].encode(self._dialect.codec))  # a valid text has one form only
        decoder = codecs.getincrementaldecoder(self._dialect.codec)()
        size = count = 0
        while count < place and size < len(line.raw):
            count += len(decoder.decode(line.raw[size : size + 1]))
            size += 1
        return size

    def _ensure_read_as(self, raw: bytes, wanted: list[str], *, plain_list: bool) -> None:
        """Raise NotWritable unless the new row is read as these cells."""
        dialect = build_dialect(_TAB if plain_list else self._dialect.delimiter, self._dialect.quoted)
        try:
            text = raw.decode(self._dialect.codec)
        except UnicodeDecodeError as error:
            raise NotWritable(_NOT_FOUND) from error
        if any(line.is_skipped for line in self._lines):
            text = text.replace("\r\r\n", "\r")
        try:
            rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True, **dialect) if row]
        except csv.Error:
            rows = []
        if [_cut_dos_end(row) for row in rows] != [wanted]:
            raise NotWritable(_NOT_FOUND)


def _cut_dos_end(cells: Sequence[str]) -> list[str]:
    """Return the cells, at least one, without the sign for the end of the file."""
    *others, last = cells or [""]
    return [*others, last.rstrip(_DOS_END)]
