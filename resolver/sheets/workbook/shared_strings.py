"""The texts that the cells of an XLSX sheet refer to by number, kept on disk: there may be millions."""

import os
import struct
import sys
import tempfile
from array import array
from types import TracebackType

from resolver.sheets.workbook.cell_text import CellText, unescaped
from resolver.sheets.workbook.xml import Bytes, XmlStream

_IN_BLOCK = 32
_LARGEST_BLOCK = 1 << 14
_CACHED_BYTES = 8 << 20
_LONG = 1 << 12
# Stands for a text that is not looked for, see SharedStrings.
NOT_READ = "\ufffd"


class LongText:
    """A text that is left on disk until its row is given away: a few bytes of a sheet may refer to millions."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    def __len__(self) -> int:
        return self.end - self.start


class SharedStrings:
    """`text(number)` gives a text; memory does not grow with their number. To be closed after use.

    The part is read as far as its texts are asked for: sheets name most of them in order, and whoever looks at the
    first rows alone needs few. But a sheet that was sorted names them in any order: `most` bytes of the part are read,
    and the texts behind them are NOT_READ.
    """

    def __init__(self, stream: Bytes, part: str, max_field: int, most: int = sys.maxsize) -> None:
        self._most = most
        self._xml = XmlStream(stream, part)
        self._local = self._xml.local
        self._text = CellText(max_field)
        self._aside = 0  # inside the reading aid of East Asian text
        self._xml.tell(self._start, self._end)
        self._xml.tell_text(self._text.pieces.append)
        self._texts = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._index = tempfile.TemporaryFile()  # noqa: SIM115  (so is this)
        self._ends = array("Q", [0])
        self._count = 0
        self._length = 0
        self._cache: dict[int, tuple[tuple[int, ...], bytes]] = {}
        self._cached = 0

    def close(self) -> None:
        """Let go of the disk."""
        self._texts.close()
        self._index.close()

    def __enter__(self) -> "SharedStrings":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def text(self, number: int) -> str | LongText | None:
        """The text with this number, of which one character more than `max_field` at most; None where there is none."""
        while number >= self._count and self._xml.fed < self._most and self._xml.read():
            self._text.shorten()
            self._write()
        if not 0 <= number < self._count:
            return None if number < 0 or self._xml.fed < self._most else NOT_READ
        block, place = divmod(number, _IN_BLOCK)
        ends, texts = self._cache.get(block) or self._block(block)
        start, end = ends[place], ends[place + 1]
        if texts:
            return texts[start - ends[0] : end - ends[0]].decode("utf-8", "surrogatepass")
        found = LongText(start, end)
        return found if len(found) > _LONG else self.read(found)

    def read(self, text: LongText) -> str:
        """A text from the disk."""
        return os.pread(self._texts.fileno(), len(text), text.start).decode("utf-8", "surrogatepass")

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
            self._add(unescaped(self._text.take()).encode("utf-8", "surrogatepass"))
        elif name == "rPh":
            self._aside -= 1

    def _add(self, written: bytes) -> None:
        self._texts.write(written)
        self._length += len(written)
        self._count += 1
        self._ends.append(self._length)

    def _write(self) -> None:
        """To disk with what a block of the part has brought."""
        self._ends.tofile(self._index)
        del self._ends[:]
        self._index.flush()
        self._texts.flush()

    def _block(self, block: int) -> tuple[tuple[int, ...], bytes]:
        """Where 32 neighbours end, and their texts: without these where they are long, to be read one by one."""
        first = block * _IN_BLOCK
        count = min(_IN_BLOCK, self._count - first) + 1
        ends = struct.unpack(f"={count}Q", os.pread(self._index.fileno(), 8 * count, 8 * first))
        length = ends[-1] - ends[0]
        texts = os.pread(self._texts.fileno(), length, ends[0]) if length <= _LARGEST_BLOCK else b""
        if count > _IN_BLOCK:  # else it is the last one so far, and may grow
            self._cached += len(texts) + 40 * count
            if self._cached > _CACHED_BYTES:
                self._cache.clear()
                self._cached = len(texts) + 40 * count
            self._cache[block] = ends, texts
        return ends, texts
