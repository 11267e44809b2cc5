"""BOM, strict UTF-8, UTF-16 by NUL bytes, Windows-1252: in that order, over the whole file."""

import pytest

from tests.sheets.reader import SheetReader

TEXT = "title,doi\r\nMüller – “Œuvre”,10.1000/1\r\nB,10.1000/é\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_every_encoding_gives_the_same_rows(reader: SheetReader, encoding: str):
    found = reader(TEXT.encode(encoding))
    assert found.layout.header == ("title", "doi")
    assert found.rows == [["Müller – “Œuvre”", "10.1000/1"], ["B", "10.1000/é"]]


def test_big_endian_utf16_with_its_mark(reader: SheetReader):
    assert reader(b"\xfe\xff" + TEXT.encode("utf-16-be")).dois == ["10.1000/1", "10.1000/é"]


def test_the_first_byte_that_is_no_utf8_may_come_late(reader: SheetReader):
    rows = "A,10.1000/1\n" * 40_000
    assert reader(f"t,doi\n{rows}Müller,10.1000/2\n".encode("cp1252")).rows[-1] == ["Müller", "10.1000/2"]


def test_a_character_across_two_blocks_is_no_error(reader: SheetReader):
    for shift in range(4):
        text = "doi\n" + "x" * (65_536 - 6 - shift) + "€€\n10.1000/1\n"
        assert reader(text).layout.encoding == "utf-8"


def test_broken_utf8_is_refused_with_its_line_and_not_read_as_windows_text(reader: SheetReader):
    error = reader.refused("t,doi\nÄÖÜ,10.1000/1\n".encode() + b"\xfc,10.1000/2\n")
    assert (error.line, "UTF-8" in error.reason) == (3, True)


def test_a_byte_that_no_encoding_has_is_refused_with_its_line(reader: SheetReader):
    assert reader.refused(b"t,doi\nM\xfcller,10.1000/1\n\x81,10.1000/2\n").line == 3


def test_half_a_utf16_character_is_refused(reader: SheetReader):
    assert "UTF-16" in reader.refused("doi\n10.1000/1\n".encode("utf-16") + b"1").reason


def test_a_binary_file_is_refused(reader: SheetReader):
    assert "NUL" in reader.refused(bytes(range(256)) * 8).reason
