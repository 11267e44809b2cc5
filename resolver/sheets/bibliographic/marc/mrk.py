"""MarcEdit's text form of MARC (`.mrk`): one line for each field."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.marc.data_field import DataField, Subfield
from resolver.sheets.bibliographic.marc.fields import (
    FIELDS,
    LINK_FIELDS,
    TOO_MANY_SUBFIELDS,
    USED_TAGS,
    build_record,
)
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    MAX_RECORD_PARTS,
    RECORD_TOO_LONG,
    SAVE_IN_UTF_8,
    BibliographicRecord,
    RecordFormat,
)
from resolver.sheets.bibliographic.text_codec import decode, encode, trim

_LINE = re.compile(rb"=([0-9A-Z]{3})  (.*)", re.S)
_LEADERS = frozenset({"LDR", "000"})
_MNEMONICS = {"$": "{dollar}", "{": "{lcub}", "}": "{rcub}"}
_MNEMONIC = re.compile(r"\{(dollar|lcub|rcub)\}")
_SIGNS = {"dollar": "$", "lcub": "{", "rcub": "}"}
_NO_START = Message("These lines come before the leader of a record.")


class Mrk(RecordFormat):
    """Records begin with the line `=LDR` and end before the next, or before an empty line."""

    kind = "mrk"
    label = "MarcEdit text (mrk)"
    endings = ("mrk",)
    refusal = (r"=(?:LDR|000)  [\d ]{5}", Message("This is a MARC text file (MarcEdit .mrk)."), SAVE_IN_UTF_8)
    fields = FIELDS
    link_fields = LINK_FIELDS
    start = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,1000}=(?:LDR|000)  [\d ]{5}")

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
        self.end, self.size = at + len(line), self.size + len(line)
        if match and match[1].decode("ascii") in USED_TAGS:
            self.subfields += 1 + match[2].count(b"$")
            if self.size <= MAX_RECORD_BYTES and self.subfields <= MAX_RECORD_PARTS:
                self.lines.append((at, match))


def _build(now: _OpenRecord, fields: frozenset[str]) -> BibliographicRecord:
    fault = None if now.begun else _NO_START
    if now.subfields > MAX_RECORD_PARTS:
        fault = TOO_MANY_SUBFIELDS
    if now.size > MAX_RECORD_BYTES:
        fault = RECORD_TOO_LONG
    if fault:
        return BibliographicRecord(now.start, now.end, fault=fault)
    return build_record(now.start, now.end, [_read_field(at, match) for at, match in now.lines], fields)


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
    text = _MNEMONIC.sub(lambda match: _SIGNS[match[1]], text)
    return Subfield(code, text, ((first + start, first + end),), partial(_encode, codec))


def _encode(codec: str, text: str) -> bytes:
    """Return the bytes of a text, with the names that MarcEdit has for $ and braces. Raises NotWritable."""
    return encode(codec, "".join(_MNEMONICS.get(sign, sign) for sign in text))
