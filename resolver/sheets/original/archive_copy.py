"""A ZIP archive again, with new content in some members. All others are copied as they lie in the file, compressed."""

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipInfo

from doi_reading import Message
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.workbook.workbook_archive import DAMAGED, READ_BYTES, Archive

# A member's header, its entry in the list of members at the end of the archive, and the record behind that list.
_HEADER, _ENTRY, _END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
_HEADER_SIGN, _ENTRY_SIGN, _END_SIGN, _SIZES_SIGN = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x07\x08"
_ENDS = _END_SIGN, b"PK\x06\x06"  # the second one where a ZIP64 record comes first
_SIZES = struct.Struct("<4s3L")  # behind a member whose header doesn't say them
_SIZES_FORMS = [struct.Struct(form) for form in ("<4s3L", "<4sL2Q", "<3L", "<L2Q")]
_SIZES_FOLLOW, _UTF_8 = 0x08, 0x800
_DEFLATED, _FIRST_WITH_DEFLATED = 8, 20
_ZIP64, _IN_ZIP64 = 1, 0xFFFFFFFF


def copy_archive(path: Path, changed: Mapping[str, Iterable[bytes]]) -> Iterator[bytes]:
    """Yield the archive in blocks, with the new content of the `changed` members, each by its name. Order, dates, extra
    fields and comments stay. Before the first block UnreadableFile is raised if members overlap or are damaged."""
    with Archive(path) as archive, path.open("rb") as source:
        contents = {id(archive.find(name)): blocks for name, blocks in changed.items()}
        members = [_Member(source, info) for info in archive.members]
        source.seek(archive.directory_start)
        entries = [_read_entry(source) for _ in members]
        if source.read(4) not in _ENDS:  # zipfile accepts a last entry that says it is longer than it is
            raise UnreadableFile(DAMAGED)
        _refuse_overlaps(members, archive.directory_start)
        at = shift = 0
        for member, place in sorted(zip(members, range(len(members)), strict=True), key=lambda one: one[0].start):
            start = member.start + shift
            if (blocks := contents.get(id(member.info))) is not None:
                yield from _copy(source, at, member.start)
                for block in member.deflate(blocks):
                    shift += len(block)
                    yield block
                at = member.stop
                shift -= member.stop - member.start
                entries[place] = member.rewrite_entry(entries[place])
            entries[place] = _move_entry(entries[place], start)
        yield from _copy(source, at, archive.directory_start)
        length = sum(map(len, entries))
        comment = archive.comment
        yield b"".join(entries)
        start = _limit(archive.directory_start + shift)
        yield _END.pack(_END_SIGN, 0, 0, len(entries), len(entries), length, start, len(comment)) + comment


class _Member:
    """A member of the file: it begins at byte `start` and ends before `stop`."""

    def __init__(self, source: BinaryIO, info: ZipInfo) -> None:
        self.info = info
        self.start = info.header_offset
        source.seek(max(self.start, 0))
        header = source.read(_HEADER.size if self.start >= 0 else 0)
        if len(header) < _HEADER.size or not header.startswith(_HEADER_SIGN):
            raise UnreadableFile(DAMAGED)
        self._fields = _HEADER.unpack(header)
        names = source.read(sum(self._fields[-2:]))
        self._name, self._extra = names[: self._fields[-2]], names[self._fields[-2] :]
        self.stop = self.start + len(header) + len(names) + info.compress_size
        self._sizes = (0, 0, 0)
        if self._fields[2] & _SIZES_FOLLOW:
            source.seek(self.stop)
            self.stop += _measure_sizes(source.read(24), info)

    def deflate(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the member with this content."""
        compressor = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
        extra = _drop_zip64(self._extra)
        head = self._fields[1:6]
        yield _HEADER.pack(_HEADER_SIGN, *_deflated(*head), 0, 0, 0, len(self._name), len(extra)) + self._name + extra
        checksum = packed = size = 0
        for block in blocks:
            checksum, size = zlib.crc32(block, checksum), size + len(block)
            if piece := compressor.compress(block):
                packed += len(piece)
                yield piece
        piece = compressor.flush()
        packed += len(piece)
        self._sizes = checksum, _limit(packed), _limit(size)
        yield piece + _SIZES.pack(_SIZES_SIGN, *self._sizes)

    def rewrite_entry(self, entry: bytes) -> bytes:
        """Return its entry in the list of members, after `deflate`."""
        sign, made_by, *fields = _ENTRY.unpack_from(entry)
        name_length, extra_length = fields[8:10]
        name_end = _ENTRY.size + name_length
        extra = _drop_zip64(entry[name_end : name_end + extra_length])
        head = sign, made_by, *_deflated(*fields[:5]), *self._sizes, name_length, len(extra), *fields[10:-1], 0
        return _ENTRY.pack(*head) + entry[_ENTRY.size : name_end] + extra + entry[name_end + extra_length :]


def _deflated(version: int, flags: int, _: int, time: int, date: int) -> tuple[int, ...]:
    return max(version, _FIRST_WITH_DEFLATED), flags & _UTF_8 | _SIZES_FOLLOW, _DEFLATED, time, date


def _measure_sizes(behind: bytes, info: ZipInfo) -> int:
    """Return the bytes of the checksum and sizes behind a member; 0 if they aren't there."""
    said = info.CRC, info.compress_size, info.file_size
    for form in _SIZES_FORMS:
        if len(behind) >= form.size and form.unpack_from(behind)[-3:] == said:
            return form.size
    return 0


def _read_entry(source: BinaryIO) -> bytes:
    entry = source.read(_ENTRY.size)
    if len(entry) < _ENTRY.size or not entry.startswith(_ENTRY_SIGN):
        raise UnreadableFile(DAMAGED)
    return entry + source.read(sum(_ENTRY.unpack(entry)[10:13]))


def _move_entry(entry: bytes, start: int) -> bytes:
    """Return an entry for a member that begins at `start`."""
    if entry[42:46] != b"\xff\xff\xff\xff":
        return entry[:42] + _limit(start).to_bytes(4, "little") + entry[46:]
    name_end = _ENTRY.size + int.from_bytes(entry[28:30], "little")
    for at, identifier, _ in _iterate_extra(entry[name_end:]):
        if identifier == _ZIP64:
            place = name_end + at + 4 + 8 * sum(entry[field : field + 4] == b"\xff\xff\xff\xff" for field in (20, 24))
            return entry[:place] + start.to_bytes(8, "little") + entry[place + 8 :]
    raise UnreadableFile(DAMAGED)


def _drop_zip64(extra: bytes) -> bytes:
    """Return extra fields without the one that has large sizes."""
    return b"".join(extra[at:stop] for at, identifier, stop in _iterate_extra(extra) if identifier != _ZIP64)


def _iterate_extra(extra: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield where each extra field begins, its identifier and where it ends; the last one may be no whole field."""
    at = 0
    while at < len(extra):
        identifier, length = (
            int.from_bytes(extra[at : at + 2], "little"),
            int.from_bytes(extra[at + 2 : at + 4], "little"),
        )
        yield at, identifier, at + 4 + length
        at += 4 + length


def _refuse_overlaps(members: list[_Member], directory_start: int) -> None:
    """Raise UnreadableFile if a member begins or ends within another: then none can be changed alone."""
    spans = sorted((member.start, member.stop) for member in members)
    for (_, stop), (start, _) in zip(spans, [*spans[1:], (directory_start, 0)], strict=True):
        if stop > start:
            raise UnreadableFile(DAMAGED)


def _limit(count: int) -> int:
    if count >= _IN_ZIP64:
        raise UnreadableFile(Message("The corrected workbook would have more than 4 GB. Save the sheet as CSV."))
    return count


def _copy(source: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    source.seek(start)
    while start < stop:
        block = source.read(min(READ_BYTES, stop - start))
        if not block:
            raise UnreadableFile(DAMAGED)
        start += len(block)
        yield block
