"""CSL-JSON, as Zotero, Crossref and citation tools write it."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.json_files.doi_member import DOI, add_member, has_unread_doi
from resolver.sheets.bibliographic.json_files.members import ANY_TOKEN, IN_LIST, NotWellFormed, Path, walk, walk_top
from resolver.sheets.bibliographic.json_files.object_work import describe_object
from resolver.sheets.bibliographic.json_files.objects import (
    Window,
    build_encoder,
    build_unclosed,
    load_object,
    make_string_place,
    read_string,
    shorten,
)
from resolver.sheets.bibliographic.notes import find_in_note
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_PLACES,
    READ_BYTES,
    TAKEN,
    BibliographicRecord,
    Edit,
    MissingDoi,
    Place,
    RecordFormat,
    Role,
    find_link_fields,
    refuse_doi,
)
from resolver.sheets.bibliographic.text_codec import decode

_LIST = re.compile(rb"\"items\"\s{0,100}:\s{0,100}\[")
_TYPE = re.compile(rb"\"[a-z-]{3,30}\"")
_RECORDS = ((), (IN_LIST,), ("items", IN_LIST))
"""The paths of records: an object, a list of them, or `items` of an object."""
_ROLES: Mapping[str, Role] = {DOI: "name", "URL": "url", "note": "note"}
_ESCAPED = Message("The DOI in this text is written with escapes. Change it by hand.")


class CslJson(RecordFormat):
    """A list of objects, or one object; lines with an object each are read too."""

    kind = "csl-json"
    label = "CSL-JSON"
    endings = ("json",)
    media_types = ("application/vnd.citationstyles.csl+json",)
    fields = tuple(_ROLES)
    link_fields = find_link_fields(_ROLES)
    start = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:\[\s{0,1000}+)?\{")

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is CSL-JSON, by the members of its records."""
        if not super().begins(head):
            return False
        names: set[tuple[Path, str]] = set()
        with suppress(NotWellFormed):  # the beginning may end within a text
            for member in walk(head):
                is_word = member.name != "type" or _TYPE.fullmatch(head, member.start, member.end)
                if member.path in _RECORDS and member.name and is_word:
                    names.add((member.path, member.name))
        if any((path, "doi") in names for path in _RECORDS):
            return False
        is_one = any(((), name) in names for name in ("title", "author", "id"))
        return (
            any((path, name) in names for path in _RECORDS for name in ("DOI", "URL"))
            or any((path, "type") in names and (path or is_one) for path in _RECORDS)
            or (("items", IN_LIST), "itemType") in names  # Zotero's own export, whose records need not have a DOI
        )

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the objects in order."""
        for start, raw, closed in _split(stream):
            yield _build(start, raw, fields) if closed else build_unclosed(start, raw)


def _split(stream: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the outermost objects, or those of a list of `items`, with their starts, and whether they are closed."""
    window = Window(stream, stream.read(READ_BYTES))
    inside = _find_list(window.bytes)
    start = inside
    while True:
        first = window.bytes.find(b"{", start)
        if inside and window.bytes.find(b"]", start, first if first >= 0 else len(window.bytes)) >= 0:
            return
        if first < 0:
            if not window.read_on(len(window.bytes)):
                return
            start = 0
            continue
        first, end = window.find_end(first)
        start = end or len(window.bytes)
        yield window.base + first, window.bytes[first:start], end > 0
        if start > READ_BYTES:
            window.read_on(start)
            start = 0


def _find_list(window: bytes) -> int:
    """Return where the list of `items` begins, if the file is one object that has it."""
    depth = 0
    for match in ANY_TOKEN.finditer(window):
        token = match.group()
        if token == b"[" and depth == 0:
            return 0
        if depth == 1 and (found := _LIST.match(window, match.start())):
            return found.end()
        depth += (token in (b"{", b"[")) - (token in (b"}", b"]"))
    return 0


def _build(start: int, raw: bytes, fields: frozenset[str]) -> BibliographicRecord:
    loaded = load_object(start, raw)
    if isinstance(loaded, BibliographicRecord):
        return loaded
    value, codec = loaded
    found_places = (place for found in _find_strings(raw) for place in _find_places(start, raw, found, fields, codec))
    places = tuple(islice(found_places, MAX_RECORD_PLACES))
    missing = refuse_doi(DOI, TAKEN) if not places and has_unread_doi(value) else MissingDoi(DOI, _add)
    return BibliographicRecord(
        start,
        start + len(raw),
        name=shorten(value.get("id")),
        work=describe_object(value, searched=1),
        places=places,
        missing=None if places else missing,
    )


def _add(raw: bytes, name: str) -> Edit:
    return add_member(raw, build_encoder(raw, decode(raw)[1])(name))


def _find_strings(raw: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield the members of the object whose values are strings: the name, and the span with the quotation marks."""
    for name, (start, end) in walk_top(raw):
        if raw[start] == ord('"'):
            yield json.loads(raw[slice(*name)].decode("utf-8", "replace")), start, end


def _find_places(
    first: int, raw: bytes, found: tuple[str, int, int], fields: frozenset[str], codec: str
) -> Iterator[Place]:
    name, start, end = found
    role = _ROLES.get(name)
    if role is None or name not in fields:
        return
    if role != "note":
        yield from make_string_place(name, role, raw, first, (start, end), codec)
        return
    inner = raw[start + 1 : end - 1]
    text, encoder = read_string(raw[start:end], codec), build_encoder(raw, codec)
    plain = b"\\" not in inner.replace(rb"\n", b"  ")
    for each in find_in_note(text):
        piece = text[each.start : each.end]
        span = first + start + 1, first + end - 1
        if plain:
            written = json.dumps(text[: each.start], ensure_ascii=False)[1:-1].encode(codec, "replace")
            at = span[0] + len(written)
            span = at, at + len(piece.encode(codec, "replace"))
        yield from make_place(name, piece, (span,), role, encoder, (None if plain else _ESCAPED) or each.reason)
