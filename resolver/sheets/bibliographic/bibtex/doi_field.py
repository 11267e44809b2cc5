"""The room for a DOI in an entry that has none: its own field if that is empty, else behind the last one and in its
style."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from resolver.sheets.bibliographic.bibtex.fields import EntryField, find_inner, read_fields, read_key

DOI = "doi"
_INDENTATION = b"  "  # where the entry shows none
_LINE_BEGINS = re.compile(rb"(\r\n|\n|\r)([ \t]{0,200})(,?[ \t]{0,9})\Z")  # some programs write the comma there
_MOST_BEFORE = 220  # bytes of a line before a name
_BREAK = re.compile(rb"\r\n|\n|\r")
_REST = re.compile(rb"[ \t]{0,200}+(,?)[ \t]{0,200}+(%[^\r\n]*+)?")
_COMMA = re.compile(rb"\s*+(,?)")
_BLANKS = re.compile(rb"[ \t]{0,60}")


@dataclass(frozen=True, slots=True)
class DoiRoom:
    """Room for the value of a field. It goes between `before` and `after`, and all three take the place of the bytes
    from `start` to before `end`. `opener` is the sign that opens the value, `{` or `"`."""

    start: int
    end: int
    opener: str
    before: bytes = b""
    after: bytes = b""


def find_room(raw: bytes, body: int, name: str) -> DoiRoom:
    """Return the room for this DOI name in an entry, whose inside begins at byte `body`. Raises BrokenEntry."""
    _, at = read_key(raw, body, len(raw) - 1)
    fields = list(read_fields(raw, at, len(raw) - 1))
    for field in fields:
        if field.name == DOI and is_empty(raw, field):
            start, _ = find_inner(raw, field.pieces[0])
            return DoiRoom(start, start, field.pieces[0].opener)
    return _find_room_behind_fields(raw, at, fields, name) if fields else _find_room_behind_key(raw, at)


def is_empty(raw: bytes, field: EntryField) -> bool:
    """Return whether the value has no text."""
    start, end = find_inner(raw, field.pieces[0])
    return len(field.pieces) == 1 and start >= end


def _find_room_behind_fields(raw: bytes, at: int, fields: Sequence[EntryField], name: str) -> DoiRoom:
    last = fields[-1].end
    opener = next((each.pieces[-1].opener for each in reversed(fields) if each.pieces[-1].opener), "{")
    opener = "{" if '"' in name else opener
    begins = next(filter(None, (_match_line_begin(raw, each.start) for each in reversed(fields))), None)
    rest = _REST.match(raw, last, len(raw) - 1)
    comma = b"" if begins and begins[3] else b","
    kept = ending = b""
    if rest and rest[2]:  # a comment, which would hide what follows on its line
        kept, ending = rest.group(), rest[1]
        comma = b"" if ending else comma
    if begins:
        separator = begins.group()
    elif kept:
        separator = _find_break(raw, last) + _INDENTATION
    else:
        separator = b" " if raw[fields[-1].start - 1 : fields[-1].start].isspace() else b""
    before = comma + kept + separator + _write_name(raw, fields[-2:]) + opener.encode()
    return DoiRoom(last, last + len(kept), opener, before, (b"}" if opener == "{" else b'"') + ending)


def _find_room_behind_key(raw: bytes, at: int) -> DoiRoom:
    comma = _COMMA.match(raw, at)
    has_comma = bool(comma and comma[1])
    start = comma.end() if comma and has_comma else at
    separator = b" "
    if _BREAK.search(raw, start):
        closing = _match_line_begin(raw, len(raw) - 1)
        separator = _find_break(raw, start) + (closing[2] if closing else b"") + _INDENTATION
    return DoiRoom(start, start, "{", (b"" if has_comma else b",") + separator + b"doi = {", b"}")


def _match_line_begin(raw: bytes, at: int) -> re.Match[bytes] | None:
    """Match the line break and the white space before `at`, perhaps with a comma."""
    return _LINE_BEGINS.search(raw[max(0, at - _MOST_BEFORE) : at])


def _find_break(raw: bytes, at: int) -> bytes:
    """Return the line break that follows, "\\n" if there is none."""
    found = _BREAK.search(raw, at)
    return found.group() if found else b"\n"


def _write_name(raw: bytes, fields: Sequence[EntryField]) -> bytes:
    """Return `doi = ` as the last of these fields has its name; so that the values stay below each other if they are
    now."""
    name, left, right = _split_name(raw, fields[-1])
    longer = len(name) - len(DOI)
    for other, other_left, other_right in (_split_name(raw, each) for each in fields[:-1]):
        if len(other) == len(name):
            continue
        if len(other) + len(other_left) == len(name) + len(left):
            left = b" " * (len(left) + longer)
        elif len(other) + len(other_right) == len(name) + len(right) and left == other_left:
            right = b" " * (len(right) + longer)
    word = name.decode("latin-1")
    written = DOI.upper() if word.isupper() else DOI.title() if word.istitle() else DOI
    return written.encode() + left + b"=" + right


def _split_name(raw: bytes, field: EntryField) -> tuple[bytes, bytes, bytes]:
    """Return the name of the field as it is written, and the white space before and behind the sign after it."""
    end = field.start + len(field.name)
    left, _, right = raw[end : field.pieces[0].start - len(field.pieces[0].opener)].partition(b"=")
    left, right = (each if _BLANKS.fullmatch(each) else b" " for each in (left, right))
    return raw[field.start : end], left, right
