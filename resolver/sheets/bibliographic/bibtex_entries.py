"""The entries of a BibTeX file as bytes: found by their braces, each with its place in the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from resolver.sheets.bibliographic.record import MOST_BYTES

_PIECE = 1 << 16
_START = re.compile(rb"@\s{0,100}([A-Za-z]{1,50})\s{0,100}([{(])")
_NEXT = re.compile(rb"[\r\n][ \t]{0,100}@[ \t]{0,100}[A-Za-z]{1,50}[ \t]{0,100}[{(][^\s{}()=,\"]{0,300},")
_SIGN = re.compile(rb"[{}()\r\n]")
_LONGEST_START = 400  # bytes that decide whether an entry begins here
_COMMENTED = re.compile(rb"%[ \t]{0,9}\Z")
_LONGEST_MARK = 10


@dataclass(frozen=True, slots=True)
class RawEntry:
    """`raw` begins at byte `start` with the @; `body` is where the text behind the opening brace begins in it. Without
    `closed`, the braces of the entry don't end before the next one begins."""

    start: int
    raw: bytes
    type: str
    body: int
    closed: bool


class _Window:
    """The part of the file that is looked at, from byte `base` on."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.text = b""
        self.base = 0
        self.ended = False

    def more(self) -> None:
        """Read on."""
        piece = self._stream.read(max(_PIECE, len(self.text)))  # doubled: each byte is copied but a few times
        self.ended = not piece
        self.text += piece

    def drop(self, count: int) -> None:
        """Forget the first bytes."""
        self.text = self.text[count:]
        self.base += count


def read_raw_entries(stream: BinaryIO) -> Iterator[RawEntry]:
    """Yield the entries, comments and definitions in order. What stands between them is passed over."""
    window = _Window(stream)
    at = 0
    while True:
        at = window.text.find(b"@", at)
        if at < 0 or (len(window.text) - at < _LONGEST_START and not window.ended):
            passed = len(window.text) if at < 0 else max(at - _LONGEST_MARK, 0)
            window.drop(passed)
            at = max(at - passed, 0)
            if window.ended:
                return
            window.more()
            continue
        match = _START.match(window.text, at)
        if match is None or _COMMENTED.search(window.text, max(at - _LONGEST_MARK, 0), at):
            at += 1
            continue
        window.drop(at)
        entry = _read_entry(window, match[1].decode("ascii").lower(), match.end() - at, match[2] == b"{")
        yield entry
        at = 0
        window.drop(len(entry.raw))


def _read_entry(window: _Window, kind: str, body: int, braces: bool) -> RawEntry:
    """Return the entry at the start of the window."""
    depth, at = 0 if not braces else 1, body
    while True:
        match = _SIGN.search(window.text, at)
        if match is None or (match.group() in b"\r\n" and len(window.text) - match.start() < _LONGEST_START):
            if not window.ended and len(window.text) <= MOST_BYTES:
                at = match.start() if match else len(window.text)
                window.more()
                continue
            if match is None:
                return RawEntry(window.base, window.text, kind, body, closed=False)
        sign, at = match.group(), match.end()
        if sign in (b"\r", b"\n"):
            if match.start() > MOST_BYTES or _NEXT.match(window.text, match.start()):
                return RawEntry(window.base, window.text[: match.start()], kind, body, closed=False)
            continue
        depth += (sign == b"{") - (sign == b"}")
        if (depth <= 0 and sign == b"}") if braces else (depth == 0 and sign == b")"):
            return RawEntry(window.base, window.text[:at], kind, body, closed=True)
