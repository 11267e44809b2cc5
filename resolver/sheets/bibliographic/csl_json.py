"""CSL-JSON, as Zotero, Crossref and citation tools write it."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

from resolver.domain.message import Message
from resolver.sheets.bibliographic.notes import find_in_note
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import MOST_BYTES, MOST_PLACES, BibliographicRecord, Edit, Place, Role, splice
from resolver.sheets.bibliographic.text_codec import decode, encode

_PIECE = 1 << 16
_MOST_VALUES = 200_000
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:\[\s{0,1000}+\{(?=.{0,8000}?\"(?:type|DOI|URL)\"\s{0,100}:)"
    rb"|\{(?=.{0,8000}?(?:\"items\"\s{0,100}:\s{0,100}\[|\"type\"\s{0,100}:\s{0,100}\"[a-z-]{3,30}\")))",
    re.S,
)
_SIGN = re.compile(rb"[{}\"]")
_STRING = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"", re.S)
_TOKEN = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"|[{}\[\],:]|[^\s\"{}\[\],:]+", re.S)
_LIST = re.compile(rb"\"items\"\s{0,100}:\s{0,100}\[")
_ROLES: Mapping[str, Role] = {"DOI": "name", "URL": "url", "note": "note"}
_DAMAGED = Message("The record is not valid JSON.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)
_TOO_MANY = Message("The record has more than {count} values.", count=_MOST_VALUES)
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
                else BibliographicRecord(start, start + len(raw), fault=_explain(raw))
            )

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of an object with the edits made."""
        return splice(raw, first, edits)


def _split(stream: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the outermost objects with their places, and whether they are closed; of an object with a list of `items`
    those of the list."""
    window, base, start = stream.read(_PIECE), 0, 0
    inside = _find_list(window)
    start = inside or 0
    while True:
        first = window.find(b"{", start)
        if inside and window.find(b"]", start, first if first >= 0 else len(window)) >= 0:
            return
        if first < 0:
            base, window, start = base + len(window), stream.read(_PIECE), 0
            if not window:
                return
            continue
        end, depth, at, closed = 0, 0, first, False
        while not closed:
            end, depth, at = _walk(window, depth, at)
            closed = end > 0
            if closed or len(window) - first > MOST_BYTES:
                break
            base, window, at, first = base + first, window[first:], at - first, 0
            piece = stream.read(max(_PIECE, len(window)))  # doubled: each byte is copied but a few times
            if not piece:
                break
            window += piece
        start = end or len(window)
        yield base + first, window[first:start], closed
        if start > _PIECE:
            base, window, start = base + start, window[start:], 0


def _find_list(window: bytes) -> int:
    """Return where the list of `items` begins, if the file is one object that has it."""
    depth = 0
    for match in _TOKEN.finditer(window):
        token = match.group()
        if token == b"[" and depth == 0:
            return 0
        if depth == 1 and (found := _LIST.match(window, match.start())):
            return found.end()
        depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
    return 0


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


def _explain(raw: bytes) -> Message:
    return _TOO_LONG if len(raw) > MOST_BYTES else _DAMAGED


def _build(start: int, raw: bytes, fields: frozenset[str]) -> BibliographicRecord:
    end = start + len(raw)
    if raw.count(b",") + raw.count(b"{") + raw.count(b"[") > _MOST_VALUES:
        return BibliographicRecord(start, end, fault=_TOO_MANY)
    told, codec = decode(raw)
    try:
        value: dict[str, Any] = json.loads(told)
    except (ValueError, RecursionError):
        return BibliographicRecord(start, end, fault=_DAMAGED)
    places = islice(
        (place for found in _find_strings(raw) for place in _find_places(start, raw, found, fields, codec)), MOST_PLACES
    )
    return BibliographicRecord(
        start,
        end,
        name=_shorten(value.get("id")),
        title=_shorten(value.get("title")),
        author=_read_author(value.get("author")),
        year=_read_year(value.get("issued")),
        places=tuple(places),
    )


def _find_strings(raw: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the members of the object whose values are strings: the name, and the span with the quotation marks."""
    depth, before, name = 0, b"", b""
    for match in _TOKEN.finditer(raw):
        token = match.group()
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and token.startswith(b'"') and before == b":":
            yield json.loads(name.decode("utf-8", "replace")), *match.span()
        elif depth == 1 and token.startswith(b'"'):
            name = token
        before = token


def _find_places(
    first: int, raw: bytes, found: tuple[str, int, int], fields: frozenset[str], codec: str
) -> Iterator[Place]:
    name, start, end = found
    role = _ROLES.get(name)
    if role is None or name not in fields:
        return
    inner = raw[start + 1 : end - 1]
    text = _replace_halves(json.loads(raw[start:end].decode(codec, "replace")))
    encoder = partial(_encode, slashes=rb"\/" in raw, codec="ascii" if raw.isascii() else codec)
    if role != "note":
        kept = inner.strip()
        begin = first + start + 1 + len(inner) - len(inner.lstrip())
        yield from make_place(name, text.strip(), ((begin, begin + len(kept)),), role, encoder, None)
        return
    plain = b"\\" not in inner.replace(rb"\n", b"  ")
    for each in find_in_note(text):
        piece = text[each.start : each.end]
        span = first + start + 1, first + end - 1
        if plain:
            written = json.dumps(text[: each.start], ensure_ascii=False)[1:-1].encode(codec, "replace")
            at = span[0] + len(written)
            span = at, at + len(piece.encode(codec, "replace"))
        yield from make_place(name, piece, (span,), role, encoder, (None if plain else _ESCAPED) or each.reason)


def _replace_halves(text: str) -> str:
    """Return the text with U+FFFD for halves of characters, which JSON may hold and nothing else."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encode(text: str, *, slashes: bool, codec: str) -> bytes:
    """Return the text as the file writes strings: with `\\/`, or with `\\u` for all but ASCII, if it does. Raises
    NotWritable."""
    written = json.dumps(text, ensure_ascii=codec == "ascii")[1:-1]
    return encode(codec, written.replace("/", r"\/") if slashes else written)


def _shorten(value: object) -> str:
    return _replace_halves(str(value)[:_SHOWN]) if isinstance(value, str | int) else ""


def _read_author(value: object) -> str:
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return ""
    first = value[0]
    if literal := _shorten(first.get("literal")):
        return literal
    return ", ".join(filter(None, (_shorten(first.get("family")), _shorten(first.get("given")))))


def _read_year(value: object) -> str:
    try:
        return _shorten(value["date-parts"][0][0])[:4]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return ""
