"""MarcEdit's text form of MARC (`.mrk`): one line for each field."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import BinaryIO

from resolver.domain.message import Message
from resolver.sheets.bibliographic.byte_lines import read_byte_lines
from resolver.sheets.bibliographic.marc_fields import FIELDS, DataField, Subfield, describe, is_unimarc, places_of
from resolver.sheets.bibliographic.record import MOST_BYTES, BibliographicRecord, Edit, splice
from resolver.sheets.bibliographic.text_codec import decode, encode, trim

_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,1000}=(?:LDR|000)  [\d ]{5}")
_LINE = re.compile(rb"=([0-9A-Z]{3})  (.*)", re.S)
_LEADERS = frozenset({"LDR", "000"})
_MNEMONICS = {"$": "{dollar}", "{": "{lcub}", "}": "{rcub}"}
_MNEMONIC = re.compile(r"\{(dollar|lcub|rcub)\}")
_SIGNS = {"dollar": "$", "lcub": "{", "rcub": "}"}
_NO_START = Message("These lines stand before the leader of a record.")
_TOO_LONG = Message("The record is longer than {count} bytes.", count=MOST_BYTES)


class Mrk:
    """Records begin with the line `=LDR` and end before the next, or before an empty line."""

    kind = "mrk"
    label = "MarcEdit text (mrk)"
    fields = FIELDS

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is of this format."""
        return bool(_HEAD.match(head))

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. Fields without a leader before them are a record with a fault."""
        lines: list[tuple[int, bytes]] = []
        size = 0
        for at, line in read_byte_lines(stream):
            is_leader = line[1:4] in (b"LDR", b"000") and line.startswith(b"=")
            if lines and (is_leader or not line.strip()):
                yield _build(lines, size, fields)
                lines, size = [], 0
            if not lines and not _LINE.match(line):
                continue
            size += len(line)
            if size <= MOST_BYTES or not lines:
                lines.append((at, line))
            else:
                lines[-1] = (at, line[:0])  # tells only where the record ends
        if lines:
            yield _build(lines, size, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the bytes of a record with the edits made."""
        return splice(raw, first, edits)


def _build(lines: list[tuple[int, bytes]], size: int, fields: frozenset[str]) -> BibliographicRecord:
    start, end = lines[0][0], lines[-1][0] + len(lines[-1][1])
    if size > MOST_BYTES:
        return BibliographicRecord(start, end, fault=_TOO_LONG)
    found = [_field(at, match) for at, line in lines if (match := _LINE.match(line))]
    if found[0].tag not in _LEADERS:
        return BibliographicRecord(start, end, fault=_NO_START)
    unimarc = is_unimarc(found)
    return BibliographicRecord(
        start, end, places=places_of(found, fields, unimarc=unimarc), **describe(found, unimarc=unimarc)
    )


def _field(at: int, match: re.Match[bytes]) -> DataField:
    tag, value, first = match[1].decode("ascii"), match[2], at + match.start(2)
    if tag.startswith("00") or tag == "LDR":
        return DataField(tag, "", [_subfield("", value, first, 0, len(value))])
    parts, start = [], value.find(b"$")
    while start >= 0:
        after = value.find(b"$", start + 1)
        code = value[start + 1 : start + 2].decode("latin-1")
        parts.append(_subfield(code, value, first, min(start + 2, len(value)), after if after >= 0 else len(value)))
        start = after
    return DataField(tag, value[:1].decode("latin-1"), parts)


def _subfield(code: str, value: bytes, first: int, start: int, end: int) -> Subfield:
    start, end = trim(value, start, end)
    text, codec = decode(value[start:end])
    told = _MNEMONIC.sub(lambda match: _SIGNS[match[1]], text)
    return Subfield(code, told, ((first + start, first + end),), partial(_encode, codec))


def _encode(codec: str, text: str) -> bytes:
    """Return the bytes of a text, with the names that MarcEdit has for $ and braces. Raises NotWritable."""
    return encode(codec, "".join(_MNEMONICS.get(sign, sign) for sign in text))
