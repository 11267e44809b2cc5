"""BibTeX and BibLaTeX."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import BinaryIO

from doi_reading import Message
from resolver.sheets.bibliographic.bibtex.doi_field import DOI, find_room, is_empty
from resolver.sheets.bibliographic.bibtex.entries import RawEntry, read_raw_entries
from resolver.sheets.bibliographic.bibtex.entry_work import DESCRIBING, describe_entry, read_value
from resolver.sheets.bibliographic.bibtex.escapes import ESCAPED, unescape
from resolver.sheets.bibliographic.bibtex.fields import BrokenEntry, EntryField, find_inner, read_fields, read_key
from resolver.sheets.bibliographic.notes import find_in_note
from resolver.sheets.bibliographic.places import make_place
from resolver.sheets.bibliographic.record import (
    MAX_RECORD_BYTES,
    MAX_RECORD_PLACES,
    SAVE_IN_UTF_8,
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
from resolver.sheets.bibliographic.text_codec import decode, encode
from resolver.sheets.left_out import NotWritable

_COMMENT = (
    rb"(?:[^\t\"%]|%[^\r\n]*+|\"(?![,;])){0,4000}?(?:(?<![^\r\n])|(?<=\xbf))[ \t]{0,99}"  # a table has tabs or ","
)
_DEFINITION = rb"(?:string|preamble|comment)\s{0,99}[{(]"
_KEY, _NAME = rb"[^\s,{}()=\"#%]", rb"[a-z][\w-]{0,50}\s{0,99}=\s{0,99}[\w{\"]"
_ENTRY = rb"[a-z]{1,50}\s{0,99}[{(]\s{0,99}(?:%b{0,300}\s{0,99},|(?:%b{1,300}\s{1,99})?%b)" % (_KEY, _KEY, _NAME)
_NO_RECORDS = frozenset({"comment", "preamble", "string"})
_ROLES: Mapping[str, Role] = {DOI: "name", "url": "url", "ee": "url", "note": "note", "howpublished": "note"}
_STYLED = re.compile(r"\{\\([_%#&$~])\}|\\([_%#&$])")
_OPEN_COMMAND = re.compile(r"\\[A-Za-z]+\Z")
_TEX = re.compile(r"[\\{}$~]")
_SPECIAL = re.compile(r"[_%#&$]")
_UNBALANCED = Message("The braces of this entry don't match.")
_BROKEN = Message("The fields of this entry can't be told apart.")
_TOO_LONG = Message("The entry is longer than {count} bytes.", count=MAX_RECORD_BYTES)
_JOINED = Message("The value is put together with #. Change it by hand.")
_BARE = Message("The value has no braces. Change it by hand.")
_BRACES = Message("The name has braces that don't match, and BibTeX can't hold them.")
_QUOTE = Message("The name has a quotation mark, and the value is in quotation marks.")
_COMMAND = Message("The name contains TeX commands. Change it by hand.")
_BACKSLASH = Message("BibTeX would change characters of this name. Change it by hand.")


class BibTeX(RecordFormat):
    """Entries; their values keep the way in which the file writes special characters."""

    kind = "bibtex"
    label = "BibTeX"
    endings = ("bib", "bibtex")
    media_types = ("application/x-bibtex",)
    refusal = (
        r"(?i)\s*(?:%[^\n]*\n\s*)*@(?:(?:string|preamble|comment)\s*[{(]|[A-Za-z]+\s*+\{\s*+[^\s,{}]*+\s*+,)",
        Message("This is a BibTeX file."),
        SAVE_IN_UTF_8,
    )
    fields = tuple(_ROLES)
    link_fields = find_link_fields(_ROLES)
    start = re.compile(rb"(?i)" + _COMMENT + rb"@\s{0,99}(?:" + _DEFINITION + rb"|" + _ENTRY + rb")")

    def read(self, stream: BinaryIO, fields: frozenset[str]) -> Iterator[BibliographicRecord]:
        """Yield the entries in order. One whose braces don't match ends where the next begins."""
        style = ""
        for entry in read_raw_entries(stream):
            if entry.type in _NO_RECORDS:
                continue
            end = entry.start + len(entry.raw)
            if not entry.closed or len(entry.raw) > MAX_RECORD_BYTES:
                fault = _UNBALANCED if len(entry.raw) <= MAX_RECORD_BYTES else _TOO_LONG
                yield BibliographicRecord(entry.start, end, fault=fault)
                continue
            try:
                record, style = _build(entry, fields, style)
            except BrokenEntry:
                record = BibliographicRecord(entry.start, end, fault=_BROKEN)
            yield record


def _build(entry: RawEntry, fields: frozenset[str], style: str) -> tuple[BibliographicRecord, str]:
    """Return the record, and how the file writes special characters as far as it is known. Raises BrokenEntry."""
    raw = entry.raw
    key, at = read_key(raw, entry.body, len(raw) - 1)
    described: dict[str, str] = {}
    places: list[Place] = []
    taken = False
    for field in read_fields(raw, at, len(raw) - 1):
        if field.name in DESCRIBING and not described.get(field.name):
            described[field.name] = read_value(raw, field)
        taken |= field.name == DOI and DOI not in fields and not is_empty(raw, field)
        if field.name not in fields or len(places) >= MAX_RECORD_PLACES:
            continue
        text = b" # ".join(raw[piece.start : piece.end] for piece in field.pieces).decode("latin-1")
        style = _detect_style(text) or style
        places += islice(_find_places(raw, entry.start, field, style), MAX_RECORD_PLACES)
    missing = refuse_doi(DOI, TAKEN) if taken else MissingDoi(DOI, partial(_add, entry.body, style))
    record = BibliographicRecord(
        entry.start,
        entry.start + len(raw),
        name=key,
        work=describe_entry(described),
        places=tuple(places),
        missing=None if places else missing,
    )
    return record, style


def _add(body: int, style: str, raw: bytes, name: str) -> Edit:
    room = find_room(raw, body, name)
    value = _encode(decode(raw)[1], style, room.opener, name)
    return Edit(room.start, room.end, room.before + value + room.after)


def _find_places(raw: bytes, first: int, field: EntryField, style: str) -> Iterator[Place]:
    role = _ROLES[field.name]
    if len(field.pieces) > 1:
        text = " # ".join(decode(raw[piece.start : piece.end])[0] for piece in field.pieces)
        span = first + field.pieces[0].start, first + field.pieces[-1].end
        yield from make_place(field.name, unescape(text), (span,), role, partial(_encode, "utf-8", style, ""), _JOINED)
        return
    (piece,) = field.pieces
    start, end = find_inner(raw, piece)
    text, codec = decode(raw[start:end])
    encoder = partial(_encode, codec, style, piece.opener)
    reason = None if piece.opener else _BARE
    if role != "note":
        span = first + start, first + end
        yield from make_place(field.name, unescape(text), (span,), role, encoder, reason)
        return
    for each in find_in_note(text, tex=True):
        written = text[each.start : each.end]
        before = first + start + len(text[: each.start].encode(codec, "replace"))
        span = before, before + len(written.encode(codec, "replace"))
        odd = _TEX.search(ESCAPED.sub("", written)) or _OPEN_COMMAND.search(written)
        why = reason or each.reason or (_COMMAND if odd else None)
        yield from make_place(field.name, unescape(written), (span,), role, encoder, why)


def _detect_style(text: str) -> str:
    r"""Return how special characters are written here: `{\_}`, `\_`, `_`, or "" where there is none."""
    if match := _STYLED.search(text):
        return r"{\_}" if match[1] else r"\_"
    return "_" if _SPECIAL.search(text) else ""


def _encode(codec: str, style: str, opener: str, text: str) -> bytes:
    """Return the bytes of a text in the file's own style. Raises NotWritable."""
    depth = 0
    for sign in text:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            break
    if depth:
        raise NotWritable(_BRACES)
    if opener == '"' and '"' in text:
        raise NotWritable(_QUOTE)
    written = text
    if style in (r"{\_}", r"\_"):
        written = _SPECIAL.sub(lambda match: style.replace("_", match.group()), text)
    if "\\" in text or unescape(written) != text:
        raise NotWritable(_BACKSLASH)
    return encode(codec, written)
