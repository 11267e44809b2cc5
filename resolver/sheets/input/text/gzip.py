"""Text files as streams of bytes, also compressed ones, with a bound on what they unpack to."""

import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Opener = Callable[[], BinaryIO]

_GZIP = 16 + zlib.MAX_WBITS
_MAX_MEMBERS = 100_000  # gzip'd files in one; `bgzip` makes one of each 64 kB
_DAMAGED = Message("The gzip file is cut off or damaged. Compress the file again, or upload it uncompressed.")


def is_gzip(head: bytes) -> bool:
    """Whether the file is compressed with gzip."""
    return head.startswith(b"\x1f\x8b\x08")


def make_opener(path: Path, gzipped: bool, max_expanded: int) -> Opener:
    """Return the function that opens the file for each reading."""
    if not gzipped:
        return lambda: path.open("rb")
    return lambda: io.BufferedReader(_Unpacked(path, max_expanded), 1 << 16)


class _Unpacked(io.RawIOBase):
    """The content of a gzip file, up to a bound: a thousand bytes may hold a million. The gzip module would read a long
    name in the head byte by byte, and pass over any number of empty members."""

    def __init__(self, path: Path, most: int) -> None:
        super().__init__()
        self._file = path.open("rb")
        self._most = most
        self._given = 0
        self._packed = b""
        self._member = zlib.decompressobj(_GZIP)
        self._members = 1

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer)
        block = self._read_next(len(view))
        self._given += len(block)
        if self._given > self._most:
            reason = Message("The unpacked file is larger than the {count} bytes allowed. Split it.", count=self._most)
            raise UnreadableFile(reason)
        view[: len(block)] = block
        return len(block)

    def _read_next(self, size: int) -> bytes:
        while True:
            if not self._packed:
                self._packed = self._file.read(1 << 14)
            is_last = not self._packed
            if self._member.eof:
                if is_last:
                    return b""
                self._packed = self._packed.lstrip(b"\0")  # the padding of tapes and discs
                if not self._packed:
                    continue
                self._begin_member()
            try:
                block = self._member.decompress(self._packed, size)
            except zlib.error as error:
                raise UnreadableFile(_DAMAGED) from error
            self._packed = self._member.unused_data if self._member.eof else self._member.unconsumed_tail
            if block:
                return block
            if is_last and not self._member.eof:
                raise UnreadableFile(_DAMAGED)

    def _begin_member(self) -> None:
        self._members += 1
        if self._members > _MAX_MEMBERS:
            reason = Message(
                "The gzip file has more than {count} parts. Unpack it and compress the result again.",
                count=_MAX_MEMBERS,
            )
            raise UnreadableFile(reason)
        self._member = zlib.decompressobj(_GZIP)

    def close(self) -> None:
        self._file.close()
        super().close()
