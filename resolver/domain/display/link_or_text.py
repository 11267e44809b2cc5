"""Untrusted addresses: an address is a link only if a click can do no more than open a page (A8)."""

import re
from dataclasses import dataclass

from doi_reading import Message
from resolver.domain.report.report import is_safe_link

LONGEST_TEXT = 2000  # code points: longer than any name and nearly any address, but only a screen or two
LONGEST_PART = 200  # code points of an index, a type, a format, an attribute


def shorten(text: str, longest: int = LONGEST_TEXT) -> tuple[str, tuple[Message, ...]]:
    """Return the beginning of the text, and a sentence with the length of the rest, if there is one."""
    left_out = len(text) - longest
    if left_out <= 0:
        return text, ()
    cut = Message.of_count("{count} more character is not shown.", "{count} more characters are not shown.", left_out)
    return text[:longest], (cut,)


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):")


@dataclass(frozen=True, slots=True)
class ReadableAddress:
    """An address to be shown. `link`: it may be a link. `notes`: why not, and other remarks."""

    text: str
    link: bool = False
    notes: tuple[Message, ...] = ()


def describe_address(url: str) -> ReadableAddress:
    """Return a link if the address is http, https or ftp without hidden characters, else text with the reason."""
    address = url.strip()
    dropped = (Message("White space around it is ignored."),) if address != url else ()
    shown, cut = shorten(address)
    reason = _explain(address)
    if reason:
        return ReadableAddress(shown, notes=(Message("Not a link: {reason}.", reason=reason), *cut))
    return ReadableAddress(shown, link=not cut, notes=(*cut, *dropped))


def _explain(url: str) -> Message | None:
    if not url:
        return Message("it is empty")
    if not url.isprintable():
        return Message("it contains an invisible character")
    if is_safe_link(url):
        return None
    scheme = _SCHEME.match(url)
    if scheme and scheme[1].lower() not in ("http", "https", "ftp"):
        return Message("it begins with {scheme}:, but only http, https and ftp are allowed", scheme=scheme[1])
    return Message("it isn't a complete web address")
