"""ZIP archives: their parts as streams, and the bounds on what they unpack to."""

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile

# What zipfile raises for broken, truncated, encrypted or unknown content: it has no common class for them.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    struct.error,
)
DAMAGED = Message("The workbook is damaged. Save it again as XLSX or as CSV.")
LOCKED = Message("The workbook has a password. Save it without one.")

READ_BYTES = 1 << 16  # of a file at a time
_MAX_DIRECTORY_BYTES = 1 << 20  # zipfile holds it in memory; the largest workbooks have some hundred parts
_WAYS = {9: "deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz", 98: "PPMd"}
# The ends of the list of members: signature, place of the list's length, its size. zipfile always looks for both.
_ENDS = ((b"PK\x05\x06", 12, 4), (b"PK\x06\x06", 40, 8))


def is_zip(head: bytes) -> bool:
    """Whether the file is a ZIP archive, as XLSX and ODS are."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


_SIGNATURES = ("_xmlsignatures/", "meta-inf/documentsignatures")  # of OOXML and OpenDocument


class Archive(AbstractContextManager["Archive"]):
    """An open archive. Anything broken in it raises UnreadableFile. `names`: the parts' names as they are written."""

    def __init__(self, path: Path) -> None:
        _refuse_long_directory(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise UnreadableFile(DAMAGED) from error
        # Some programs write backslashes, or another case than the one that their own references have.
        self.names = {name.replace("\\", "/").lower(): name for name in self._zip.namelist()}

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def limit_expanded(self, most: int) -> None:
        """Raise UnreadableFile if all parts when unpacked have more bytes: zipfile returns no more than is declared."""
        expanded = sum(member.file_size for member in self._zip.infolist())
        if expanded > most:
            reason = Message(
                "The unpacked workbook has {count} bytes, more than the {most} allowed. Save the sheet as "
                "CSV, which is smaller.",
                count=expanded,
                most=most,
            )
            raise UnreadableFile(reason)

    @property
    def members(self) -> list[zipfile.ZipInfo]:
        """All members, in the order of the archive's list; a name may be there twice."""
        return self._zip.infolist()

    @property
    def directory_start(self) -> int:
        """The byte of the file at which that list begins."""
        return self._zip.start_dir

    @property
    def comment(self) -> bytes:
        """The comment on the whole archive."""
        return self._zip.comment

    def has(self, name: str) -> bool:
        """Whether there is such a part, in whatever case."""
        return name.lower() in self.names

    @property
    def is_signed(self) -> bool:
        """Whether it has a digital signature, which any change breaks."""
        return any(name.startswith(_SIGNATURES) for name in self.names)

    def get_size(self, name: str) -> int:
        """Return the bytes of the part when unpacked; 0 if there is none."""
        return self.find(name).file_size if self.has(name) else 0

    def find(self, name: str) -> zipfile.ZipInfo:
        """Return the member that is this part; of several the last. Raises UnreadableFile if there is none."""
        try:
            return self._zip.getinfo(self.names[name.lower()])
        except KeyError as error:
            missing = Message("The workbook has no part {part}. Save it again as XLSX or as CSV.", part=name[:100])
            raise UnreadableFile(missing) from error

    def open(self, name: str) -> "ZipMember":
        """Return the part as a stream. It must be stored or deflated, as by spreadsheet programs: other ways may need
        gigabytes of memory. Raises UnreadableFile if it is not there or can't be read."""
        member = self.find(name)
        if member.flag_bits & 0x1:
            raise UnreadableFile(LOCKED)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            way = _WAYS.get(member.compress_type, f"method {member.compress_type}")
            reason = Message(
                "The workbook is compressed in a way that spreadsheet programs do not use ({way}). "
                "Save it again as XLSX or as CSV.",
                way=way,
            )
            raise UnreadableFile(reason)
        try:
            return ZipMember(self._zip.open(member))
        except _BROKEN as error:
            raise UnreadableFile(DAMAGED) from error

    def read(self, name: str, most: int) -> bytes:
        """Return a small part: at most `most` bytes of it."""
        with self.open(name) as part:
            return part.read(most)


class ZipMember(AbstractContextManager["ZipMember"]):
    """A part being read."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        """Return the next bytes. Raises UnreadableFile if they are damaged."""
        try:
            return self._stream.read(size)
        except _BROKEN as error:
            raise UnreadableFile(DAMAGED) from error

    def read_blocks(self) -> Iterator[bytes]:
        """Yield what is left of it. Raises UnreadableFile if it is damaged."""
        while block := self.read(READ_BYTES):
            yield block

    def __exit__(self, *_: object) -> None:
        self._stream.close()


def _refuse_long_directory(path: Path) -> None:
    # The list of members is at the end of the file, and its length in the records behind it.
    with path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - (1 << 16) - 98))
        tail = stream.read()
    length = max((found for end in _ENDS for found in _find_lengths(tail, *end)), default=0)
    if length > _MAX_DIRECTORY_BYTES:
        reason = Message(
            "The archive's list of parts has {count} bytes, more than the {most} allowed. Save the sheet "
            "again as XLSX or as CSV.",
            count=length,
            most=_MAX_DIRECTORY_BYTES,
        )
        raise UnreadableFile(reason)


def _find_lengths(tail: bytes, signature: bytes, place: int, size: int) -> Iterator[int]:
    """Yield the length in each record with this signature: a file may have several, and zipfile may use any."""
    for found in re.finditer(signature, tail):
        written = tail[found.start() + place : found.start() + place + size]
        if written != b"\xff\xff\xff\xff":  # the other record has it
            yield int.from_bytes(written, "little")
