"""The objects of a JSON file as ranges of bytes, and their strings as places."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    MAX_SHOWN_CHARACTERS,
    READ_BYTES,
    RECORD_TOO_LONG,
    BibliographicRecord,
    Place,
    Role,
)
from resolver.sheets.bibliographic.text_codec import decode, encode, trim_text

_MAX_VALUES = 200_000  # of a record
_SIGN = re.compile(rb"[{}\"]")
_STRING = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"", re.S)
DAMAGED = Message("The record is not valid JSON.")
_TOO_MANY = Message("The record has more than {count} values.", count=_MAX_VALUES)


@dataclass(slots=True)
class Window:
    """A part of the file in memory: `bytes`, which begin at byte `base` of it."""

    stream: BinaryIO
    bytes: bytes
    base: int = 0

    def read_on(self, kept: int) -> bool:
        """Read more, and drop the bytes before index `kept`. Return False at the end of the file. Each reading doubles
        the window, so each byte is copied but a few times."""
        self.base, self.bytes = self.base + kept, self.bytes[kept:]
        piece = self.stream.read(max(READ_BYTES, len(self.bytes)))
        self.bytes += piece
        return bool(piece)

    def find_end(self, first: int) -> tuple[int, int]:
        """Return the new start and the end of the object at index `first`. The end is 0 if it is not closed within
        MAX_RECORD_BYTES."""
        depth, at = 0, first
        while True:
            end, depth, at = _walk(self.bytes, depth, at)
            if end or len(self.bytes) - first > MAX_RECORD_BYTES:
                return first, end
            at, first, kept = at - first, 0, first
            if not self.read_on(kept):
                return first, 0


def _walk(window: bytes, depth: int, at: int) -> tuple[int, int, int]:
    """Return the end of the object (0: not here), the depth, and where to continue when there is more."""
    while match := _SIGN.search(window, at):
        if match.group() == b'"':
            string = _STRING.match(window, match.start())
            if string is None:
                return 0, depth, match.start()
            at = string.end()
            continue
        at = match.end()
        depth += 1 if match.group() == b"{" else -1
        if depth == 0:
            return at, 0, at
    return 0, depth, len(window)


def load_object(start: int, raw: bytes) -> tuple[dict[str, Any], str] | BibliographicRecord:
    """Return the value of an object and its codec, or a record with the fault if it can't be read."""
    end = start + len(raw)
    if raw.count(b",") + raw.count(b"{") + raw.count(b"[") > _MAX_VALUES:
        return BibliographicRecord(start, end, fault=_TOO_MANY)
    text, codec = decode(raw)
    try:
        return json.loads(text), codec
    except (ValueError, RecursionError):
        return BibliographicRecord(start, end, fault=DAMAGED)


def build_unclosed(start: int, raw: bytes) -> BibliographicRecord:
    """Return the record for an object that has no end."""
    return BibliographicRecord(
        start, start + len(raw), fault=RECORD_TOO_LONG if len(raw) > MAX_RECORD_BYTES else DAMAGED
    )


def read_string(token: bytes, codec: str) -> str:
    """Return the text of a string with its quotation marks."""
    return replace_halves(json.loads(token.decode(codec, "replace")))


def build_encoder(raw: bytes, codec: str) -> partial[bytes]:
    """Return the `encode` of places in this object."""
    return partial(_encode, slashes=rb"\/" in raw, codec="ascii" if raw.isascii() else codec)


def make_string_place(
    name: str, role: Role, raw: bytes, first: int, span: tuple[int, int], codec: str
) -> Iterator[Place]:
    """Yield the place of a whole string. `span` is that of its token in `raw`, which begins at byte `first`."""
    start, end = span
    inner = raw[start + 1 : end - 1]
    begin = first + start + 1 + len(inner) - len(inner.lstrip())
    text = trim_text(read_string(raw[start:end], codec))
    yield from make_place(name, text, ((begin, begin + len(inner.strip())),), role, build_encoder(raw, codec), None)


def replace_halves(text: str) -> str:
    """Return the text with U+FFFD for halves of characters, which JSON may hold and nothing else."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encode(text: str, *, slashes: bool, codec: str) -> bytes:
    """Return the text in the file's style: with `\\/`, or with `\\u` for all but ASCII. Raises NotWritable."""
    written = json.dumps(text, ensure_ascii=codec == "ascii")[1:-1]
    return encode(codec, written.replace("/", r"\/") if slashes else written)


def shorten(value: object) -> str:
    """Return a text or a number for people, "" for anything else."""
    return replace_halves(str(value)[:MAX_SHOWN_CHARACTERS]) if isinstance(value, str | int) else ""
