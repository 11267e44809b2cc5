"""The texts that the cells of an XLSX sheet refer to by number, kept on disk: there may be millions."""

import os
import re
import struct
import tempfile
from array import array
from types import TracebackType

from resolver.sheets.xmlstream import Bytes, XmlStream

_ENDS = 1 << 13
_IN_BLOCK = 32
_CACHED_BYTES = 8 << 20
# No NUL and no half of a pair: the one is in no text, the other not a character.
_ESCAPE = re.compile("_x(?!0000|[Dd][89A-Fa-f])([0-9A-Fa-f]{4})_")


class SharedStrings:
    """`text(number)` gives a text; memory does not grow with their number. To be closed after use."""

    def __init__(self) -> None:
        self._texts = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self._index = tempfile.TemporaryFile()  # noqa: SIM115
        self._ends = array("Q", [0])
        self._count = 0
        self._length = 0
        self._cache: dict[int, tuple[tuple[int, ...], bytes]] = {}
        self._cached = 0

    def fill(self, stream: Bytes, part: str, max_field: int) -> None:
        """Take all texts of the part, of each one character more than `max_field` at most.

        That one has the row refused in which the text stands, and tells its line.
        """
        xml = XmlStream(stream, part)
        local = xml.local
        pieces: list[str] = []  # of the text at hand
        kept: list[str] = []  # texts of the entry, those of its reading aid left out
        aside = 0

        def start(name: str, _: dict[str, str]) -> None:
            nonlocal aside
            name = local[name]
            if name == "t":
                pieces.clear()
            elif name == "rPh":
                aside += 1

        def end(name: str) -> None:
            nonlocal aside
            name = local[name]
            if name == "t":
                if not aside:
                    kept.append("".join(pieces))
            elif name == "si":
                self._add(unescaped("".join(kept)[: max_field + 1]))
                kept.clear()
                pieces.clear()
            elif name == "rPh":
                aside -= 1

        xml.tell(start, end)
        xml.tell_text(pieces.append)
        while xml.read():
            _shorten(pieces, max_field + 1)
            _shorten(kept, max_field + 1)
        self._ends.tofile(self._index)
        self._index.flush()
        self._texts.flush()

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

    def _add(self, text: str) -> None:
        written = text.encode("utf-8", "surrogatepass")
        self._texts.write(written)
        self._length += len(written)
        self._count += 1
        self._ends.append(self._length)
        if len(self._ends) >= _ENDS:
            self._ends.tofile(self._index)
            del self._ends[:]

    def text(self, number: int) -> str:
        """The text with this number; "" where there is none."""
        if not 0 <= number < self._count:
            return ""
        block, place = divmod(number, _IN_BLOCK)
        ends, texts = self._cache.get(block) or self._block(block)
        return texts[ends[place] - ends[0] : ends[place + 1] - ends[0]].decode("utf-8", "surrogatepass")

    def _block(self, block: int) -> tuple[tuple[int, ...], bytes]:
        """Neighbours are read together: most sheets name their texts in order."""
        first = block * _IN_BLOCK
        count = min(_IN_BLOCK, self._count - first) + 1
        ends = struct.unpack(f"={count}Q", os.pread(self._index.fileno(), 8 * count, 8 * first))
        texts = os.pread(self._texts.fileno(), ends[-1] - ends[0], ends[0])
        self._cached += len(texts) + 40 * count
        if self._cached > _CACHED_BYTES:
            self._cache.clear()
            self._cached = len(texts)
        self._cache[block] = ends, texts
        return ends, texts


def _shorten(pieces: list[str], most: int) -> None:
    if sum(map(len, pieces)) > most:
        pieces[:] = ["".join(pieces)[:most]]


def unescaped(text: str) -> str:
    """The text without OOXML's way to write what XML cannot hold: `_x000D_` is a carriage return."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
