"""Formats with a tag at the start of each line: RIS, PubMed's nbib and EndNote's tagged export."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.notes import find_in_note
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MOST_BYTES,
    MOST_PLACES,
    BibliographicRecord,
    Edit,
    Place,
    Refusal,
    Role,
    splice,
)
from resolver.sheets.bibliographic.text_codec import decode, encoder, trim

_NO_START = Message("These lines stand before the start of a record.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)
_LINE = re.compile(rb"[^\n]+")
_ADDRESS = re.compile(rb"(?:https?://|www\.|doi:)", re.I)
_GOES_ON = Message("The value continues on the next line. Change it by hand.")
_SHOWN = 300  # characters of a title or an author
_MOST_VALUES = 2_000
_LONGEST_JOINED = 1 << 13
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


@dataclass(slots=True)
class TaggedValue:
    """The value of a line, without white space at both ends. Lines in which it goes on follow behind line feeds, as
    many as bytes stand between in the file."""

    tag: str
    raw: bytes
    start: int

    def go_on(self, line: bytes, at: int) -> None:
        """Add a line that begins at byte `at`; of very many only the first."""
        kept, first = _trim_line(line, at, 0, len(line))
        if not self.raw:
            self.raw, self.start = kept, first
        elif len(self.raw) < _LONGEST_JOINED:
            self.raw += b"\n" * (first - self.start - len(self.raw)) + kept


@dataclass(slots=True)
class _TaggedRecord:
    start: int
    end: int
    values: list[TaggedValue] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    last: TaggedValue | None = None
    size: int = 0
    begun: bool = True


@dataclass(frozen=True, slots=True)
class TaggedFormat:
    """A format with tags. `line` matches a line with a tag and has the groups `tag` and `value`; `first` and `last` are
    the tags that begin and end a record. If `last` is "", a record ends before an empty line, and begins with any tag
    behind one. `roles` says what the fields are for."""

    kind: str
    label: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    refusal: Refusal
    start: re.Pattern[bytes]
    line: re.Pattern[bytes]
    first: frozenset[str]
    last: str
    roles: Mapping[str, Role]
    names: Sequence[str]
    titles: Sequence[str]
    authors: Sequence[str]
    years: Sequence[str]
    cut: Callable[[TaggedValue], Iterable[tuple[int, int]]] = lambda value: [(0, len(value.raw))]

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that are read."""
        return tuple(self.roles)

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        return bool(self.start.match(head))

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Lines before the first tag that begins a record are a record with a fault, if
        they have tags."""
        now: _TaggedRecord | None = None
        telling = frozenset((*self.names, *self.titles, *self.authors, *self.years))
        for at, line in read_byte_lines(stream):
            match = self.line.match(line)
            tag = match["tag"].decode("ascii") if match else ""
            if now and (tag in self.first or (not self.last and not line.strip())):
                yield self._build(now, fields)
                now = None
            if now is None:
                if not match or tag == self.last:
                    continue
                now = _TaggedRecord(at, at, begun=not self.last or tag in self.first)
            now.end = at + len(line)
            now.size += len(line)
            if now.size <= MOST_BYTES:
                self._keep(now, match, line, at, telling)
            if tag and tag == self.last:
                yield self._build(now, fields)
                now = None
        if now:
            yield self._build(now, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made."""
        return splice(raw, first, edits)

    def _build(self, found: _TaggedRecord, fields: frozenset[str]) -> BibliographicRecord:
        fault = None if found.begun else _NO_START
        if found.size > MOST_BYTES:
            fault = _TOO_LONG
        if fault:
            return BibliographicRecord(found.start, found.end, fault=fault)
        places = islice((place for value in found.values for place in self._find_places(value, fields)), MOST_PLACES)
        year = _YEAR.search(self._find_first(found, self.years))
        return BibliographicRecord(
            found.start,
            found.end,
            name=self._find_first(found, self.names),
            title=self._find_first(found, self.titles),
            author=self._find_first(found, self.authors),
            year=year.group() if year else "",
            places=tuple(places),
        )

    def _keep(
        self, now: _TaggedRecord, match: re.Match[bytes] | None, line: bytes, at: int, telling: frozenset[str]
    ) -> None:
        """Add what the line says to the record, if it is of use; `telling` tags tell what the record is about."""
        if match is None:
            if now.last and line.strip():
                now.last.go_on(line, at)
            return
        tag, now.last = match["tag"].decode("ascii"), None
        if tag in telling and tag not in now.told and (text := match["value"].strip()):
            now.told[tag] = decode(text)[0][:_SHOWN]
        if tag in self.roles and len(now.values) < _MOST_VALUES:
            now.last = TaggedValue(tag, *_trim_line(line, at, *match.span("value")))
            now.values.append(now.last)

    def _find_places(self, value: TaggedValue, fields: frozenset[str]) -> Iterator[Place]:
        role = self.roles[value.tag]
        if value.tag not in fields:
            return
        for first, end in _split_addresses(value) if role == "url" else self.cut(value):
            raw, start = value.raw[first:end], value.start + first
            text, codec = decode(raw)
            if role != "note":
                lines = [each for each in text.split("\n") if each]
                span, reason = (start, start + len(raw)), _GOES_ON if len(lines) > 1 else None
                yield from make_place(value.tag, " ".join(lines), (span,), role, encoder(codec), reason)
                continue
            for each in find_in_note(text):
                before, inside = (
                    piece.encode(codec, "replace") for piece in (text[: each.start], text[each.start : each.end])
                )
                span = start + len(before), start + len(before) + len(inside)
                yield from make_place(
                    value.tag, text[each.start : each.end], (span,), role, encoder(codec), each.reason
                )

    def _find_first(self, found: _TaggedRecord, tags: Sequence[str]) -> str:
        """Return the first value of the first of these tags that the record has."""
        return next((found.told[tag] for tag in tags if tag in found.told), "")


def _split_addresses(value: TaggedValue) -> Iterator[tuple[int, int]]:
    """Yield the lines of the value if each has an address of its own, else the whole value."""
    lines = list(_LINE.finditer(value.raw))
    if len(lines) > 1 and all(_ADDRESS.match(line.group()) for line in lines):
        yield from (line.span() for line in lines)
    else:
        yield 0, len(value.raw)


def _trim_line(line: bytes, at: int, start: int, end: int) -> tuple[bytes, int]:
    start, end = trim(line, start, end)
    return line[start:end], at + start
