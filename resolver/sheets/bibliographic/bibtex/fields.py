"""The fields of a BibTeX entry, with the places of their values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from resolver.sheets.bibliographic.bibtex.braces import find_closing
from resolver.sheets.bibliographic.record import MAX_RECORD_PARTS
from resolver.sheets.bibliographic.text_codec import trim

_NAME = re.compile(rb"([^\s=,{}\"#()%']{1,100})\s*+=\s*+")
_KEY = re.compile(rb"\s*+([^\s,{}=]{0,500}+)(?=\s*+(?:[,})]|$|[^\s,{}\"#()%'=]{1,100}\s*+=))")
_NO_KEY = re.compile(rb"\s*+(?=[^\s,{}\"#()%'=]{1,100}\s*+=)")
_PLAIN = re.compile(rb"[^\s,#{}\"=()]+")
_JOIN = re.compile(rb"\s*+#\s*+")
_URL = re.compile(rb"\\url\s{0,9}\{([^{}\\]*(?:\\.[^{}\\]*)*)\}", re.DOTALL)
_AFTER = re.compile(rb"(?:\s|%[^\r\n]*+)*+(?:,|$|(?=[A-Za-z][^\s,{}\"#()%'=]{0,99}\s*+=))(?:[\s,]|%[^\r\n]*+)*+")


class BrokenEntry(ValueError):
    """The fields of an entry can't be separated."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a value, from `start` to before `end`, without its enclosing signs: `{`, `"` or none."""

    start: int
    end: int
    opener: str


@dataclass(frozen=True, slots=True)
class EntryField:
    """A field, whose name is at `start`. `pieces` are joined with # in the file."""

    name: str
    pieces: tuple[Piece, ...]
    start: int

    @property
    def end(self) -> int:
        """The end of the value with its enclosing sign."""
        last = self.pieces[-1]
        return last.end + len(last.opener)


def read_key(raw: bytes, at: int, end: int) -> tuple[str, int]:
    """Return the citation key and where the fields begin. Raises BrokenEntry."""
    if missing := _NO_KEY.match(raw, at, end):
        return "", missing.end()
    match = _KEY.match(raw, at, end)
    if match is None:
        raise BrokenEntry
    return match[1].decode("utf-8", "replace"), match.end()


def read_fields(raw: bytes, at: int, end: int) -> Iterator[EntryField]:
    """Yield the fields from `at` to before `end`. Raises BrokenEntry."""
    start = _AFTER.match(raw, at, end)
    if start is None:
        raise BrokenEntry
    at, left = start.end(), MAX_RECORD_PARTS
    while at < end:
        match = _NAME.match(raw, at, end)
        if match is None:
            raise BrokenEntry
        pieces, at = [], match.end()
        while True:
            piece, at = _read_piece(raw, at, end)
            pieces.append(piece)
            left -= 1
            if left < 0:
                raise BrokenEntry
            joined = _JOIN.match(raw, at, end)
            if joined is None:
                break
            at = joined.end()
        rest = _AFTER.match(raw, at, end)
        if rest is None:
            raise BrokenEntry
        yield EntryField(match[1].decode("latin-1").lower(), tuple(pieces), match.start())
        at = rest.end()


def find_inner(raw: bytes, piece: Piece) -> tuple[int, int]:
    r"""Return the value without white space, and without braces or a `\url{}` that enclose all of it."""
    start, end = trim(raw, piece.start, piece.end)
    for _ in range(3):  # layers
        if end - start > 1 and raw[start] == 0x7B and raw[end - 1] == 0x7D and _encloses(raw[start:end]):
            start, end = trim(raw, start + 1, end - 1)
        elif command := _URL.fullmatch(raw, start, end):
            start, end = trim(raw, *command.span(1))
        else:
            break
    return start, end


def _encloses(value: bytes) -> bool:
    """Return whether the first brace is closed by the last."""
    inside = value[1:-1]
    if b"{" not in inside and b"}" not in inside:
        return not inside.startswith(b"\\")
    return find_closing(value, 1, len(value), quoted=False) == len(value) - 1


def _read_piece(raw: bytes, at: int, end: int) -> tuple[Piece, int]:
    opener = raw[at : at + 1] if at < end else b""
    if opener == b"{":
        last = find_closing(raw, at + 1, end, quoted=False)
    elif opener == b'"':
        last = find_closing(raw, at + 1, end, quoted=True)
    else:
        match = _PLAIN.match(raw, at, end)
        if match is None:
            raise BrokenEntry
        return Piece(at, match.end(), ""), match.end()
    if last < 0:
        raise BrokenEntry
    return Piece(at + 1, last, opener.decode("ascii")), last + 1
