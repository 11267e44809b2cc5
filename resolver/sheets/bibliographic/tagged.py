"""Formats with a tag at the start of each line: RIS, PubMed's nbib and EndNote's tagged export."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import BinaryIO

from resolver.domain.message import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.places import place_of, spans_in_note
from resolver.sheets.bibliographic.record import MOST_BYTES, MOST_PLACES, BibliographicRecord, Edit, Place, Role, splice
from resolver.sheets.bibliographic.text_codec import decode, encoder, trim

_NO_START = Message("These lines stand before the start of a record.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)
_SHOWN = 300  # characters of a title or an author
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


@dataclass(slots=True)
class TaggedValue:
    """The value of a line, without white space at both ends."""

    tag: str
    raw: bytes
    start: int


@dataclass(slots=True)
class _OpenRecord:
    start: int
    end: int
    values: list[TaggedValue] = field(default_factory=list)
    size: int = 0
    begun: bool = True


@dataclass(frozen=True, slots=True)
class TaggedFormat:
    """A format with tags. `line` matches a line with a tag and has the groups `tag` and `value`; `first` and `last` are
    the tags that begin and end a record. If `last` is "", a record ends before an empty line, and begins with any tag
    behind one. `roles` says what the fields are for."""

    kind: str
    label: str
    start: re.Pattern[bytes]
    line: re.Pattern[bytes]
    first: frozenset[str]
    last: str
    roles: Mapping[str, Role]
    names: Sequence[str]
    titles: Sequence[str]
    authors: Sequence[str]
    years: Sequence[str]
    cut: Callable[[TaggedValue], tuple[int, int] | None] = lambda value: (0, len(value.raw))

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
        now: _OpenRecord | None = None
        for at, line in read_byte_lines(stream):
            match = self.line.match(line)
            tag = match["tag"].decode("ascii") if match else ""
            if now and (tag in self.first or (not self.last and not line.strip())):
                yield self._build(now, fields)
                now = None
            if now is None:
                if not match or tag == self.last:
                    continue
                now = _OpenRecord(at, at, begun=not self.last or tag in self.first)
            now.end = at + len(line)
            now.size += len(line)
            if match and now.size <= MOST_BYTES:
                now.values.append(TaggedValue(tag, *_trimmed(line, at, *match.span("value"))))
            if tag and tag == self.last:
                yield self._build(now, fields)
                now = None
        if now:
            yield self._build(now, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made."""
        return splice(raw, first, edits)

    def _build(self, found: _OpenRecord, fields: frozenset[str]) -> BibliographicRecord:
        fault = None if found.begun else _NO_START
        if found.size > MOST_BYTES:
            fault = _TOO_LONG
        if fault:
            return BibliographicRecord(found.start, found.end, fault=fault)
        places = islice((place for value in found.values for place in self._places(value, fields)), MOST_PLACES)
        year = _YEAR.search(self._first(found, self.years))
        return BibliographicRecord(
            found.start,
            found.end,
            name=self._first(found, self.names),
            title=self._first(found, self.titles),
            author=self._first(found, self.authors),
            year=year.group() if year else "",
            places=tuple(places),
        )

    def _places(self, value: TaggedValue, fields: frozenset[str]) -> Iterator[Place]:
        role = self.roles.get(value.tag)
        if role is None or value.tag not in fields:
            return
        span = self.cut(value)
        if span is None:
            return
        text, codec = decode(value.raw[slice(*span)])
        first = value.start + span[0]
        if role != "note":
            yield from place_of(value.tag, text, ((first, value.start + span[1]),), role, encoder(codec), None)
            return
        for start, end in spans_in_note(text):
            before, inside = text[:start].encode(codec, "replace"), text[start:end].encode(codec, "replace")
            place = first + len(before), first + len(before) + len(inside)
            yield from place_of(value.tag, text[start:end], (place,), role, encoder(codec), None)

    def _first(self, found: _OpenRecord, tags: Sequence[str]) -> str:
        """Return the first value of the first of these tags that the record has."""
        for tag in tags:
            for value in found.values:
                if value.tag == tag and value.raw:
                    return decode(value.raw)[0][:_SHOWN]
        return ""


def _trimmed(line: bytes, at: int, start: int, end: int) -> tuple[bytes, int]:
    start, end = trim(line, start, end)
    return line[start:end], at + start
