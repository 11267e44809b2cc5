"""The lines of a file with their places in it, whatever ends them."""

from collections.abc import Iterator
from typing import BinaryIO

from resolver.sheets.bibliographic.record import MOST_BYTES
from resolver.sheets.bibliographic.text_codec import BOM

_PIECE = 1 << 16

ByteLine = tuple[int, bytes]
"""The first byte of a line, and the line without what ends it."""


def read_byte_lines(stream: BinaryIO) -> Iterator[ByteLine]:
    """Yield the lines, without the byte order mark of the first. A line of more than MOST_BYTES comes in pieces."""
    at = size = 0
    held: list[bytes] = []
    while piece := stream.readline(_PIECE):
        if at == 0 and not held and piece.startswith(BOM):
            at, piece = len(BOM), piece[len(BOM) :]
        held.append(piece)
        size += len(piece)
        if size < MOST_BYTES and not piece.endswith(b"\n") and b"\r" not in piece:
            continue
        lines = b"".join(held).splitlines(keepends=True)  # old files have only carriage returns
        # What is not ended may go on, and a line feed may follow the carriage return.
        rest = lines.pop() if lines and not lines[-1].endswith(b"\n") and len(lines[-1]) < MOST_BYTES else b""
        for line in lines:
            yield at, line.rstrip(b"\r\n")
            at += len(line)
        held, size = [rest], len(rest)
    for line in b"".join(held).splitlines(keepends=True):
        yield at, line.rstrip(b"\r\n")
        at += len(line)
