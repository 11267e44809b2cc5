"""Places that hold a DOI: found in the texts of a field, and the new text written into one."""

import re
from collections.abc import Callable, Iterator

from doi_reading import LONGEST_TEXT, Message, encode, read
from resolver.sheets.bibliographic.doi_link import NO_DOI, OTHER_PAGE, ensure_nothing_lost, match_resolver
from resolver.sheets.bibliographic.notes import BESIDE, FOREIGN, SEVERAL, URI, NotedDoi, find_in_note
from resolver.sheets.bibliographic.record import Place, Role, Span
from resolver.sheets.bibliographic.surroundings import find_outside, is_replaceable, is_whole
from resolver.sheets.left_out import NotWritable

_HOLDS = re.compile(r"10\.[0-9]{2,9}|(?<![a-z])doi(?![a-z])", re.IGNORECASE)
_DATE = re.compile(r"\s*10\.[0-9]{1,2}\.[0-9]{2,4}\s*")
_LABEL = re.compile(r"\s*doi\s{0,3}[:=]?\s{0,3}(?=10\.)", re.IGNORECASE)
_NAME = re.compile(r"\s*10\.[0-9]{2,9}")
_CLEAN = re.compile(r"(?i)(?:https?://(?:dx\.)?doi\.org/|doi: ?)?10\.[0-9]{4,9}/(?:(?!10\.)[a-z0-9._()-]){1,200}")
_IDENTIFIER = re.compile(r"[0-9]|://|www\.", re.IGNORECASE)
_ACCESSED = re.compile(
    r"\W*(?:accessed|retrieved|visited|abgerufen)(?:\s(?:on|am))?\W{0,3}[0-9]{1,4}"
    r"(?:[\s./-]{1,2}(?:[0-9]{1,4}|[a-zä]{3,9})){0,2}\W*",
    re.IGNORECASE,
)
SEVERAL_CODES = {"several-dois", "glued-dois"}
_ADDRESS = re.compile(r"\s*(?:[a-z][a-z0-9+.-]{0,20}:)?//|\s*www\.", re.IGNORECASE)
TOO_LONG = Message("The value is longer than {count} characters. Change it by hand.", count=LONGEST_TEXT)
READ_OTHERWISE = Message("Written here, the DOI would be read differently. Change it by hand.")


def holds_doi(text: str) -> bool:
    """Return whether the text looks as if it should hold a DOI, also a damaged one."""
    return bool(_HOLDS.search(text[:LONGEST_TEXT])) and not _DATE.fullmatch(text[:LONGEST_TEXT])


def make_place(
    field: str, text: str, spans: tuple[Span, ...], role: Role, encode: Callable[[str], bytes], reason: Message | None
) -> Iterator[Place]:
    """Yield the place, unless the text is an address or a note without a DOI. A field for names is always one, if it
    has text. Of a text that is too long to be read as a DOI only the beginning is kept."""
    if not text.strip() or (role != "name" and not holds_doi(text)):
        return
    if len(text) > LONGEST_TEXT:
        text, reason = text[: LONGEST_TEXT + 1], reason or TOO_LONG
    yield Place(field, text, spans, role, encode, reason or _explain(text, role))


def build_new_text(place: Place, name: str) -> str:
    """Return the new text of this place for a DOI name: the resolver's link if it had one, else the name, with the
    label that was before it. Raises NotWritable."""
    if place.reason is not None:
        raise NotWritable(place.reason)
    if place.role == "name":
        _ensure_no_identifier_lost(place.text, name)
        return name
    if match_resolver(place.text):
        ensure_nothing_lost(place.text, name)
        text = encode(name)
    else:
        label = _LABEL.match(place.text)
        text = (label.group() if label else "") + name
        if str(read(text).doi).casefold() != name.casefold():
            raise NotWritable(READ_OTHERWISE)
    if place.role == "note" and (find_in_note(text) != [NotedDoi(0, len(text), None)] or not _is_paired(name)):
        raise NotWritable(READ_OTHERWISE)
    return text


def _ensure_no_identifier_lost(text: str, name: str) -> None:
    """Raise NotWritable if a field for names would lose another identifier, or a link."""
    reading = read(text)
    if reading.form == "none" and not is_replaceable(text, name):
        raise NotWritable(NO_DOI)
    if reading.form != "none" and not find_outside(reading) and not is_whole(reading, name):
        raise NotWritable(BESIDE)


def _explain(text: str, role: Role) -> Message | None:
    if role == "note" or _CLEAN.fullmatch(text):
        return None
    if role == "url":
        return _explain_no_link(text)
    reading = read(text)
    if not SEVERAL_CODES.isdisjoint(each.code for each in reading.problems):
        return SEVERAL
    lost = any(_IDENTIFIER.search(piece) and not _ACCESSED.fullmatch(piece) for piece in find_outside(reading))
    return BESIDE if lost else None


def _explain_no_link(text: str) -> Message | None:
    """Return why an address field with this text isn't changed: it must hold the DOI and nothing else."""
    begins = match_resolver(text) or _LABEL.match(text) or _NAME.match(text)
    if not begins and _ADDRESS.match(text):
        return FOREIGN
    reading = read(text)
    codes = {each.code for each in reading.problems}
    if reading.form in ("urn", "info"):
        return URI
    if codes & SEVERAL_CODES:
        return SEVERAL
    if not begins or reading.form in ("publisher-url", "wrapped"):
        return FOREIGN if reading.form in ("publisher-url", "wrapped") else BESIDE
    if reading.form == "api-url" or "proxy-parameter" in codes:
        return OTHER_PAGE
    more = text[begins.end() :].strip()
    apart = len(more.split()) > 1 or ("://" in more and "repeated-prefix" not in codes)
    return BESIDE if apart or reading.form == "text" or "surrounding-text" in codes else None


def _is_paired(name: str) -> bool:
    """Return whether brackets of a sentence around the name would stay outside of it."""
    return name.count("(") == name.count(")") and name.count("[") == name.count("]")
