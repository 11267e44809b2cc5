"""Which texts of a field are places that hold a DOI, and whether a new text may be written there."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from resolver.domain.message import Message
from resolver.domain.name.encoding import to_url
from resolver.domain.parsing.parse import LONGEST, read_input
from resolver.sheets.bibliographic.record import MOST_PLACES, NotWritable, Place, Role, Span

_HOLDS = re.compile(r"10\.[0-9]{2,9}|(?<![a-z])doi(?![a-z])", re.IGNORECASE)
_RESOLVER = re.compile(r"\s*(?:https?:)?//(?:dx\.|www\.)?doi\.org(?::\d{1,5})?/", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:urn:|info:)?doi\s{0,3}[:=]?\s{0,3}(?=10\.)", re.IGNORECASE)
_NAME = re.compile(r"\s*10\.[0-9]{2,9}")
_IN_NOTE = re.compile(
    r"(?:https?://[^\s{}<>\"|\\^`]{1,500}?10\.[0-9]{4,9}|10\.[0-9]{4,9})(?:\.[0-9]{1,9}){0,4}(?:/|%2[Ff])[^\s{}<>\"|]{1,500}"
)
_NOT_LAST = ".,;:!?)]'"
_FOREIGN = Message("This link belongs to a publisher or a library proxy, not to the DOI resolver. It is not changed.")
_TOO_LONG = Message("The value is longer than {count} characters. Change it by hand.", count=LONGEST)
_TEXT = Message("Other text stands beside the DOI. Change it by hand.")


def holds_doi(text: str) -> bool:
    """Return whether the text looks as if it should hold a DOI, also a damaged one."""
    return bool(_HOLDS.search(text[:LONGEST]))


def place_of(
    field: str, text: str, spans: tuple[Span, ...], role: Role, encode: Callable[[str], bytes], reason: Message | None
) -> Iterator[Place]:
    """Yield the place, unless an address or a note without a DOI stands there. A field for names is always one, if it
    has text. Of a text that is too long to be read as a DOI only the beginning is kept."""
    if not text.strip() or (role != "name" and not holds_doi(text)):
        return
    if len(text) > LONGEST:
        text, reason = text[: LONGEST + 1], reason or _TOO_LONG
    yield Place(field, text, spans, role, encode, reason or _why_not(text, role))


def spans_in_note(text: str) -> list[Span]:
    """Return where DOIs or links to them stand in a text, without the sentence's punctuation behind them."""
    found = []
    for match in islice(_IN_NOTE.finditer(text[:LONGEST]), MOST_PLACES):
        start, end = match.span()
        while end > start and text[end - 1] in _NOT_LAST and not _closes(text[start:end]):
            end -= 1
        found.append((start, end))
    return found


def new_text(place: Place, name: str) -> str:
    """Return what is written into this place for a DOI name: the resolver's link where one stood, else the name, with
    the label that stood before it. Raises NotWritable."""
    if place.reason is not None:
        raise NotWritable(place.reason)
    if place.role == "name":
        return name
    if _RESOLVER.match(place.text):
        return to_url(name)
    label = _LABEL.match(place.text)
    return (label.group() if label else "") + name


def not_writable(place: Place, reason: Message) -> Place:
    """Return the place with a reason not to write there."""
    return replace(place, reason=place.reason or reason)


def _why_not(text: str, role: Role) -> Message | None:
    if role == "name" or _RESOLVER.match(text) or _LABEL.match(text) or _NAME.match(text):
        return None
    return _FOREIGN if "//" in text or read_input(text).form == "url" else _TEXT


def _closes(text: str) -> bool:
    """Return whether the last character closes a bracket that the text opened."""
    opener = {")": "(", "]": "["}.get(text[-1])
    return opener is not None and text.count(opener) >= text.count(text[-1])
