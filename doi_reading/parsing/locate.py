"""Locate the name at the beginning of a text, in whatever form, and set aside what stands around it."""

import re
from bisect import bisect_left

from doi_reading.name.decoding import decode_once
from doi_reading.name.doi import is_graphic
from doi_reading.parsing.labels_and_addresses import LABEL, LAYERS
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.parsing.separators import find_separator
from doi_reading.problems.problem import make_problem, shorten
from doi_reading.repair.prefixes import repair_prefix
from doi_reading.tables import publisher_endings, resolver_addresses
from doi_reading.text.name_continuation import may_continue_name
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

_INTACT = re.compile(r"(?<![0-9])(?<![0-9]\.)10\.[0-9]{4,9}(?:\.[0-9]+)*/.")
_MOST_LAYERS = 8  # around a name: a bound keeps reading linear
_SLASHES = re.compile(r"(?:/|%2f)++(?=10(?:\.|%2e)[0-9])", re.IGNORECASE)
_ANY_NAME = re.compile(r"(?:%20|%c2%a0|%e2%80%8b|%0[9ad])*(?:[0-9]+(?:\.|%2e)|10(?:/|%2f))", re.IGNORECASE)
_TEN = re.compile(r"(?:%20|%c2%a0|%e2%80%8b|%0[9ad])*(?:0?1[0o][.,]|10(?:%2e|/|%2f)|%31)", re.IGNORECASE)
_SHORT_PATH = re.compile(r"[A-Za-z0-9]{3,8}/?(?=[?#]|\Z)")
_END = r"[.,;:)\]}]*\Z"  # of a text, with the signs of its sentence
_NO_SHORT = (
    r"(?!(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:[0-9]{2}){0,2}|[0-9]{1,2}(?:st|nd|rd|th|am|pm)"
    r"|sec|min|day|week|year|[0-9]{1,3}(?:mm|cm|km|mg|kg|ml|hz|kb|mb|gb))" + _END + ")"
)
"""Text after `10/` in dates, rates and measures. After a label or a resolver, any three characters are a shortDOI."""
_BARE_NAME = re.compile(
    r"(?:%20)*10(?:\.|%2e)[^/%\s]*(?:%[013-9][^/%\s]*)*(?:/|%2f)"  # whatever the registrant code looks like
    r"|10\.[0-9]{3,}(?:\.[0-9]+)*\Z"  # a prefix alone; 10.1 or 10.50 alone is a version or a price
    r"|10(?:/|%2f)(?=[0-9]*[A-Za-z])"
    + _NO_SHORT
    + "[A-Za-z0-9]{3,}"
    + _END  # a shortDOI; 10/12 alone is a score
    + r"|[0-9]{1,5}\.[0-9]{3,}(?:\.[0-9]+)*/",  # another directory indicator
    re.IGNORECASE,
)
_IP = r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
_NETWORK = re.compile(rf"{_IP}/(?:{_IP}|[0-9]{{0,2}})(?:[,;|-]+{_IP}(?:/(?:{_IP}|[0-9]{{0,2}}))?)*+[,;|.]*\Z")
_EVIDENT_PREFIX = re.compile(r"10\.(?:[0-9]{4}[0-9.]*|[0-9]{3}\.[0-9]{4,}|97[89]\.[0-9]+)/")


def locate_name(excerpt: SourceText) -> LocatedName | None:
    """Return the name that `excerpt` begins with, in any form. None if it begins with none."""
    located = LocatedName(excerpt)
    for _ in range(_MOST_LAYERS):
        _end_at_white_space(located)
        for strip_layer in LAYERS:
            if strip_layer(located):
                break
        else:
            break
    _end_at_white_space(located)
    _strip_slashes(located, excerpt)
    if not _begins_with_name(located):
        return None
    if len(located.marks) > 1:
        (first, after), *_, (last, _end) = located.marks
        located.problems += (make_problem("repeated-prefix", first, max(last, after)),)
    if located.coding in (Coding.URL, Coding.URN):
        located.raw, located.fragment = _split(located.raw, "#")
        located.raw, located.query = _split(located.raw, "?")
    if any(one.code == "publisher-url" for one in located.problems):
        located.raw, located.whole = _remove_ending(located.raw)
    located.scheme = located.scheme and located.coding is Coding.PLAIN
    return located


def _end_at_white_space(located: LocatedName) -> None:
    """White space ends a name in every form, but may stand between a label and its name."""
    match = WHITE_RUN.search(located.raw.text) if located.rest is None else None
    if match and not LABEL.match(located.raw.text):
        located.raw, located.rest = located.raw.cut(0, match.start()), located.raw.cut(match.start())


def _strip_slashes(located: LocatedName, excerpt: SourceText) -> None:
    """`doi:/10.1000/182`, `https://doi.org/%2F10.1000/182`: slashes between the name and its label or address. An
    address with them means a name that begins with a slash."""
    match = _SLASHES.match(located.raw.text)
    if match is None or located.form == "name":
        return
    start, end = located.raw.span(0, match.end())
    if located.coding is Coding.PLAIN and not located.scheme:
        located.problems += (make_problem("surrounding-text", start, end),)
    elif located.form != "wrapped":
        start = located.marks[-1][0] if located.marks else excerpt.span()[0]
        written = excerpt.text[bisect_left(excerpt.starts, start) : bisect_left(excerpt.starts, end)]
        earlier = (one for one in located.problems if one.code != "damaged-resolver")  # the new one covers it
        located.problems = (*earlier, make_problem("damaged-resolver", start, end, characters=shorten(written)))
    located.raw = located.raw.cut(match.end())


def _begins_with_name(located: LocatedName) -> bool:
    """Return whether a name follows, perhaps a damaged one. Writes a shortDOI after a resolver as a handle: `10/…`."""
    text, bare = located.raw.text, located.form == "name"
    if not text:
        return False  # a label alone: texts may repeat it a thousand times
    if located.handle and not _begins(_TEN, text):
        return False
    if not _begins(_BARE_NAME if bare else _ANY_NAME, text) or (bare and _NETWORK.match(text)):
        short = _SHORT_PATH.match(text) if located.resolver else None
        if short and not resolver_addresses.is_no_short_doi(short.group()):
            located.raw = located.raw.with_replaced([(0, 1, "10/" + text[0])])
        elif (bare and _INTACT.search(text, 1)) or not repair_prefix(text, labelled=not bare):
            return False  # an intact prefix further on is a name in a text
    if located.rest is None or not bare or "/" in text or "%" in text:
        return True
    # "10.1000 people" and "10.1 /12" are no names; "10.1000 /182" is one with a space in it
    return len(text) > len("10.100") and located.rest.text.lstrip(WHITE).startswith("/")


def _begins(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a name begins here. Any of its characters may be encoded, the digits of the prefix too (E13)."""
    return bool(pattern.match(text) or ("%3" in text[:30] and pattern.match(decode_once(text).text)))


def _split(name: SourceText, mark: str) -> tuple[SourceText, SourceText | None]:
    at = name.text.find(mark)
    return (name, None) if at < 0 else (name.cut(0, at), name.cut(at))


def _remove_ending(name: SourceText) -> tuple[SourceText, SourceText | None]:
    """Return the name without what a publisher's address adds, and the longer name; None if nothing is added."""
    shorter = publisher_endings.strip_endings(name.text)
    return (name, None) if shorter == name.text else (name.cut(0, len(shorter)), name)


def find_visible_start(excerpt: SourceText) -> int:
    """Return the place of the first character that is not invisible."""
    if excerpt.text[:1].isprintable():
        return 0
    return next((index for index, character in enumerate(excerpt.text) if is_graphic(character)), 0)


def stands_alone(located: LocatedName, excerpt: SourceText) -> bool:
    """Return whether the excerpt is the one name that it begins with, perhaps divided by white space."""
    if is_figure(located):
        return False
    in_url = located.coding is Coding.URL
    searched = excerpt.text if in_url else located.raw.text
    if not located.which_ra and find_separator(searched, in_url=in_url) is not None:
        return False
    return located.rest is None or may_continue_name(located.raw.text, located.rest.text)


def is_figure(located: LocatedName) -> bool:
    """Return whether it is a price, a version or a time with words after it: 10.50/12.00 Uhr."""
    return located.form == "name" and located.rest is not None and not has_evident_prefix(located.raw.text)


def has_evident_prefix(text: str) -> bool:
    """Return whether `text` begins with a prefix that needs no label: 10.50/copy is a price, 10.15/bin a version,
    10.0.0.0/8 a network."""
    return _EVIDENT_PREFIX.match(text) is not None
