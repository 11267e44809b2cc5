"""The lines of a file: none is cut because of what stands at the edge of a piece that was read."""

import io

import pytest

from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.record import MAX_RECORD_BYTES


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize("longer", range(-3, 4))
def test_a_line_over_an_edge_stays_whole(end: bytes, longer: int) -> None:
    lines = [b"x" * ((1 << 16) + longer), b"", b"DO  - 10.1000/182", b"y" * 100_000, b"ER  -"]
    data = b"\xef\xbb\xbf" + end.join(lines)
    found = list(read_byte_lines(io.BytesIO(data)))
    assert [line for _, line in found] == lines
    assert all(data[at : at + len(line)] == line for at, line in found)


def test_a_line_over_eight_mebibytes_of_carriage_returns_stays_whole() -> None:
    data = (b"AB  - " + b"y" * 999 + b"\r") * (MAX_RECORD_BYTES // 1006 + 2)
    assert {line for _, line in read_byte_lines(io.BytesIO(data))} == {b"AB  - " + b"y" * 999}


def test_a_very_long_line_comes_in_pieces() -> None:
    data = b"x" * (MAX_RECORD_BYTES * 2 + 10) + b"\nz"
    found = list(read_byte_lines(io.BytesIO(data)))
    assert max(len(line) for _, line in found) <= MAX_RECORD_BYTES + (1 << 16)
    assert b"".join(line for _, line in found) == data.replace(b"\n", b"")
