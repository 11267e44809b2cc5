"""DOIs in the text of a note: where each begins and ends, and why one may not be changed there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from doi_reading import LONGEST_TEXT, Message
from resolver.sheets.bibliographic.record import MAX_RECORD_PLACES

FOREIGN = Message("This link belongs to a publisher or a library proxy, not to the DOI resolver. It is not changed.")
BESIDE = Message("There is other text beside the DOI. Change it by hand.")
SEVERAL = Message("This value contains more than one DOI. Change it by hand.")
URI = Message("The DOI is in a urn: or info: address. Change it by hand.")
RESOLVER = r"(?:(?:https?:)?//)?(?:(?:dx\.|www\.)?doi\.org|hdl\.handle\.net)(?::\d{1,5})?/"

_NAME = r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}(?:/|%2[Ff])"
_QUOTES = "“”„«»‹›’。，；、！？（）【】『』「」〈〉《》"
_SICI = r"<[^\s{}<>\"|/]{0,60}?[0-9][^\s{}<>\"|/:]{0,60}:[^\s{}<>\"|/]{0,60}>"  # 18:21<1::AID-SIM>3.0, but no <a:b>
_PLAIN = rf"{_SICI}|[^\s{{}}<>\"|{_QUOTES}]"
_TEX = r"\{\\(?:[_%#&$~]|text(?:less|greater|underscore))\}|\\text(?:less|greater|underscore)\{\}|\\[{}]|\$[<>]\$|"
_IN_TEXT, _IN_TEX = (re.compile(rf"{_NAME}(?:{body}){{1,500}}+") for body in (_PLAIN, _TEX + _PLAIN))
_BREAK = re.compile(r"[\s{}<>\"|]")
_JOINS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_/=.-%&?#@~+$\\")
_RESOLVER_BEFORE = re.compile(rf"{RESOLVER}\Z", re.IGNORECASE)
_LABEL_BEFORE = re.compile(r"(?:urn:|info:)?doi[:=/]?\Z", re.IGNORECASE)
_LINK_BEFORE = re.compile(r"[a-z][a-z0-9+.-]{1,20}://|www\.", re.IGNORECASE)
_AGAIN = re.compile(rf"(?<![0-9.]){_NAME}|://")
_NOT_LAST = ".,;:!?)]'"
_CONTINUED = re.compile(r"(?!\s|\}|\Z|[。，；、！？）】』」〉》]|[”’»›](?:[\s.,;:!?)\]}]|\Z))")
_CLOSED = re.compile(r"[\"><](?:[\s.,;:!?)\]}]|\Z)")
_CLOSERS = {"<": ">", '"': '"'}


@dataclass(frozen=True, slots=True)
class NotedDoi:
    """A DOI or a link to one, from character `start` to before `end` of a note. `reason` says why it isn't changed."""

    start: int
    end: int
    reason: Message | None


def find_in_note(text: str, *, tex: bool = False) -> list[NotedDoi]:
    """Return the DOIs of a note in order, without the sentence's punctuation behind them. With `tex`, a name may be
    written with TeX's escapes."""
    return list(islice(_iterate(text, _IN_TEX if tex else _IN_TEXT), MAX_RECORD_PLACES))


def _iterate(text: str, pattern: re.Pattern[str]) -> Iterator[NotedDoi]:
    last = 0
    for match in pattern.finditer(text[:LONGEST_TEXT]):
        start, end = match.span()
        again = _AGAIN.search(match.group(), 1)
        start, reason = _begin(text, last, start)
        while end > start and text[end - 1] in _NOT_LAST and not _closes(text[start:end]):
            end -= 1
        last = match.end()
        if _CONTINUED.match(text, last) and not _is_closed(text, start, last):
            reason = reason or BESIDE
        yield NotedDoi(start, end, reason or (SEVERAL if again else None))


def _begin(text: str, last: int, name: int) -> tuple[int, Message | None]:
    """Return where the link to the name at `name` begins, or the name itself; and a reason if it is another's link."""
    lead = _BREAK.split(text[max(last, name - 500) : name])[-1]
    before = text[name - len(lead) - 1 : name - len(lead)]
    if resolver := _RESOLVER_BEFORE.search(lead):
        if not _joins(lead[: resolver.start()] or before):
            return name - len(lead) + resolver.start(), None
    elif label := _LABEL_BEFORE.search(lead):
        if label.group()[0] in "uiUI":
            return name - len(label.group()), URI
        if not _joins(lead[: label.start()] or before) and not _LINK_BEFORE.search(lead):
            return name, None
    elif not _joins(lead or before) and not _LINK_BEFORE.search(lead):
        return name, None
    link = _LINK_BEFORE.search(lead)
    if link or "/" in lead:
        return name - len(lead) + (link.start() if link else 0), FOREIGN
    return name, BESIDE


def _joins(before: str) -> bool:
    """Return whether a name behind this text would be a part of it."""
    return before[-1:] in _JOINS or before[-1:] in ("}", "|")


def _is_closed(text: str, start: int, end: int) -> bool:
    """Return whether the sign behind the name closes the one directly before it."""
    closer = _CLOSERS.get(text[start - 1 : start])
    return text[end : end + 1] == closer and bool(_CLOSED.match(text, end))


def _closes(text: str) -> bool:
    """Return whether the last character closes a bracket that the text opened."""
    opener = {")": "(", "]": "["}.get(text[-1])
    return opener is not None and text.count(opener) >= text.count(text[-1])
