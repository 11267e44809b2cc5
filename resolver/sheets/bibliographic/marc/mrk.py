"""MarcEdit's text form of MARC (`.mrk`): one line for each field."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.marc.fields import (
    FIELDS,
    USED_TAGS,
    DataField,
    Subfield,
    describe,
    find_places,
    is_unimarc,
)
from resolver.sheets.bibliographic.record import MOST_BYTES, SAVE_IN_UTF_8, BibliographicRecord, Edit, splice
from resolver.sheets.bibliographic.text_codec import decode, encode, trim

_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,1000}=(?:LDR|000)  [\d ]{5}")
_LINE = re.compile(rb"=([0-9A-Z]{3})  (.*)", re.S)
_LEADERS = frozenset({"LDR", "000"})
_MNEMONICS = {"$": "{dollar}", "{": "{lcub}", "}": "{rcub}"}
_MNEMONIC = re.compile(r"\{(dollar|lcub|rcub)\}")
_SIGNS = {"dollar": "$", "lcub": "{", "rcub": "}"}
_MOST_SUBFIELDS = 20_000
_TOO_MANY = Message("The record has more than {count} subfields.", count=_MOST_SUBFIELDS)
_NO_START = Message("These lines stand before the leader of a record.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)


class Mrk:
    """Records begin with the line `=LDR` and end before the next, or before an empty line."""

    kind = "mrk"
    label = "MarcEdit text (mrk)"
    endings = ("mrk",)
    media_types: tuple[str, ...] = ()
    refusal = (
        r"=(?:LDR|000)  [\d ]{5}",
        Message("This is a MARC text file (MarcEdit .mrk)."),
        SAVE_IN_UTF_8,
    )
    fields = FIELDS

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        return bool(_HEAD.match(head))

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Fields without a leader before them are a record with a fault."""
        now: _OpenRecord | None = None
        for at, line in read_byte_lines(stream):
            match = _LINE.match(line)
            if now and ((match and match[1].decode("ascii") in _LEADERS) or not line.strip()):
                yield _build(now, fields)
                now = None
            if now is None:
                if not match:
                    continue
                now = _OpenRecord(at, at, match[1].decode("ascii") in _LEADERS)
            now.add(at, line, match)
        if now:
            yield _build(now, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made."""
        return splice(raw, first, edits)


@dataclass(slots=True)
class _OpenRecord:
    """A record whose lines are being read; `lines` are those that are of use."""

    start: int
    end: int
    begun: bool
    lines: list[tuple[int, re.Match[bytes]]] = field(default_factory=list)
    size: int = 0
    subfields: int = 0

    def add(self, at: int, line: bytes, match: re.Match[bytes] | None) -> None:
        """Add a line that begins at byte `at`."""
        self.end, self.size = at + len(line), self.size + len(line)
        if match and match[1].decode("ascii") in USED_TAGS:
            self.subfields += 1 + match[2].count(b"$")
            if self.size <= MOST_BYTES and self.subfields <= _MOST_SUBFIELDS:
                self.lines.append((at, match))


def _build(now: _OpenRecord, fields: frozenset[str]) -> BibliographicRecord:
    fault = None if now.begun else _NO_START
    if now.subfields > _MOST_SUBFIELDS:
        fault = _TOO_MANY
    if now.size > MOST_BYTES:
        fault = _TOO_LONG
    if fault:
        return BibliographicRecord(now.start, now.end, fault=fault)
    found = [_read_field(at, match) for at, match in now.lines]
    unimarc = is_unimarc({each.tag for each in found})
    return BibliographicRecord(
        now.start, now.end, places=find_places(found, fields, unimarc=unimarc), **describe(found, unimarc=unimarc)
    )


def _read_field(at: int, match: re.Match[bytes]) -> DataField:
    tag, value, first = match[1].decode("ascii"), match[2], at + match.start(2)
    if tag.startswith("00"):
        return DataField(tag, "", [_read_subfield("", value, first, 0, len(value))])
    parts, start = [], value.find(b"$")
    while start >= 0:
        after = value.find(b"$", start + 1)
        code = value[start + 1 : start + 2].decode("latin-1")
        parts.append(
            _read_subfield(code, value, first, min(start + 2, len(value)), after if after >= 0 else len(value))
        )
        start = after
    return DataField(tag, value[:1].decode("latin-1"), parts)


def _read_subfield(code: str, value: bytes, first: int, start: int, end: int) -> Subfield:
    start, end = trim(value, start, end)
    text, codec = decode(value[start:end])
    told = _MNEMONIC.sub(lambda match: _SIGNS[match[1]], text)
    return Subfield(code, told, ((first + start, first + end),), partial(_encode, codec))


def _encode(codec: str, text: str) -> bytes:
    """Return the bytes of a text, with the names that MarcEdit has for $ and braces. Raises NotWritable."""
    return encode(codec, "".join(_MNEMONICS.get(sign, sign) for sign in text))
