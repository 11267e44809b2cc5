"""The lines of a text together with their bytes, as they came."""

import io
from collections.abc import Sequence
from typing import NamedTuple

from resolver.sheets.input.text.gzip import Opener

_WIDTHS = {"utf-16": 2, "utf-16-le": 2, "utf-16-be": 2, "utf-32": 4}
_BOMS = {
    "utf-8-sig": {b"\xef\xbb\xbf": "utf-8"},
    "utf-16": {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"},
    "utf-32": {b"\xff\xfe\0\0": "utf-32-le", b"\0\0\xfe\xff": "utf-32-be"},
}
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class RecordedLine(NamedTuple):
    """A line with its end, and its bytes. `is_skipped`: it is no part of a row, as a byte order mark, or the second
    part of CR CR LF."""

    text: str
    raw: bytes
    is_skipped: bool = False


class RecordedText:
    """A text that is read by lines, and keeps the bytes of those that were not taken yet. `codec` encodes a
    part of it, and `width` is the size of its shortest character in bytes."""

    def __init__(self, opened: Opener, encoding: str) -> None:
        self._stream = _RecordedStream(opened())  # type: ignore[arg-type]  # a BinaryIO has what is needed
        self._text = io.TextIOWrapper(self._stream, encoding=encoding, newline="")
        head = self._stream.peek(4)
        marked = _BOMS.get(encoding, {})
        self._mark = next(filter(head.startswith, marked), b"")
        self.codec = marked.get(self._mark, _UNMARKED.get(encoding, encoding))
        self.width = _WIDTHS.get(encoding, 1)
        self._lines: list[RecordedLine] = []
        self._count = 0
        self._ends_are_doubled = False
        self._before = ""

    def readline(self, size: int) -> str:
        """Return the next line, at most so many characters of it; "" at the end."""
        text = self._text.readline(size)
        self._count += 1
        is_second_end = text == "\r\n" and self._before.endswith("\r")
        self._ends_are_doubled |= is_second_end and self._count == 2
        self._before = text
        if self._count == 1 and self._mark:
            self._lines.append(RecordedLine("", self._cut(len(self._mark)), is_skipped=True))
        if text:
            raw = self._cut(self._measure(text))
            self._lines.append(RecordedLine(text, raw, is_second_end and self._ends_are_doubled))
        return text

    def take_lines(self) -> Sequence[RecordedLine]:
        """Return the lines that were read since the last call."""
        lines, self._lines = self._lines, []
        return lines

    def take_rest(self, size: int) -> bytes:
        """Return the next bytes of those behind the lines that were taken; b"" at the end."""
        kept = b"".join(line.raw for line in self.take_lines())
        if not kept and not self._stream.kept:
            return self._stream.read(size)
        kept += bytes(self._stream.kept)
        self._stream.kept.clear()
        return kept

    def close(self) -> None:
        self._text.close()

    def _cut(self, size: int) -> bytes:
        kept = self._stream.kept
        raw = bytes(kept[:size])
        del kept[:size]
        return raw

    def _measure(self, text: str) -> int:
        """Return how many bytes the line at the front takes."""
        if self.codec.startswith("utf-"):
            return len(text.encode(self.codec))  # a valid text has one form only
        end = text[-2:] if text.endswith("\r\n") else text[-1:]
        if end[-1] not in "\r\n":
            return len(self._stream.kept)
        # In these encodings no other character has these bytes, and the line has none but its end.
        return self._stream.kept.index(end.encode("ascii")) + len(end)


class _RecordedStream(io.BufferedReader):
    """A stream that keeps what was read by `read1`, as io.TextIOWrapper does."""

    def __init__(self, stream: io.RawIOBase) -> None:
        super().__init__(stream)
        self.kept = bytearray()

    def read1(self, size: int = -1, /) -> bytes:
        block = super().read1(size)
        self.kept += block
        return block
