"""The lines of a file with their byte positions, whatever ends them."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import BinaryIO

from resolver.sheets.bibliographic.record import MAX_RECORD_BYTES, READ_BYTES

ByteLine = tuple[int, bytes]
"""The first byte of a line, and the line without what ends it."""


def read_byte_lines(stream: BinaryIO) -> Iterator[ByteLine]:
    """Yield the lines, without the byte order mark of the first. One of more than MAX_RECORD_BYTES comes in parts."""
    at = size = 0
    held: list[bytes] = []
    while piece := stream.readline(READ_BYTES):
        if at == 0 and not held and piece.startswith(BOM_UTF8):
            at, piece = len(BOM_UTF8), piece[len(BOM_UTF8) :]
        held.append(piece)
        size += len(piece)
        if size < MAX_RECORD_BYTES and not piece.endswith(b"\n") and b"\r" not in piece:
            continue
        lines = b"".join(held).splitlines(keepends=True)  # old files have only carriage returns
        # More of the last line may follow, or a line feed behind its carriage return.
        rest = lines.pop() if lines and not lines[-1].endswith(b"\n") and len(lines[-1]) < MAX_RECORD_BYTES else b""
        for line in lines:
            yield at, line.rstrip(b"\r\n")
            at += len(line)
        held, size = [rest], len(rest)
    for line in b"".join(held).splitlines(keepends=True):
        yield at, line.rstrip(b"\r\n")
        at += len(line)
