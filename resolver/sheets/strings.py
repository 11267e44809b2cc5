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
        """Take all texts of the part, of each one character more than `max_field` at most."""
        xml = XmlStream(stream, part)
        collected = Collected(xml, max_field)

        def end(name: str) -> None:
            name = xml.local[name]
            collected.end(name)
            if name == "si":
                self._add(unescaped(collected.take()))

        xml.tell(lambda name, _: collected.start(xml.local[name]), end)
        xml.read_all()
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


class Collected:
    """The text of <t> elements, those of a phonetic guide (<rPh>) left out.

    Of a longer text than `max_field` one character more is kept: the row in which it stands is then refused.
    """

    def __init__(self, xml: XmlStream, max_field: int) -> None:
        self._xml = xml
        self._room = self._most = max_field + 1
        self._parts: list[str] = []
        self._aside = 0

    def start(self, name: str) -> None:
        """To be told of each element's start."""
        if name == "t" and not self._aside:
            self._xml.tell_text(self.add)
        elif name == "rPh":
            self._aside += 1

    def end(self, name: str) -> None:
        """To be told of each element's end."""
        if name == "t":
            self._xml.tell_text(None)
        elif name == "rPh":
            self._aside -= 1

    def add(self, text: str) -> None:
        """More text."""
        if self._room > 0:
            self._parts.append(text[: self._room])
            self._room -= len(text)

    def take(self) -> str:
        """The text so far, which is then forgotten."""
        text = "".join(self._parts)
        self._parts.clear()
        self._room = self._most
        return text


def unescaped(text: str) -> str:
    """The text without OOXML's way to write what XML cannot hold: `_x000D_` is a carriage return."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
