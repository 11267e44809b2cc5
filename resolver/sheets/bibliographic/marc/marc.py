"""MARC 21 and UNIMARC in ISO 2709, the form in which catalogues exchange their records."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.marc.ansel import decode_ansel
from resolver.sheets.bibliographic.marc.data_field import DataField, Subfield
from resolver.sheets.bibliographic.marc.fields import (
    EXPORT_FIELD,
    FIELDS,
    LINK_FIELDS,
    TOO_MANY_SUBFIELDS,
    USED_TAGS,
    build_record,
    is_unimarc,
)
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    MAX_RECORD_PARTS,
    READ_BYTES,
    RECORD_TOO_LONG,
    BibliographicRecord,
    Edit,
    RecordFormat,
    Span,
    splice,
)
from resolver.sheets.bibliographic.text_codec import encode, trim
from resolver.sheets.left_out import NotWritable

_LEADER = 24
_ENTRY = 12  # bytes of a field in the directory: tag, length, start
_RECORD_END, _FIELD_END, _SUBFIELD = b"\x1d", b"\x1e", b"\x1f"
_LONGEST_RECORD, _LONGEST_FIELD = 99_999, 9_999
_GAP = re.compile(rb"[\r\n \0\x1a]*+")
# A beginning that is not by the standard.
_LOOSE_START = re.compile(rb"(?:\xef\xbb\xbf)?[\s\0]{0,100}[\d ]{5}.{7}[\d ]{5}.{7}[0-9A-Za-z]{3}\d{9}", re.S)
_LEADER_BEGINS = re.compile(rb"\d{5}[a-z ].{3}[a ]22\d{5}.{3}45", re.S)
_RECORD_ENDS, _MARK = _FIELD_END + _RECORD_END, re.compile(_FIELD_END)
_CUT_OFF = Message("The record is cut off.")
_NO_LEADER = Message("The record has no usable leader.")
_NO_DIRECTORY = Message("The directory of the record does not fit its fields.")
_WRONG_DIRECTORY = Message("The directory of this record is wrong, so nothing is written into the record.")
_RECORD_FULL = Message("The record would be longer than the {count} bytes that MARC allows.", count=_LONGEST_RECORD)
_FIELD_FULL = Message("The field would be longer than the {count} bytes that MARC allows.", count=_LONGEST_FIELD)
_TWO_RECORDS = Message("The end mark of this record is missing, so it runs into the next one.")
_NOT_ASCII = Message("The value is not ASCII, and the record is in MARC-8. Change it by hand.")
_MARC_8 = Message("The record is in MARC-8. Only ASCII can be written into it.")


class Marc(RecordFormat):
    """Records with a leader and a directory, which says where each field begins and how long it is."""

    kind = "marc"
    label = "MARC"
    endings = ("mrc", "marc")
    media_types = ("application/marc",)
    refusal = (r"(?s)\d{5}[a-z][a-z][a-z0-9 ]..22[\d ]{5}...45", Message("This is a MARC file."), EXPORT_FIELD)
    fields = FIELDS
    link_fields = LINK_FIELDS
    start = re.compile(rb"(?:\xef\xbb\xbf)?[\s\0]{0,100}[\d ]{5}[a-z ].{3}[a ]22[\d ]{5}.{3}45[\d ]", re.S)

    def begins(self, head: bytes) -> bool:
        """Return whether a file that begins with these bytes is MARC in ISO 2709."""
        return super().begins(head) or (
            _FIELD_END in head and (bool(_LOOSE_START.match(head)) or (_RECORD_ENDS in head and b"\0" not in head))
        )

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the records in order. A damaged one ends with the next end mark (1D)."""
        for start, raw in _split(stream):
            yield _build(start, raw, fields)

    def rebuild(self, raw: bytes, first: int, edits: Sequence[Edit]) -> bytes:
        """Return the record with the edits made, and with true lengths in its leader and directory. Raises NotWritable
        for what ISO 2709 can't hold."""
        new = splice(raw, first, edits)
        if len(new) > _LONGEST_RECORD:
            raise NotWritable(_RECORD_FULL)
        base = int(raw[12:17])
        directory = bytearray(raw[_LEADER : base - 1])
        moved = [(edit.start - first - base, len(edit.new) - (edit.end - edit.start)) for edit in edits]
        for at in range(0, len(directory), _ENTRY):
            length, start = int(directory[at + 3 : at + 7]), int(directory[at + 7 : at + 12])
            longer = length + sum(by for place, by in moved if start <= place < start + length)
            later = start + sum(by for place, by in moved if place < start)
            if longer > _LONGEST_FIELD:
                raise NotWritable(_FIELD_FULL)
            directory[at + 3 : at + 12] = b"%04d%05d" % (longer, later)
        return b"%05d" % len(new) + new[5:_LEADER] + bytes(directory) + new[base - 1 :]


def _split(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the bytes of each record, without those between records, and where it begins."""
    window, base, at, more = stream.read(READ_BYTES), 0, 0, True
    at = len(BOM_UTF8) if window.startswith(BOM_UTF8) else 0
    while True:
        if gap := _GAP.match(window, at):
            at = gap.end()
        end = _end(window, at, more=more)
        if end == 0 and more and len(window) - at <= MAX_RECORD_BYTES:
            base, window, at = base + at, window[at:], 0
            piece = stream.read(max(READ_BYTES, len(window)))  # doubled: each byte is copied but a few times
            window, more = window + piece, bool(piece)
            continue
        end = end or len(window)
        if end == at:
            return
        yield base + at, window[at:end]
        at = end
        if at > READ_BYTES:
            base, window, at = base + at, window[at:], 0


def _end(window: bytes, at: int, *, more: bool) -> int:
    """Return the end of the record that begins at `at`: by its leader, if its end mark is there; else behind the next
    end mark, or before a record that follows without one. 0 if more must be read to find it."""
    said = window[at : at + 5]
    end = at + int(said) if said.isdigit() and int(said) >= _LEADER else at
    if more and (len(window) < end + _LEADER or len(window) - at < _LEADER):
        return 0
    first = window.find(_RECORD_ENDS, at, max(end - 2, at))
    if first < 0 and end > at and window[end - 1 : end] == _RECORD_END:
        return end
    mark = window.find(_RECORD_END, at)
    unmarked = end > at and window[end - 2 : end - 1] == _FIELD_END and (mark < 0 or end <= mark)
    return end - 1 if unmarked and _LEADER_BEGINS.match(window, end - 1) else mark + 1


def _build(start: int, raw: bytes, fields: frozenset[str]) -> BibliographicRecord:
    end = start + len(raw)
    if len(raw) > MAX_RECORD_BYTES:
        return BibliographicRecord(start, end, fault=RECORD_TOO_LONG)
    if not raw.endswith(_RECORD_END):
        return BibliographicRecord(start, end, fault=_CUT_OFF)
    leader = raw[:_LEADER].decode("latin-1")
    if len(raw) <= _LEADER or not leader[12:17].isdecimal() or not leader.isascii():
        return BibliographicRecord(start, end, fault=_NO_LEADER)
    try:
        found = _read_fields(raw, start, leader)
    except _Damaged as error:
        return BibliographicRecord(start, end, fault=error.fault)
    return build_record(start, end, found, fields)


@dataclass(frozen=True, slots=True)
class _Coding:
    """The encoding of a record's texts, and the reason why none of them is changed."""

    utf8: bool
    unimarc: bool
    reason: Message | None


class _Damaged(ValueError):
    def __init__(self, fault: Message) -> None:
        super().__init__(fault)
        self.fault = fault


def _read_fields(raw: bytes, first: int, leader: str) -> list[DataField]:
    """Return the fields that are used, by the directory; by their end marks where only its numbers are wrong. Raises
    _Damaged."""
    base = int(leader[12:17])
    directory = raw[_LEADER : base - 1]
    if base > len(raw) or len(directory) % _ENTRY or raw[base - 1 : base] != _FIELD_END:
        raise _Damaged(_NO_DIRECTORY)
    reason = _RECORD_FULL if len(raw) > _LONGEST_RECORD else None
    spans = _find_spans_by_numbers(raw, base, directory)
    if spans is None:
        reason, spans = _WRONG_DIRECTORY, _find_spans_by_marks(raw, base, directory)
    elif not _are_apart(spans):
        reason = _WRONG_DIRECTORY
    elif max((end for _, end in spans), default=base - 1) + 2 != len(raw):
        reason = _WRONG_DIRECTORY
        if _LEADER_BEGINS.search(raw, base):
            raise _Damaged(_TWO_RECORDS)
    if spans is None:
        raise _Damaged(_NO_DIRECTORY)
    if raw.count(_SUBFIELD) > MAX_RECORD_PARTS:
        raise _Damaged(TOO_MANY_SUBFIELDS)
    tags = [directory[at : at + 3].decode("latin-1") for at in range(0, len(directory), _ENTRY)]
    unimarc = is_unimarc(tags)
    utf8 = leader[9] == "a" or (unimarc and _says_utf8(raw, tags, spans))
    coding = _Coding(utf8, unimarc, reason)
    placed = zip(tags, spans, strict=True)
    return [_read_field(raw, first, tag, span, coding) for tag, span in placed if tag in USED_TAGS]


def _says_utf8(raw: bytes, tags: Sequence[str], spans: Sequence[Span]) -> bool:
    """Return whether a record of UNIMARC is in UTF-8 by its field 100 $a."""
    if "100" not in tags:
        return False
    value = raw[slice(*spans[tags.index("100")])]
    at = value.find(_SUBFIELD + b"a") + 2
    return at > 1 and value[at + 26 : at + 28] == b"50"


def _find_spans_by_numbers(raw: bytes, base: int, directory: bytes) -> list[Span] | None:
    """Return the spans of the fields by the directory, without their end marks; None if it is wrong, or if the fields
    together are longer than the record: a small file could fill much memory."""
    found, left = [], len(raw)
    for at in range(0, len(directory), _ENTRY):
        numbers = directory[at + 3 : at + _ENTRY]
        if not numbers.isdigit():
            return None
        start = base + int(numbers[4:])
        end = start + int(numbers[:4]) - 1
        left -= end - start
        if end >= len(raw) or raw[end : end + 1] != _FIELD_END or end < start or left < 0:
            return None
        found.append((start, end))
    return found


def _are_apart(spans: Sequence[Span]) -> bool:
    """Return whether no two fields share bytes, which could not be changed for one alone."""
    return all(one[1] < other[0] for one, other in pairwise(sorted(spans)))


def _find_spans_by_marks(raw: bytes, base: int, directory: bytes) -> list[Span] | None:
    """Return the spans of the fields in the order of the directory, None unless it has as many. Programs that count
    characters instead of bytes write such records."""
    count = len(directory) // _ENTRY
    ends = [match.start() for match in islice(_MARK.finditer(raw, base), count + 1)]
    starts = [base, *(end + 1 for end in ends)]
    return list(zip(starts, ends, strict=False)) if len(ends) == count and starts[-1] == len(raw) - 1 else None


def _read_field(raw: bytes, first: int, tag: str, span: Span, coding: _Coding) -> DataField:
    start, end = span
    if tag.startswith("00"):
        return DataField(tag, "", [_build_subfield(raw, first, "", (start, end), coding)])
    parts, at = [], raw.find(_SUBFIELD, start, end)
    while at >= 0:
        after = raw.find(_SUBFIELD, at + 1, end)
        code = raw[at + 1 : at + 2].decode("latin-1")
        parts.append(_build_subfield(raw, first, code, (min(at + 2, end), after if after >= 0 else end), coding))
        at = after
    return DataField(tag, raw[start : start + 1].decode("latin-1"), parts)


def _build_subfield(raw: bytes, first: int, code: str, span: Span, coding: _Coding) -> Subfield:
    begin, stop = trim(raw, *span)
    value = raw[begin:stop]
    reason = coding.reason or (None if coding.utf8 or value.isascii() else _NOT_ASCII)
    encoder = partial(encode, "utf-8") if coding.utf8 else _encode_ascii
    return Subfield(code, _decode_text(value, coding.unimarc), ((begin + first, stop + first),), encoder, reason)


def _decode_text(value: bytes, unimarc: bool) -> str:
    """Return the text; what is neither UTF-8 nor ANSEL has U+FFFD."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("ascii", "replace") if unimarc else decode_ansel(value)


def _encode_ascii(text: str) -> bytes:
    """Return the bytes of a text that MARC-8 has too. Raises NotWritable."""
    if not text.isascii():
        raise NotWritable(_MARC_8)
    return encode("ascii", text)
