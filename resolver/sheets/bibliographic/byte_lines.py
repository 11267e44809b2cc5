"""The lines of a file with their places in it, whatever ends them."""

from collections.abc import Iterator
from typing import BinaryIO

from resolver.sheets.bibliographic.record import MOST_BYTES
from resolver.sheets.bibliographic.text_codec import BOM

ByteLine = tuple[int, bytes]
"""The first byte of a line, and the line without what ends it."""


def read_byte_lines(stream: BinaryIO) -> Iterator[ByteLine]:
    """Yield the lines, without the byte order mark of the first. A line of more than MOST_BYTES comes in pieces."""
    at = 0
    while piece := stream.readline(MOST_BYTES):
        if at == 0 and piece.startswith(BOM):
            at, piece = len(BOM), piece[len(BOM) :]
        for line in piece.splitlines(keepends=True):  # old files have only carriage returns
            yield at, line.rstrip(b"\r\n")
            at += len(line)
