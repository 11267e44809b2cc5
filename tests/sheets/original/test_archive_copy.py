"""An archive again with new content in some members: all others lie in it as they did."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.original.archive_copy import copy_archive
from resolver.sheets.workbook.workbook_archive import Archive

LONG = b"".join(b"%d " % number for number in range(60_000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "upload"


class Unseekable(io.BytesIO):
    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation


def build(*, stream: bool = False, zip64: bool = False, reverse: bool = False, forget: str = "") -> bytes:
    """Members of all kinds: stored and deflated, with comments, extra fields, dates, and sizes before or behind."""
    buffer = Unseekable() if stream else io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = b"on all of it"
        for name, way in (("mimetype", zipfile.ZIP_STORED), ("x/ü.xml", zipfile.ZIP_DEFLATED), ("old", 0), ("z", 8)):
            info = zipfile.ZipInfo(name, (1999, 12, 31, 23, 58, 2))
            info.compress_type, info.comment, info.extra = way, name.encode(), struct.pack("<HH4s", 0x7777, 4, b"kept")
            info.external_attr = 0o640 << 16
            with archive.open(info, "w", force_zip64=zip64) as member:
                member.write(LONG if name == "z" else name.encode() * 20)
        archive.filelist = [info for info in archive.filelist if info.filename != forget]
        if reverse:
            archive.filelist.reverse()
    return buffer.getvalue()


def copied(path: Path, content: bytes, changed: dict[str, list[bytes]]) -> bytes:
    path.write_bytes(content)
    return b"".join(copy_archive(path, changed))


def raw_members(content: bytes) -> dict[str, bytes]:
    """Each member's bytes from its header to the next member."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    starts = sorted((info.header_offset, info.filename) for info in archive.infolist())
    stops = [start for start, _ in starts[1:]] + [archive.start_dir]
    return {name: content[start:stop] for (start, name), stop in zip(starts, stops, strict=True)}


def test_an_archive_without_changes_is_the_same_file(path: Path) -> None:
    for content in (build(), build(stream=True), build(stream=True, zip64=True)):
        assert copied(path, content, {}) == content


@pytest.mark.parametrize("kind", [{}, {"stream": True}, {"zip64": True}, {"stream": True, "zip64": True}])
def test_members_that_did_not_change_lie_in_the_archive_as_they_did(path: Path, kind: dict[str, bool]) -> None:
    content = build(**kind)
    found = copied(path, content, {"x/ü.xml": [b"new ", b"content"], "old": [b"", LONG]})
    before, after = raw_members(content), raw_members(found)
    assert list(before) == list(after)
    assert {name for name in before if before[name] != after[name]} == {"x/ü.xml", "old"}
    archive = zipfile.ZipFile(io.BytesIO(found))
    assert archive.testzip() is None
    assert (archive.read("x/ü.xml"), archive.read("old"), archive.read("z")) == (b"new content", LONG, LONG)


def test_dates_comments_attributes_and_extra_fields_stay_with_a_changed_member(path: Path) -> None:
    content = build(stream=True, zip64=True)
    found = zipfile.ZipFile(io.BytesIO(copied(path, content, {"x/ü.xml": [b"new"]})))
    was, now = zipfile.ZipFile(io.BytesIO(content)).getinfo("x/ü.xml"), found.getinfo("x/ü.xml")
    for kept in ("date_time", "comment", "external_attr", "create_system"):
        assert getattr(was, kept) == getattr(now, kept)
    assert now.extra == struct.pack("<HH4s", 0x7777, 4, b"kept")
    assert found.comment == b"on all of it"


def test_bytes_before_and_between_members_stay(path: Path) -> None:
    content = b"#!/bin/sh\n" + build(forget="x/ü.xml")
    found = copied(path, content, {"old": [b"new"]})
    start = zipfile.ZipFile(io.BytesIO(content)).getinfo("old").header_offset
    assert found[:start] == content[:start]
    assert raw_members(found)["z"] == raw_members(content)["z"]
    assert zipfile.ZipFile(io.BytesIO(found)).read("old") == b"new"


def test_the_last_of_two_members_with_one_name_changes(path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a", "first")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", "second")
    found = zipfile.ZipFile(io.BytesIO(copied(path, buffer.getvalue(), {"a": [b"new"]})))
    assert [found.read(info) for info in found.infolist()] == [b"first", b"new"]


def test_a_list_of_members_in_another_order_than_theirs_stays_so(path: Path) -> None:
    found = zipfile.ZipFile(io.BytesIO(copied(path, build(reverse=True), {"old": [b"new"]})))
    assert found.namelist() == ["z", "old", "x/ü.xml", "mimetype"]
    assert (found.testzip(), found.read("old"), found.read("z")) == (None, b"new", LONG)


def test_overlapping_members_are_refused_before_the_first_byte(path: Path) -> None:
    content = bytearray(build())
    archive = zipfile.ZipFile(io.BytesIO(content))
    first, second = archive.infolist()[:2]
    entry = content.index(b"PK\x01\x02", archive.start_dir + 1)
    content[entry + 42 : entry + 46] = first.header_offset.to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="damaged"):
        next(copy_archive(path, {"z": [b"new"]}))
    assert second.header_offset


def test_a_header_that_is_not_there_is_refused_before_the_first_byte(path: Path) -> None:
    path.write_bytes(b"XX" + build()[2:])
    with pytest.raises(UnreadableFile, match="damaged"):
        next(copy_archive(path, {"z": [b"new"]}))


@pytest.mark.parametrize("more", [1, 4, 8, 22, 300])
def test_a_last_entry_that_says_it_is_longer_than_it_is_is_refused_before_the_first_byte(path: Path, more: int) -> None:
    for field in (28, 30, 32):  # the lengths of name, extra fields and comment
        content = bytearray(build(stream=True))
        entry = content.rindex(b"PK\x01\x02")
        length = int.from_bytes(content[entry + field : entry + field + 2], "little") + more
        content[entry + field : entry + field + 2] = length.to_bytes(2, "little")
        path.write_bytes(content)
        with pytest.raises(UnreadableFile, match="damaged"):
            next(copy_archive(path, {"old": [b"new"]}))


def test_an_archive_whose_list_is_said_to_begin_later_is_refused_before_the_first_byte(path: Path) -> None:
    content = bytearray(build())
    place = content.rindex(b"PK\x05\x06") + 16
    start = int.from_bytes(content[place : place + 4], "little") + 50
    content[place : place + 4] = start.to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match="damaged"):
        next(copy_archive(path, {"z": [b"new"]}))


def test_the_archive_is_sent_while_it_is_read_and_memory_does_not_grow(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("stored", b"x" * 30_000_000)
        archive.writestr("other", b"")

    def blocks() -> Iterator[bytes]:
        for number in range(500):
            yield bytes((number % 256,)) * 65_536

    tracemalloc.start()
    try:
        size = sum(map(len, copy_archive(path, {"other": blocks()})))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 30_000_000
    assert peak < 2_000_000


def test_signed_workbooks_are_known(path: Path) -> None:
    for name, signed in (("_xmlsignatures/sig1.xml", True), ("META-INF/documentsignatures.xml", True), ("a", False)):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(name, "")
        with Archive(path) as archive:
            assert archive.is_signed is signed
