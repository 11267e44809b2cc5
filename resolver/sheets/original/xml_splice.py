"""A part of a workbook copied byte for byte but for splices. The part is parsed once to find them, and then copied."""

import codecs
import re
import sqlite3
from collections.abc import Callable, Iterator

from resolver.sheets.workbook.xml_stream import XmlStream

_TAG = re.compile(r"""<[^"'>]*+(?:(?:"[^"]*+"|'[^']*+')[^"'>]*+)*+>""")
_SHORT_TAG = 512  # bytes, in which nearly every tag ends
_MAX_HELD = 1 << 22  # bytes
_MANY = 1000  # pieces that are joined at once; a million may stand at one place
_LE, _BE = "utf-16-le", "utf-16-be"
_STARTS = {codecs.BOM_UTF16_LE: _LE, b"<\0": _LE, codecs.BOM_UTF16_BE: _BE, b"\0<": _BE}


class WrittenXml(XmlStream):
    """A parser whose handlers can ask where a tag stands in the part, and how it is written there."""

    def __init__(self, blocks: Iterator[bytes], part: str) -> None:
        self._codec = ""
        self._window = b""  # what the parser holds back, and the block that it reads now
        self._window_start = 0
        self._held: int | None = None
        super().__init__(self._keep(blocks), part)

    @property
    def at(self) -> int:
        """The byte at which the tag begins whose handler is called. For the end of an element that one tag opens and
        closes it is the byte behind the tag."""
        return self._parser.CurrentByteIndex

    def read_tag(self) -> str:
        """Return the tag that begins at `at`, with its brackets."""
        at = self.at - self._window_start
        found = _TAG.match(self._decode(self._window[at : at + _SHORT_TAG]))
        found = found or _TAG.match(self._decode(self._window[at:]))
        return found[0] if found else ""

    def hold(self) -> None:
        """Keep what is written from `at` on for `read_held`, up to _MAX_HELD bytes, until `release`."""
        self._held = self.at

    @property
    def is_holding(self) -> bool:
        """Whether all since `hold` was kept."""
        return self._held is not None

    def release(self) -> None:
        """Forget what was held."""
        self._held = None

    def read_held(self, start: int, stop: int) -> str:
        """Return what is written from one byte to before another, of what is held."""
        return self._decode(self._window[start - self._window_start : stop - self._window_start])

    def encode(self, text: str) -> bytes:
        """Return XML in the encoding of the part. A character that this doesn't have becomes a reference."""
        return text.encode(self._codec or "utf-8", "xmlcharrefreplace")

    def _decode(self, piece: bytes) -> str:
        return piece.decode(self._codec or "utf-8", "ignore")  # it may end within a character

    def _keep(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        for block in blocks:
            if self._held is not None and self.at - self._held > _MAX_HELD:
                self._held = None
            first = self.at if self._held is None else self._held
            read = max(first - self._window_start, 0)  # the parser may not have begun with its first tag
            self._window, self._window_start = self._window[read:] + block, self._window_start + read
            if not self._window_start:
                self._codec = _STARTS.get(self._window[:2], self._codec)
            yield block

    def _refuse_encoding(self, version: str, encoding: str | None, standalone: int) -> None:
        super()._refuse_encoding(version, encoding, standalone)
        self._codec = self._codec or encoding or ""


class Splices:
    """What stands instead of some bytes of a part. They are kept on disk, and may be added in any order."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._count = 0
        database.execute("CREATE TABLE splice (start INTEGER, stop INTEGER, text TEXT)")

    def __len__(self) -> int:
        return self._count

    def add(self, start: int, stop: int, text: str) -> None:
        """Let XML stand instead of the bytes from `start` to before `stop`; with the two alike it is inserted. Texts
        inserted at one place stand in the order of the calls. Splices must not overlap."""
        self._count += 1
        self._database.execute("INSERT INTO splice VALUES (?, ?, ?)", (start, stop, text))

    def copy(self, blocks: Iterator[bytes], encode: Callable[[str], bytes]) -> Iterator[bytes]:
        """Yield the bytes of the part in `blocks` with the splices."""
        in_order = self._database.execute("SELECT start, stop, text FROM splice ORDER BY start, stop, rowid")
        following = next(in_order, None)
        at = skipped_to = 0
        for block in blocks:
            pieces: list[bytes] = []
            done, end = min(max(skipped_to - at, 0), len(block)), at + len(block)
            while following is not None and following[0] < end:
                start, skipped_to, text = following
                pieces += block[done : start - at], encode(text)
                done = min(skipped_to - at, len(block))
                following = next(in_order, None)
                if len(pieces) > _MANY:
                    yield b"".join(pieces)
                    pieces.clear()
            at = end
            yield b"".join((*pieces, block[done:]))
        while following is not None:  # what stands behind the last byte
            yield encode(following[2])
            following = next(in_order, None)
