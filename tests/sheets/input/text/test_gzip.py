"""Text in gzip: put together from pieces, cut off, filled up, and with heads that have no end."""

import gzip
import os
import random
import struct
import time
import zlib
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.text.gzip import make_opener
from tests.sheets.reader import SheetReader

LIST = b"doi\n10.1000/1\n"
HEAD = b"\x1f\x8b\x08"
PATIENCE = 20.0  # seconds of the processor; what these tests are about took minutes


def unpacked(folder: Path, packed: bytes, piece: int = 1 << 16) -> bytes:
    (folder / "packed").write_bytes(packed)
    with make_opener(folder / "packed", True, 1 << 30)() as stream:
        return b"".join(iter(lambda: stream.read(piece), b""))


@pytest.mark.parametrize("level", [0, 1, 9])
@pytest.mark.parametrize("size", [0, 1, 257, 16_384, 65_536, 65_537, 1_000_000])
def test_what_was_packed_comes_out(tmp_path: Path, size: int, level: int):
    some = random.Random(size).randbytes(size // 2) + b"a" * (size - size // 2)
    assert unpacked(tmp_path, gzip.compress(some, level)) == some
    assert unpacked(tmp_path, gzip.compress(some, level), piece=7_001) == some


def test_files_put_together_are_one(tmp_path: Path):
    pieces = [os.urandom(number * 37) for number in range(300)]
    assert unpacked(tmp_path, b"".join(map(gzip.compress, pieces))) == b"".join(pieces)


@pytest.mark.parametrize("zeros", [1, 16_383, 100_000])
def test_zeros_behind_the_last_one_are_none_of_it(reader: SheetReader, zeros: int):
    assert reader(gzip.compress(LIST) + bytes(zeros)).dois == ["10.1000/1"]


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path):
    packed = gzip.compress(LIST * 50)
    for end in range(3, len(packed)):
        with pytest.raises(UnreadableFile, match="cut off or damaged"):
            unpacked(tmp_path, packed[:end])


@pytest.mark.parametrize("damage", [b"something else", HEAD + b"\xff" * 20])
def test_what_stands_behind_the_last_one_is_refused(reader: SheetReader, damage: bytes):
    assert "damaged" in reader.refused(gzip.compress(LIST) + damage).reason


def test_a_wrong_sum_is_refused(reader: SheetReader):
    packed = gzip.compress(LIST)
    assert "damaged" in reader.refused(packed[:-8] + struct.pack("<II", 1, len(LIST))).reason


def test_a_name_of_any_length_in_its_head_takes_no_time(reader: SheetReader):
    began = time.process_time()
    named = HEAD + b"\x08" + bytes(6) + b"n" * 20_000_000
    assert reader(named + b"\0" + gzip.compress(LIST)[10:]).dois == ["10.1000/1"]
    assert "damaged" in reader.refused(named).reason
    assert time.process_time() - began < PATIENCE


def test_files_without_content_are_not_counted_for_ever(reader: SheetReader):
    began = time.process_time()
    error = reader.refused(gzip.compress(LIST) + gzip.compress(b"") * 500_000)
    assert "has more than 100,000 parts" in error.reason
    assert time.process_time() - began < PATIENCE


def test_blocks_without_content_take_no_time(reader: SheetReader):
    began = time.process_time()
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = packer.compress(LIST) + packer.flush(zlib.Z_FULL_FLUSH)
    assert "damaged" in reader.refused(head + b"\x00\x00\x00\xff\xff" * 8_000_000).reason
    assert time.process_time() - began < PATIENCE


@pytest.mark.slow
def test_a_line_of_five_gigabytes_is_refused_with_its_number(reader: SheetReader):
    long = gzip.compress(b"x" * (64 << 20), 1) * 80
    began = time.process_time()
    assert _refusal(reader, long) == (1, True)
    assert _refusal(reader, gzip.compress(b"doi\n" + b"10.1000/1\n" * 20_000) + long) == (20_002, True)
    assert time.process_time() - began < PATIENCE


def _refusal(reader: SheetReader, packed: bytes) -> tuple[int | None, bool]:
    error = reader.refused(packed)
    return error.line, "This line has more than 4,000,000 characters" in error.reason


def test_more_than_may_be_unpacked_is_refused_with_the_line_at_which_it_is_reached(reader: SheetReader):
    error = reader.refused(gzip.compress(b"doi\n" + b"10.1000/1\n" * 200_000), max_expanded=1_800_000)
    assert "1,800,000 bytes" in error.reason
    assert 170_000 < (error.line or 0) <= 180_001


def test_an_open_quotation_mark_is_told_before_the_size_of_all_that_follows(reader: SheetReader):
    packed = gzip.compress(b'doi,a\n10.1000/1,"') + gzip.compress(b"10.1000/2\n" * 2_000_000)
    error = reader.refused(packed, max_expanded=9_000_000)
    assert (error.line, "quotation mark is closed" in error.reason) == (2, True)


def test_damage_within_a_character_is_no_wrong_encoding(reader: SheetReader):
    packed = zlib.compressobj(0, zlib.DEFLATED, 31)
    whole = packed.compress(b"doi\n" + b"10.1000/1\n" * 9_000 + "ä".encode() * 3_000_000) + packed.flush()
    for cut in (6_000_000, 6_000_001):
        assert "damaged" in reader.refused(whole[:cut], max_expanded=1 << 30).reason
