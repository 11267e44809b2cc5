"""The entries of a BibTeX file as bytes, found by their braces, with their positions in the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from resolver.sheets.bibliographic.bibtex.braces import BRACES_BEFORE_SKIP, skip_nested
from resolver.sheets.bibliographic.record import MAX_RECORD_BYTES, READ_BYTES

_START = re.compile(rb"@\s{0,100}([A-Za-z]{1,50})\s{0,100}([{(])")
_FIELD = rb"[A-Za-z][\w-]{0,50}\s{0,99}=\s{0,99}[\w{\"]"
_NEXT = re.compile(
    rb"[\r\n][ \t]{0,100}@[ \t]{0,100}[A-Za-z]{1,50}[ \t]{0,100}[{(]\s{0,100}+(?:[^\r\n{},]{0,300}+\s{0,100}+,|"
    + _FIELD
    + rb")"
)
_LEFT_OVER = re.compile(rb"[\s},]{0,300}" + _FIELD)
_BEGINS = rb"[\r\n](?=[ \t]{0,100}@)"  # perhaps an entry
_LINE_BEGINS = re.compile(_BEGINS)
_NESTED = re.compile(rb"[{}]|" + _BEGINS)
_IN_QUOTES = re.compile(rb"[\"{}]|" + _BEGINS)
_IN_PARENTHESES = re.compile(rb"(?:\"[^\"{}\r\n]*+\"[^)\"{}\r\n]*+)++|[)\"{}]|" + _BEGINS)
_IN_COMMENT = re.compile(rb"[){}]|" + _BEGINS)
_START_BYTES = 1000  # that decide whether an entry begins here
_COMMENTED = re.compile(rb"%[ \t]{0,9}\Z")


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry whose `raw` begins at byte `start` with the @, and behind its opening brace at `body`. Without `closed`,
    its braces don't end before the next one begins."""

    start: int
    raw: bytes
    type: str
    body: int
    closed: bool


class _Window:
    """A part of the file in memory, from byte `base` on. The bytes before `at` are read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.text = b""
        self.base = 0
        self.at = 0
        self.ended = False

    def read_more(self) -> None:
        """Read more of the file. `at` becomes 0."""
        self.pass_over(0, now=True)
        piece = self._stream.read(max(READ_BYTES, len(self.text)))  # doubled: each byte is copied but a few times
        self.ended = not piece
        self.text += piece

    def pass_over(self, count: int, *, now: bool = False) -> None:
        """Move on by so many bytes. Many are dropped at a time."""
        self.at += count
        if now or self.at > READ_BYTES:
            self.text, self.base, self.at = self.text[self.at :], self.base + self.at, 0

    def has(self, end: int) -> bool:
        """Return whether so many bytes are there from `at` on, or all that the file has."""
        return self.ended or len(self.text) - self.at >= end


def read_raw_entries(stream: BinaryIO) -> Iterator[RawEntry]:
    """Yield the entries, comments and definitions in order, without the text between them."""
    window = _Window(stream)
    while True:
        match = _START.search(window.text, window.at)
        if match is None:
            if window.ended:
                return
            window.pass_over(max(len(window.text) - _START_BYTES - window.at, 0))
            window.read_more()
            continue
        found = match.start()
        if _COMMENTED.search(window.text, max(found - 10, 0), found):
            window.pass_over(found + 1 - window.at)
            continue
        window.pass_over(found - window.at)
        entry = _read_entry(window, match[1].decode("ascii").lower(), match.end() - found, match[2] == b"{")
        if entry.closed and _has_left_over(window, len(entry.raw)):
            entry = _read_broken(window, entry)
        yield entry
        window.pass_over(len(entry.raw))


def _read_entry(window: _Window, kind: str, body: int, braces: bool) -> RawEntry:
    # The entry begins at `window.at`, from which `at` counts. `inner` is a line within braces that may begin an entry,
    # with the depth there.
    depth, at, quoted = int(braces), body, False
    inner = inner_depth = seen = 0
    opened = False
    while True:
        match = _choose_signs(braces or depth != 0, quoted, kind).search(window.text, window.at + at)
        found = match.start() - window.at if match else len(window.text) - window.at
        if match is None or (match.group() in b"\r\n" and not window.has(found + _START_BYTES)):
            if not window.ended and found <= MAX_RECORD_BYTES:
                at = max(found - _START_BYTES, at) if match is None else found
                window.read_more()
                continue
            if match is None:
                return _build_entry(window, kind, body, inner or found, closed=False)
        if found > MAX_RECORD_BYTES:
            return _read_broken(window, _build_entry(window, kind, body, inner or found, closed=False))
        sign, at = match.group(), match.end() - window.at
        if sign in (b"\r", b"\n"):
            begins = _NEXT.match(window.text, match.start())
            if begins and (inner or depth <= int(braces)):
                return _build_entry(window, kind, body, inner or found, closed=False)
            if begins:
                inner, inner_depth, opened = found, depth, False
            continue
        if sign.startswith(b'"'):
            quoted ^= sign == b'"'  # else each is closed
            continue
        depth += (sign == b"{") - (sign == b"}")
        if inner and depth < inner_depth:
            inner = 0  # it was no entry, but a part of a value, which ends here
        elif inner and sign == b"{" and depth == inner_depth + 1:
            if opened:  # it was closed, and more follows than the end of a value
                return _build_entry(window, kind, body, inner, closed=False)
            opened = True
        if (depth <= 0 and sign == b"}") if braces else (depth == 0 and sign == b")" and not quoted):
            return _build_entry(window, kind, body, at, closed=True)
        seen += 1
        if seen % BRACES_BEFORE_SKIP == 0 and depth > 0:
            at, depth = _skip(window, at, depth, inner_depth if inner else 0)


def _choose_signs(nested: bool, quoted: bool, kind: str) -> re.Pattern[bytes]:
    """Return the pattern of what counts here. Only braces do within braces; else parentheses, and quotation marks."""
    if nested:
        return _NESTED
    if kind == "comment":
        return _IN_COMMENT
    return _IN_QUOTES if quoted else _IN_PARENTHESES


def _skip(window: _Window, at: int, depth: int, lowest: int) -> tuple[int, int]:
    """Return a later place within the braces and the depth there; no entry seems to begin before it."""
    start = window.at + at
    begins = _LINE_BEGINS.search(window.text, start)
    end = begins.start() if begins else len(window.text) - _START_BYTES
    later, depth = skip_nested(window.text, start, end, depth, lowest)
    return later - window.at, depth


def _build_entry(window: _Window, kind: str, body: int, end: int, *, closed: bool) -> RawEntry:
    raw = window.text[window.at : window.at + end]
    return RawEntry(window.base + window.at, raw, kind, body, closed=closed)


def _has_left_over(window: _Window, end: int) -> bool:
    """Return whether fields follow the end of the entry: a brace too many ended it."""
    while not window.has(end + _START_BYTES):
        window.read_more()
    return bool(_LEFT_OVER.match(window.text, window.at + end))


def _read_broken(window: _Window, entry: RawEntry) -> RawEntry:
    """Return the entry up to where the next begins."""
    at = len(entry.raw)
    while True:
        match = _NEXT.search(window.text, window.at + at)
        if match:
            return _build_entry(window, entry.type, entry.body, match.start() - window.at, closed=False)
        if window.ended or len(window.text) - window.at > MAX_RECORD_BYTES:
            return _build_entry(window, entry.type, entry.body, len(window.text) - window.at, closed=False)
        at = max(len(window.text) - window.at - _START_BYTES, len(entry.raw))
        window.read_more()
