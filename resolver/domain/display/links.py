"""Untrusted addresses: an address is a link only if a click can do no more than open a page (A8)."""

import re
from dataclasses import dataclass

from resolver.domain.report.report import is_link

LONGEST = 2000  # code points of one text: longer than any name and nearly any address, but only a screen or two


def bounded(text: str, longest: int = LONGEST) -> tuple[str, tuple[str, ...]]:
    """The beginning of the text, and the sentence that says how much is missing; no sentence where nothing is."""
    left_out = len(text) - longest
    if left_out <= 0:
        return text, ()
    return text[:longest], (left_out_sentence(left_out, "character"),)


def left_out_sentence(count: int, noun: str) -> str:
    """`1,234 more characters are not shown.`"""
    return f"{count:,} more {noun}{' is' if count == 1 else 's are'} not shown."


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):")


@dataclass(frozen=True, slots=True)
class ReadableAddress:
    """An address to be shown. `link`: it may be a link. `notes`: why not, and other remarks."""

    text: str
    link: bool = False
    notes: tuple[str, ...] = ()


def address(url: str) -> ReadableAddress:
    """Return a link if the address is http, https or ftp without hidden characters, else text with the reason."""
    told = url.strip()
    dropped = ("White space around it is dropped.",) if told != url else ()
    shown, cut = bounded(told)
    reason = _reason(told)
    if reason:
        return ReadableAddress(shown, notes=(f"Not a link: {reason}.", *cut))
    return ReadableAddress(shown, link=not cut, notes=(*cut, *dropped))


def _reason(url: str) -> str:
    if not url:
        return "it is empty"
    if not url.isprintable():
        return "it holds a character that cannot be seen"
    if is_link(url):
        return ""
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() not in ("http", "https", "ftp"):
        return f"it begins with {scheme[1]}:, and only http, https and ftp are followed"
    return "it is no complete web address"
