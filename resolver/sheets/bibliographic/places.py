"""Places that hold a DOI: found in the texts of a field, and the new text written into one."""

import re
from collections.abc import Callable, Iterator

from doi_reading import LONGEST_TEXT, Message, encode, read
from resolver.sheets.bibliographic.doi_link import is_link, read_value
from resolver.sheets.bibliographic.notes import URI, NotedDoi, find_in_note
from resolver.sheets.bibliographic.record import Place, Role, Span
from resolver.sheets.bibliographic.remainder import ensure_no_remainder, explain_remainder
from resolver.sheets.left_out import NotWritable

_HOLDS = re.compile(r"10\.[0-9]{2,9}|(?<![a-z])doi(?![a-z])", re.IGNORECASE)
_DATE = re.compile(r"\s*10\.[0-9]{1,2}\.[0-9]{2,4}\s*")
_LABEL = re.compile(r"\s*doi\s{0,3}[:=]?\s{0,3}(?=10\.)", re.IGNORECASE)
_CLEAN = re.compile(r"(?i)(?:https?://(?:dx\.)?doi\.org/|doi: ?)?10\.[0-9]{4,9}/(?:(?!10\.)[a-z0-9._()-]){1,200}")
TOO_LONG = Message("The value is longer than {count} characters. Change it by hand.", count=LONGEST_TEXT)
READ_OTHERWISE = Message("Written here, the DOI would be read differently. Change it by hand.")


def may_hold_doi(text: str) -> bool:
    """Return whether the text looks as if it should hold a DOI, also a damaged one."""
    return bool(_HOLDS.search(text[:LONGEST_TEXT])) and not _DATE.fullmatch(text[:LONGEST_TEXT])


def make_place(
    field: str, text: str, spans: tuple[Span, ...], role: Role, encode: Callable[[str], bytes], reason: Message | None
) -> Iterator[Place]:
    """Yield the place, unless the text is an address or a note without a DOI. A field for names is always one, if it
    has text. Of a text that is too long to be read as a DOI only the beginning is kept."""
    if not text.strip() or (role != "name" and not may_hold_doi(text)):
        return
    if len(text) > LONGEST_TEXT:
        text, reason = text[: LONGEST_TEXT + 1], reason or TOO_LONG
    yield Place(field, text, spans, role, encode, reason or _explain(text, role))


def build_new_text(place: Place, name: str) -> str:
    """Return the new text of this place for a DOI name: the resolver's link if it had one, else the name, with the
    label that was before it. Raises NotWritable."""
    if place.reason is not None:
        raise NotWritable(place.reason)
    ensure_no_remainder(place.text, name, in_doi_field=place.role == "name")
    if place.role == "name":
        return name
    if is_link(place.text):
        text = encode(name)
    else:
        label = _LABEL.match(place.text)
        text = (label.group() if label else "") + name
        if str(read(text).doi).casefold() != name.casefold():
            raise NotWritable(READ_OTHERWISE)
    if place.role == "note" and (find_in_note(text) != [NotedDoi(0, len(text), None)] or not _is_paired(name)):
        raise NotWritable(READ_OTHERWISE)
    return text


def _explain(text: str, role: Role) -> Message | None:
    if role == "note" or _CLEAN.fullmatch(text):
        return None
    if role == "url" and read_value(text).form in ("urn", "info"):
        return URI
    return explain_remainder(text, in_doi_field=role == "name")


def _is_paired(name: str) -> bool:
    """Return whether brackets of a sentence around the name would stay outside of it."""
    return name.count("(") == name.count(")") and name.count("[") == name.count("]")
