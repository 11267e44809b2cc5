"""The forms in which a name is written: what is left when all layers are off, and what was set aside on the way."""

import re
from dataclasses import dataclass, replace

from resolver.domain.name.doi import is_short_doi
from resolver.domain.name.encoding import decode_once
from resolver.domain.parsing.unwrap import LABEL, LAYERS, Coding, Peeling
from resolver.domain.problems.problem import Problem, problem
from resolver.domain.repair.prefixes import repair_prefix
from resolver.domain.tables import library_proxies, publisher_urls
from resolver.domain.text.source_text import WHITE, WHITE_RUN, SourceText

__all__ = ["Coding", "LocatedName", "is_short", "locate_name"]

_INTACT = re.compile(r"(?<![0-9])(?<![0-9]\.)10\.[0-9]{4,9}(?:\.[0-9]+)*/.")
_DEEPEST = 8  # layers; nobody nests more, and a bound keeps reading linear
_ANY_NAME = re.compile(r"(?:%20|%c2%a0|%e2%80%8b|%0[9ad])*(?:[0-9]+(?:\.|%2e)|10(?:/|%2f))", re.IGNORECASE)
_SHORT_PATH = re.compile(r"[A-Za-z0-9]{3,8}/?(?=[?#]|\Z)")
_NO_SHORT = (
    r"(?!(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[0-9]{2}){0,2}|[0-9]{1,2}(?:st|nd|rd|th|am|pm)"
    r"|sec|min|day|week|year|[0-9]{1,3}(?:mm|cm|km|mg|kg|ml|hz|kb|mb|gb))\Z)"
)
"""What follows `10/` in dates, rates and measures; with a label or a resolver before it, any three characters do."""
_BARE_NAME = re.compile(
    r"(?:%20)*10(?:\.|%2e)[^/%\s]*(?:%[013-9][^/%\s]*)*(?:/|%2f)"  # whatever the registrant code looks like
    r"|10\.[0-9]{3,}(?:\.[0-9]+)*\Z"  # a prefix alone; 10.1 or 10.50 alone is a version or a price
    r"|10(?:/|%2f)(?=[0-9]*[A-Za-z])" + _NO_SHORT + r"[A-Za-z0-9]{3,}\Z"  # a shortDOI; 10/12 alone is a score
    r"|[0-9]{1,5}\.[0-9]{3,}(?:\.[0-9]+)*/",  # another directory indicator
    re.IGNORECASE,
)
_NETWORK = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}/(?:[0-9]{0,2}|(?:[0-9]{1,3}\.){3}[0-9]{1,3})\Z")


@dataclass(slots=True)
class LocatedName:
    """A name as it is written, its form, and what was set aside on the way to it."""

    form: str
    raw: SourceText
    coding: Coding
    problems: tuple[Problem, ...] = ()
    query: SourceText | None = None
    fragment: SourceText | None = None
    rest: SourceText | None = None
    """What follows the white space that ended the name, white space included."""
    whole: SourceText | None = None
    """The name before a publisher's path ending was cut."""
    which_ra: bool = False
    scheme: bool = False
    """Whether `doi:` stands directly before a plain name."""


def locate_name(body: SourceText) -> LocatedName | None:
    """The name that `body` begins with, in whatever form; None where it begins with none."""
    state = Peeling(body)
    for _ in range(_DEEPEST):
        state = _up_to_white(state)
        after = next((after for _name, layer in LAYERS if (after := layer(state)) is not None), None)
        if after is None:
            break
        state = after
    return _name(_up_to_white(state))


def _up_to_white(state: Peeling) -> Peeling:
    """White space ends every form; only between a label and its name it may stand."""
    if state.rest is not None:
        return state
    text = state.left.text
    match = WHITE_RUN.search(text)
    if not match or LABEL.match(text):
        return state
    return replace(state, left=state.left.part(0, match.start()), rest=state.left.part(match.start()))


def _name(state: Peeling) -> LocatedName | None:
    left = state.left
    bare = state.form == "name"
    begins = _BARE_NAME if bare else _ANY_NAME
    if not _begins(begins, left.text) or (bare and _NETWORK.match(left.text)):
        short = _SHORT_PATH.match(left.text) if state.resolver else None
        if short and short.group().lower() not in library_proxies.SITE_PAGES:
            left = left.with_replaced([(0, 1, "10/" + left.text[0])])
        elif (bare and has_whole_prefix(left.text)) or not repair_prefix(left.text, labelled=not bare):
            return None  # an intact prefix further on is a name in a text
    prefix_alone = bare and state.rest is not None and "/" not in left.text and "%" not in left.text
    if prefix_alone and state.rest and not (len(left.text) > 6 and state.rest.text.lstrip(WHITE).startswith("/")):
        return None  # "10.1000 people" and "10.1 /12" are no names; "10.1000 /182" is one with a space in it
    problems = list(state.problems)
    if len(state.marks) > 1:
        problems.append(problem("repeated-prefix", state.marks[0][0], max(state.marks[-1][0], state.marks[0][1])))
    query = fragment = whole = None
    if state.coding in (Coding.URL, Coding.URN):
        left, fragment = _cut(left, "#")
        left, query = _cut(left, "?")
    if any(told.code == "publisher-url" for told in problems):
        left, whole = _without_ending(left)
    return LocatedName(
        state.form, left, state.coding, tuple(problems), query, fragment, state.rest, whole, state.which_ra,
        state.scheme and state.coding is Coding.PLAIN,
    )  # fmt: skip


def has_whole_prefix(text: str) -> bool:
    """Whether a whole prefix of four figures or more stands in the text, not at its beginning."""
    return _INTACT.search(text, 1) is not None


def _begins(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a name begins here; any of its characters may be encoded, the figures of the prefix too (E13)."""
    return bool(pattern.match(text) or ("%3" in text[:30] and pattern.match(decode_once(text).text)))


def _cut(excerpt: SourceText, mark: str) -> tuple[SourceText, SourceText | None]:
    at = excerpt.text.find(mark)
    return (excerpt, None) if at < 0 else (excerpt.part(0, at), excerpt.part(at))


def _without_ending(left: SourceText) -> tuple[SourceText, SourceText | None]:
    """Without what a publisher's address has after the DOI; the second is the name with it, or None."""
    shorter = left.text
    for _ in range(3):  # v1/full/pdf
        shorter = publisher_urls.strip_ending(shorter)
    return (left, None) if shorter == left.text else (left.part(0, len(shorter)), left)


def is_short(found: LocatedName) -> bool:
    """Whether what was found is a shortDOI (S12)."""
    return is_short_doi(decode_once(found.raw.text).text.rstrip("/"))
