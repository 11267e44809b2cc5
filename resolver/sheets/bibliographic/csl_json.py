"""CSL-JSON, as Zotero, Crossref and citation tools write it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

from resolver.domain.message import Message
from resolver.sheets.bibliographic.places import place_of, spans_in_note
from resolver.sheets.bibliographic.record import MOST_BYTES, MOST_PLACES, BibliographicRecord, Edit, Place, Role, splice

_PIECE = 1 << 16
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:\[\s{0,1000}+\{(?=.{0,8000}?\"(?:type|DOI|URL)\"\s{0,100}:)"
    rb"|\{(?=.{0,8000}?(?:\"items\"\s{0,100}:\s{0,100}\[|\"type\"\s{0,100}:\s{0,100}\"[a-z-]{3,30}\")))",
    re.S,
)
_SIGN = re.compile(rb"[{}\"]")
_STRING = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"", re.S)
_TOKEN = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"|[{}\[\],:]|[^\s\"{}\[\],:]+", re.S)
_ROLES: Mapping[str, Role] = {"DOI": "name", "URL": "url", "note": "note"}
_DAMAGED = Message("The record is not valid JSON.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)
_ESCAPED = Message("The DOI in this text is written with escapes. Change it by hand.")
_SHOWN = 300


class CslJson:
    """A list of objects, or one object; lines with an object each are read too."""

    kind = "csl-json"
    label = "CSL-JSON"
    fields = tuple(_ROLES)

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is CSL-JSON."""
        return bool(_HEAD.match(head))

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the objects in order."""
        for start, raw, closed in _split(stream):
            yield (
                _build(start, raw, fields)
                if closed
                else BibliographicRecord(start, start + len(raw), fault=_fault(raw))
            )

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of an object with the edits made."""
        return splice(raw, first, edits)


def _split(stream: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the outermost objects with their places, and whether they are closed."""
    window, base = stream.read(_PIECE), 0
    while window:
        first = window.find(b"{")
        if first < 0:
            base, window = base + len(window), stream.read(_PIECE)
            continue
        base, window = base + first, window[first:]
        end, depth, at, closed = 0, 0, 0, False
        while not closed:
            end, depth, at = _walk(window, depth, at)
            closed = end > 0
            if closed or len(window) > MOST_BYTES:
                break
            piece = stream.read(max(_PIECE, len(window)))
            if not piece:
                break
            window += piece
        end = end or len(window)
        yield base, window[:end], closed
        base, window = base + end, window[end:] or stream.read(_PIECE)


def _walk(window: bytes, depth: int, at: int) -> tuple[int, int, int]:
    """Return the end of the object (0: not here), the depth, and where to go on when there is more."""
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


def _fault(raw: bytes) -> Message:
    return _TOO_LONG if len(raw) > MOST_BYTES else _DAMAGED


def _build(start: int, raw: bytes, fields: frozenset[str]) -> BibliographicRecord:
    end = start + len(raw)
    try:
        value: dict[str, Any] = json.loads(raw)
    except (ValueError, RecursionError):
        return BibliographicRecord(start, end, fault=_DAMAGED)
    places = islice((place for found in _strings(raw) for place in _places(start, raw, found, fields)), MOST_PLACES)
    return BibliographicRecord(
        start,
        end,
        name=_told(value.get("id")),
        title=_told(value.get("title")),
        author=_author(value.get("author")),
        year=_year(value.get("issued")),
        places=tuple(places),
    )


def _strings(raw: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the members of the object whose values are strings: the name, and the span with the quotation marks."""
    depth, before, name = 0, b"", b""
    for match in _TOKEN.finditer(raw):
        token = match.group()
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and token.startswith(b'"') and before == b":":
            yield json.loads(name), *match.span()
        elif depth == 1 and token.startswith(b'"'):
            name = token
        before = token


def _places(first: int, raw: bytes, found: tuple[str, int, int], fields: frozenset[str]) -> Iterator[Place]:
    name, start, end = found
    role = _ROLES.get(name)
    if role is None or name not in fields:
        return
    inner = raw[start + 1 : end - 1]
    text = json.loads(raw[start:end])
    encoder = partial(_encode, slashes=rb"\/" in raw, ascii_only=raw.isascii())
    if role != "note":
        kept = inner.strip()
        begin = first + start + 1 + len(inner) - len(inner.lstrip())
        yield from place_of(name, text.strip(), ((begin, begin + len(kept)),), role, encoder, None)
        return
    plain = b"\\" not in inner.replace(rb"\n", b"  ")
    for begin, stop in spans_in_note(text):
        written = json.dumps(text[:begin], ensure_ascii=False)[1:-1].encode()
        piece = text[begin:stop].encode()
        at = first + start + 1 + len(written)
        yield from place_of(
            name, text[begin:stop], ((at, at + len(piece)),), role, encoder, None if plain else _ESCAPED
        )


def _encode(text: str, *, slashes: bool, ascii_only: bool) -> bytes:
    """Return the text as the file writes strings: with `\\/`, or with `\\u` for all but ASCII, if it does."""
    written = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
    return (written.replace("/", r"\/") if slashes else written).encode()


def _told(value: object) -> str:
    return str(value)[:_SHOWN] if isinstance(value, str | int) else ""


def _author(value: object) -> str:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return ""
    first = value[0]
    if literal := _told(first.get("literal")):
        return literal
    return ", ".join(filter(None, (_told(first.get("family")), _told(first.get("given")))))


def _year(value: object) -> str:
    try:
        return _told(value["date-parts"][0][0])[:4]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return ""
