"""Values decoded from bytes, and encoded in the same encoding again."""

import codecs
import re
from collections.abc import Iterable

from doi_reading import Message
from resolver.sheets.left_out import NotWritable

_OTHER = "cp1252"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class NoSuchCharacter(NotWritable):
    """A character that the encoding of the file doesn't have, or perhaps not."""

    def __init__(self, character: str) -> None:
        super().__init__(Message("The file's encoding has no “{character}”.", character=character))


def is_utf8(blocks: Iterable[bytes]) -> bool:
    """Return whether the bytes together are UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for block in blocks:
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decode(raw: bytes) -> tuple[str, str]:
    """Return the text and its codec: UTF-8 where the bytes are that, else Windows-1252."""
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return raw.decode(_OTHER, "replace"), _OTHER


def encode(codec: str, text: str) -> bytes:
    """Return the text in this codec. Raises NotWritable."""
    if _CONTROL.search(text):
        raise NotWritable(Message("A line break or another control character can't be written into this field."))
    try:
        return text.encode(codec)
    except UnicodeEncodeError as error:
        raise NoSuchCharacter(text[error.start]) from error


def trim_text(text: str) -> str:
    """Return the text without the white space that `trim` leaves out. A no-break space is a part of the value."""
    return text.strip(" \t\n\r\x0b\x0c")


def trim(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """Return the span without the white space at both ends. `start` and `end` are places in `raw`."""
    piece = raw[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())
