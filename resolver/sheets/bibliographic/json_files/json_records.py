"""JSON of Crossref, DataCite, Zotero, Lens, OpenAlex, ORCID and others: any whose records have a member DOI."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import BinaryIO, Literal

from resolver.sheets.bibliographic.json_files.members import IN_LIST, TOKEN, JsonMember, NotWellFormed, Path, Walk, walk
from resolver.sheets.bibliographic.json_files.object_work import OF_OTHERS, describe_object
from resolver.sheets.bibliographic.json_files.objects import (
    DAMAGED,
    Window,
    build_unclosed,
    load_object,
    make_string_place,
    shorten,
)
from resolver.sheets.bibliographic.record import MAX_RECORD_PLACES, BibliographicRecord, RecordFormat, refuse_doi

_SEARCHED_BYTES = 1 << 20  # of the beginning, for the list of records
_MAX_GAP_BYTES = 2 << 20  # without a record
_TYPES = frozenset({"type", "externalidtype", "identifiertype", "idtype", "scheme"})
_VALUES = frozenset({"value", "externalidvalue", "identifier", "id"})
_NAMES = ("id", "key", "lens_id", "scopus-id", "paperId")
_SAYS_DOI = re.compile(rb"(?i)doi\"")
_SIGN = re.compile(rb"[\"{}\[\]]")
_REST = re.compile(rb"\s*+\Z")
_Word = Literal["doi", "type", "value", ""]


class JsonRecords(RecordFormat):
    """The objects of the list that has the DOIs; without a list each object of the file is a record. Of a record only
    the places nearest to its top are read: further down are its references, and the same DOI again."""

    kind = "json"
    label = "JSON"
    endings = ("json",)
    fields = ("DOI",)
    # An object with members, or a list of such.
    start = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,1000}+(?:\[\s{0,1000}+)?\{\s{0,1000}+\"[^\"\n]{0,200}+\"\s{0,100}+:")

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order, and one with a fault where the file is no JSON any more."""
        window = Window(stream, stream.read(_SEARCHED_BYTES))
        target = _find_target(window.bytes)
        for start, raw, closed in _split(window, target):
            yield _build(start, raw, fields) if closed else build_unclosed(start, raw)


def _find_target(beginning: bytes) -> Path:
    """Return the path of the objects that are records: those of the list around the DOI nearest to the top; if there is
    no DOI, of the list of objects nearest to it. Without a list, the whole objects of the file are records."""
    members: list[JsonMember] = []
    with suppress(NotWellFormed):
        members.extend(walk(beginning))
    lists = [each.path for each in members if each.name is None and each.path[-1:] == (IN_LIST,)]
    dois = [(each.path, _find_list(each.path, is_typed)) for each, is_typed in _find_dois(beginning, members)]
    if not dois:
        return min(lists, key=len, default=())
    nearest, target = min(dois, key=lambda each: len(each[0]))
    apart = [found for path, found in dois if found and path[: len(nearest)] != nearest]
    # A DOI alone, outside of the others' path, may be in the query that they answer.
    return min(apart, key=len) if apart and not target else target


def _find_list(path: Path, is_typed: bool) -> Path:
    """Return the path up to the list of records: the last one, but for that of a record's identifiers."""
    lists = [place for place, name in enumerate(path, 1) if name == IN_LIST]
    if is_typed and path[-1:] == (IN_LIST,) and (len(lists) > 1 or path[0] != IN_LIST):
        lists.pop()
    return path[: lists[-1]] if lists else ()


def _split(window: Window, target: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the records with their places, and whether they are closed; in the end what is no JSON, or has more than
    _MAX_GAP_BYTES without a record."""
    at, last, steps, more = 0, 0, Walk(), True
    while window.base + at - last < _MAX_GAP_BYTES:
        match = _find_token(window.bytes, at)
        if more and (match is None or _REST.match(window.bytes, match.end())):
            more, at = window.read_on(at), 0
            continue
        if match is None:
            break
        if match.group() == b"{" and steps.path == target:
            first, end = window.find_end(match.start())
            yield window.base + first, window.bytes[first : end or None], end > 0
            if not end:
                return
            at, last = end, window.base + end
        else:
            at = match.end()
            try:
                steps.take(match)
            except NotWellFormed:
                break
        if at > _SEARCHED_BYTES:
            window.read_on(at)
            at = 0
    if window.bytes[at:].strip() or steps.path != ():
        yield window.base + at, window.bytes[at:], False


def _find_token(window: bytes, at: int) -> re.Match[bytes] | None:
    """Return the next token, None if it is not whole."""
    sign = _SIGN.search(window, at)
    return sign and TOKEN.match(window, sign.start())


@lru_cache(maxsize=1000)
def _classify(name: str) -> _Word:
    folded = name.casefold()
    if folded == "doi" or folded.endswith(":doi"):
        return "doi"
    folded = folded.replace("-", "").replace("_", "")
    return "type" if folded in _TYPES else "value" if folded in _VALUES else ""


def _find_dois(raw: bytes, members: Iterable[JsonMember]) -> Iterator[tuple[JsonMember, bool]]:
    """Yield the texts that are DOIs by their member's name, or by another member (`is_typed`), of this work alone."""
    types: set[Path] = set()
    values: dict[Path, JsonMember] = {}
    for member in members:
        path, name = member.path, member.name
        if name is None:
            value = values.pop(path, None)
            if path in types:
                types.discard(path)
                if value is not None:
                    yield value, True
        elif member.end - member.start > 2 and (word := _classify(name)):
            if any(each.casefold().startswith(OF_OTHERS) for each in path):
                continue
            if word == "doi":
                yield member, False
            elif word == "type" and raw[member.start + 1 : member.end - 1].lower() == b"doi":
                types.add(path)
            elif word == "value":
                values[path] = member


def _build(start: int, raw: bytes, fields: frozenset[str]) -> BibliographicRecord:
    loaded = load_object(start, raw)
    if isinstance(loaded, BibliographicRecord):
        return loaded
    value, codec = loaded
    try:
        dois = [member for member, _ in _find_dois(raw, walk(raw))] if fields and _SAYS_DOI.search(raw) else []
    except NotWellFormed:
        return BibliographicRecord(start, start + len(raw), fault=DAMAGED)
    nearest = min((len(member.path) for member in dois), default=0)
    found = islice((each for each in dois if len(each.path) == nearest), MAX_RECORD_PLACES)
    places = [
        place
        for member in found
        for place in make_string_place(str(member.name), "name", raw, start, (member.start, member.end), codec)
    ]
    return BibliographicRecord(
        start,
        start + len(raw),
        name=next(filter(None, (shorten(value.get(name)) for name in _NAMES)), ""),
        work=describe_object(value),
        places=tuple(places),
        missing=None if places else refuse_doi("DOI"),
    )
