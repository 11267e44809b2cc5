"""Text files as streams of bytes, gzip'd ones too, bounded in what they unpack to."""

import gzip
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from resolver.sheets.unreadable import UnreadableFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Opener = Callable[[], BinaryIO]

_MAGIC = b"\x1f\x8b\x08"


def is_gzip(head: bytes) -> bool:
    """Whether the file is compressed with gzip."""
    return head.startswith(_MAGIC)


def opener(path: Path, gzipped: bool, max_expanded: int) -> Opener:
    """What opens the file anew for each reading of it."""
    if not gzipped:
        return lambda: path.open("rb")
    return lambda: io.BufferedReader(_Unpacked(path, max_expanded), 1 << 16)


class _Unpacked(io.RawIOBase):
    """The content of a gzip'd file, up to a bound: a thousand bytes may hold a million."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__()
        self._stream = gzip.open(path, "rb")  # noqa: SIM115  (closed by `close`)
        self._most = most
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        try:
            block = self._stream.read(len(view))
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise UnreadableFile(
                "The gzip file is cut off or damaged. Compress it again, or upload it as text."
            ) from error
        self._given += len(block)
        if self._given > self._most:
            raise UnreadableFile(f"Unpacked, the file has more than the {self._most:,} bytes allowed. Split it.")
        view[: len(block)] = block
        return len(block)

    def close(self) -> None:
        self._stream.close()
        super().close()
