"""Formats with a tag at the start of each line: RIS, PubMed's nbib and EndNote's tagged export."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.described_work import build_work
from resolver.sheets.bibliographic.doi_line import add_line
from resolver.sheets.bibliographic.notes import find_in_note
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    MAX_RECORD_PLACES,
    MAX_SHOWN_CHARACTERS,
    RECORD_TOO_LONG,
    TAKEN,
    BibliographicRecord,
    Edit,
    MissingDoi,
    Place,
    RecordFormat,
    Role,
    refuse_doi,
)
from resolver.sheets.bibliographic.text_codec import decode, encode, trim

_NO_START = Message("These lines come before the start of a record.")
_LINE = re.compile(rb"[^\n]+")
_ADDRESS = re.compile(rb"(?:https?://|www\.|doi:)", re.I)
_CONTINUED = Message("The value continues on the next line. Change it by hand.")
_MAX_VALUES = 2_000  # of a record
_MAX_DESCRIBING = 100  # of a tag that describes the work
_MAX_JOINED_BYTES = 1 << 13  # of a value, before another line is added


@dataclass(slots=True)
class TaggedValue:
    """The value of a line, without white space at both ends. Its further lines follow behind line feeds, as many as
    there are bytes between them in the file."""

    tag: str
    raw: bytes
    start: int

    def add_line(self, line: bytes, at: int) -> None:
        """Add a line that begins at byte `at`; of very many only the first."""
        kept, first = line.strip(), at + len(line) - len(line.lstrip())
        if not self.raw:
            self.raw, self.start = kept, first
        elif len(self.raw) < _MAX_JOINED_BYTES:
            self.raw += b"\n" * (first - self.start - len(self.raw)) + kept


@dataclass(slots=True)
class _TaggedRecord:
    start: int
    end: int
    values: list[TaggedValue] = field(default_factory=list)
    description: dict[str, list[str]] = field(default_factory=dict)
    last: TaggedValue | None = None
    last_text: list[str] | None = None
    size: int = 0
    begun: bool = True


class TaggedFormat(RecordFormat):
    """A format with tags. `line` matches a line with a tag, in the groups `tag` and `value`. `first` and `last` are the
    tags that begin and end a record; if `last` is "", it ends before an empty line, and begins with any tag behind one.
    `roles` are those of the fields; a DOI is added in the field `added`. The others are the tags that describe the
    work; of each the first that is there counts, and of `people` the first group."""

    line: re.Pattern[bytes]
    first: frozenset[str]
    last = ""
    roles: Mapping[str, Role]
    added: str
    names: Sequence[str]
    titles: Sequence[str]
    people: Sequence[Sequence[str]]
    years: Sequence[str]
    containers: Sequence[str]
    volumes: Sequence[str]
    pages: Sequence[str]

    def find_spans(self, value: TaggedValue) -> Iterable[tuple[int, int]]:
        """Yield the spans of a value that may hold a DOI."""
        return [(0, len(value.raw))]

    @abstractmethod
    def write_line(self, like: re.Match[bytes], value: bytes) -> bytes:
        """Return a line with a DOI, in the style of another."""

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Lines with tags before the first record are a record with a fault."""
        now: _TaggedRecord | None = None
        tags = (self.names, self.titles, *self.people, self.years, self.containers, self.volumes, self.pages)
        describing = frozenset(chain.from_iterable(tags))
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
            if now.size <= MAX_RECORD_BYTES:
                self._keep(now, match, line, at, describing)
            if tag and tag == self.last:
                yield self._build(now, fields)
                now = None
        if now:
            yield self._build(now, fields)

    def _build(self, found: _TaggedRecord, fields: frozenset[str]) -> BibliographicRecord:
        fault = None if found.begun else _NO_START
        if found.size > MAX_RECORD_BYTES:
            fault = RECORD_TOO_LONG
        if fault:
            return BibliographicRecord(found.start, found.end, fault=fault)
        found_places = (place for value in found.values for place in self._find_places(value, fields))
        places = tuple(islice(found_places, MAX_RECORD_PLACES))
        return BibliographicRecord(
            found.start,
            found.end,
            name=self._find_first(found, self.names),
            work=build_work(
                title=self._find_first(found, self.titles),
                authors=next(filter(None, (self._find_all(found, tags) for tags in self.people)), ()),
                year=self._find_first(found, self.years),
                container=self._find_first(found, self.containers),
                volume=self._find_first(found, self.volumes),
                pages=self._find_first(found, self.pages),
            ),
            places=places,
            missing=None if places else self._build_missing(found, fields),
        )

    def _build_missing(self, found: _TaggedRecord, fields: frozenset[str]) -> MissingDoi:
        unread = (value for value in found.values if self.roles[value.tag] == "name" and value.tag not in fields)
        if any(next(self._find_places(value, frozenset(self.fields)), None) for value in unread):
            return refuse_doi(self.added, TAKEN)
        return MissingDoi(self.added, self._add)

    def _add(self, raw: bytes, name: str) -> Edit:
        value = encode(decode(raw)[1], name)
        tag, last = self.added.encode(), self.last.encode()
        return add_line(raw, self.line, tag, last, lambda like: self.write_line(like, value))

    def _keep(
        self, now: _TaggedRecord, match: re.Match[bytes] | None, line: bytes, at: int, describing: frozenset[str]
    ) -> None:
        if match is None:
            if now.last and line.strip():
                now.last.add_line(line, at)
            if now.last_text and len(now.last_text[-1]) < MAX_SHOWN_CHARACTERS:
                now.last_text[-1] += " " + decode(line)[0][: 2 * MAX_SHOWN_CHARACTERS].strip()
            return
        tag, now.last, now.last_text = match["tag"].decode("ascii"), None, None
        if tag in describing and (text := match["value"].strip()):
            texts = now.description.setdefault(tag, [])
            if len(texts) < _MAX_DESCRIBING:
                texts.append(decode(text)[0][:MAX_SHOWN_CHARACTERS])
                now.last_text = texts if tag in self.titles or tag in self.containers else None
        if tag in self.roles and len(now.values) < _MAX_VALUES:
            start, end = trim(line, *match.span("value"))
            now.last = TaggedValue(tag, line[start:end], at + start)
            now.values.append(now.last)

    def _find_places(self, value: TaggedValue, fields: frozenset[str]) -> Iterator[Place]:
        role = self.roles[value.tag]
        if value.tag not in fields:
            return
        for first, end in _split_addresses(value) if role == "url" else self.find_spans(value):
            raw, start = value.raw[first:end], value.start + first
            text, codec = decode(raw)
            if role != "note":
                lines = [each for each in text.split("\n") if each]
                span, reason = (start, start + len(raw)), _CONTINUED if len(lines) > 1 else None
                yield from make_place(value.tag, " ".join(lines), (span,), role, partial(encode, codec), reason)
                continue
            for each in find_in_note(text):
                found = text[each.start : each.end]
                before = start + len(text[: each.start].encode(codec, "replace"))
                span = before, before + len(found.encode(codec, "replace"))
                yield from make_place(value.tag, found, (span,), role, partial(encode, codec), each.reason)

    def _find_first(self, found: _TaggedRecord, tags: Sequence[str]) -> str:
        return next((found.description[tag][0] for tag in tags if tag in found.description), "")

    def _find_all(self, found: _TaggedRecord, tags: Sequence[str]) -> list[str]:
        return [text for tag in tags for text in found.description.get(tag, ())]


def _split_addresses(value: TaggedValue) -> Iterator[tuple[int, int]]:
    """Yield the lines of the value if each has an address of its own, else the whole value."""
    lines = list(_LINE.finditer(value.raw))
    if len(lines) > 1 and all(_ADDRESS.match(line.group()) for line in lines):
        yield from (line.span() for line in lines)
    else:
        yield 0, len(value.raw)
