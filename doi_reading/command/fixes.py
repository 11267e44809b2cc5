"""The edits that are certain without asking anyone: the resolver's address, a repeated prefix or label, and encoding.

An edit changes no more than the prefix, or one character of a link. Read again, the text has just the same DOI.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from doi_reading.command.file_text import FileText
from doi_reading.command.outcomes import PREFIX_IN_FIELD, make_prefix_problem
from doi_reading.command.passage import Passage
from doi_reading.name.encoding import RESOLVER, percent_encode
from doi_reading.parsing.occurrences import Occurrence
from doi_reading.parsing.parse import read
from doi_reading.parsing.reading import Reading
from doi_reading.problems.problem import Problem
from doi_reading.text.brackets import find_unpaired_bracket

_PREFIXES = frozenset({"old-resolver", "repeated-prefix", PREFIX_IN_FIELD})
_ENCODINGS = frozenset({"unescaped-recommended", "unescaped-non-ascii"})
_PREFIX = re.compile(
    r"(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|(?<![a-z0-9])doi(?::[ \t]{0,3}|[ \t]{1,3}))+(?=10[./])", re.IGNORECASE
)
_LABEL = re.compile(r"doi(?::[ \t]{0,3}|[ \t]{1,3})", re.IGNORECASE)
_GLUED, _GLUED_SCHEME = re.compile(r"[a-z0-9_/:@=.&?#%-]\Z", re.IGNORECASE), re.compile(r"[a-z0-9_/]\Z", re.IGNORECASE)
"""What stands before a part of something longer, of which nobody knows what it is; `_GLUED_SCHEME`: before a scheme."""
_SICI = re.compile(r"[^\s<>]+<[0-9]{1,6}:[^\s<>]{0,60}>[0-9]\.[0-9]\.[A-Z]{2};[0-9]-[0-9A-Z#]")
"""A link with the name of an article of a serial, which ends with a check character."""
_ENCODED = frozenset("<>[]{}+")
"""Of the characters that a link should have encoded, those that a text doesn't use as its own signs inside a word."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put `new` in place of the file's text from `start` to `end`. `codes`: the problems that it corrects."""

    start: int
    end: int
    new: str
    codes: frozenset[str]


def apply_edits(text: str, edits: Sequence[TextEdit]) -> str:
    """Return the text with the edits, which are in order and don't overlap."""
    parts, done = [], 0
    for edit in edits:
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])


def find_prefix_problem(passage: Passage, occurrence: Occurrence) -> Problem | None:
    """Return the problem of a label in a field for a DOI, or of a link where it must be the name: whatever prints the
    field adds its own."""
    pattern = _LABEL if passage.takes_link else _PREFIX
    prefix = pattern.match(occurrence.reading.input)
    return make_prefix_problem(prefix.end()) if prefix and occurrence.reading.doi else None


def find_edits(passage: Passage, occurrence: Occurrence, source: FileText, codes: set[str]) -> Iterator[TextEdit]:
    """Yield the edits of a DOI, in order. `codes`: its problems."""
    reading = occurrence.reading
    prefix = _PREFIX.match(reading.input)
    if prefix is None or not codes & (_PREFIXES | _ENCODINGS) or not (reading.doi or reading.short_doi):
        return
    new = _choose_prefix(prefix[0], passage, occurrence.start, codes)
    if new is None:
        return
    of_prefix = frozenset(codes & (_PREFIXES if new else _PREFIXES | _ENCODINGS))  # a name needs no encoding
    pieces = [(0, prefix.end(), new, of_prefix)] if codes & _PREFIXES else []
    if new and _can_encode(passage, occurrence, prefix[0], codes):
        pieces += _encode_characters(reading.input, prefix.end(), source, codes)
    if not pieces or not _keeps_doi(reading, pieces):
        return
    for start, end, new, corrected in pieces:
        written = new.replace("/", r"\/") if passage.escape_slash else new
        first, last = passage.text.span(occurrence.start + start, occurrence.start + end)
        if passage.text.input[first:last] != written:
            yield TextEdit(first, last, written, corrected)


_Piece = tuple[int, int, str, frozenset[str]]


def _choose_prefix(written: str, passage: Passage, start: int, codes: set[str]) -> str | None:
    """Return the one prefix for what is written: the resolver's address if a link is among it, else the first label. In
    a field for a DOI there is no label, and no link where it must be the name. None if it is a part of something
    longer, such as `ftp://dx.doi.org/`."""
    is_link, before = "doi.org/" in written.lower(), passage.text.text[max(0, start - 3) : start]
    if (_GLUED_SCHEME if written[:4].lower() == "http" else _GLUED).search(before):
        return RESOLVER.partition("//")[2] if is_link and re.search(r"(?<![:/])//\Z", before) else None
    if is_link:
        return RESOLVER if passage.takes_link or PREFIX_IN_FIELD not in codes else ""
    return "" if passage.is_field else _LABEL.findall(written)[0]


def _can_encode(passage: Passage, occurrence: Occurrence, prefix: str, codes: set[str]) -> bool:
    """Return whether a link's extent is certain, so that its characters may be encoded."""
    is_link = occurrence.reading.form == "url" and "doi.org/" in prefix.lower()
    known = codes <= _PREFIXES | _ENCODINGS and not codes.isdisjoint(_ENCODINGS)
    return is_link and known and passage.takes_percent and _is_delimited(passage, occurrence)


def _is_delimited(passage: Passage, occurrence: Occurrence) -> bool:
    """Return whether it is known where the link ends: it is a whole value, `<…>`, the target of `[…](…)`, or a SICI."""
    text, start, end = passage.text.text, occurrence.start, occurrence.end
    if _SICI.fullmatch(occurrence.reading.input):
        return True
    if passage.is_value:
        return (start, end) == (0, len(text))
    after = text[end : end + 1]
    return (text[start - 1 : start] == "<" and after == ">") or (
        text[start - 2 : start] == "](" and after in (")", " ")
    )


def _encode_characters(text: str, start: int, source: FileText, codes: set[str]) -> list[_Piece]:
    name = text[start:]
    paired = find_unpaired_bracket(name) < 0 and all(name.count(a) == name.count(b) for a, b in ("<>", "[]", "{}"))
    pieces = []
    for place, character in enumerate(text[start:], start):
        if character in _ENCODED and paired and place < len(text) - (character == "+"):
            pieces.append((place, place + 1, percent_encode(character), frozenset({"unescaped-recommended"})))
        elif character > "\x7f" and source.is_unicode:
            pieces.append((place, place + 1, percent_encode(character), frozenset({"unescaped-non-ascii"})))
    return [one for one in pieces if one[3] <= codes]


def _keeps_doi(reading: Reading, pieces: Sequence[_Piece]) -> bool:
    parts, done = [], 0
    for start, end, new, _codes in pieces:
        parts += [reading.input[done:start], new]
        done = end
    again = read("".join([*parts, reading.input[done:]]))
    before, after = ({one.code for one in each.problems} for each in (reading, again))
    return (again.doi, again.short_doi) == (reading.doi, reading.short_doi) and after <= before
