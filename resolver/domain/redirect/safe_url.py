"""Addresses that a record leads to, made fit for a header and for XML, or refused (P1, P10, P11)."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import quote

from resolver.domain.message import Message, MessageError

MAX_LENGTH = 8_000
"""Characters of an address that a redirect can carry: web servers and browsers refuse headers much longer."""

_SCHEME = re.compile(r"(?:https?|ftp)://[^\s/?#]", re.IGNORECASE)
_HOST_ALONE = re.compile(r"[a-z]+://[^/?#]*\Z", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SPACE = re.compile(r"[\t\n\r]")
_MADE_ANEW = frozenset({"href", "href_template", "xmlns"})
_KEPT = "%/:?#[]@!$&'()*+,;=-._~"


class NotRedirectable(MessageError):
    """Nobody is sent to this address; the message says why, after "the address"."""


def redirectable(text: str, append: str = "") -> str:
    """The address as it goes into a Location header: ASCII without spaces or controls; or NotRedirectable.

    Outer white space goes; non-ASCII characters, spaces and what no URL may hold are percent-encoded, and percent signs
    that are there already stay. An address with a control character in it was tampered with or damaged: it is refused.
    `append` is what the request wants at its end (P10); that came percent-encoded, and so it is encoded again. It never
    makes another host of the address: a host without a path gets its slash first.
    """
    address = text.strip()
    if not _SCHEME.match(address):
        raise NotRedirectable(Message("is none of http, https or ftp"))
    if _CONTROL.search(address):
        raise NotRedirectable(Message("holds a control character"))
    if needs_slash(address, append):
        address += "/"
    safe = quote(address + append, safe=_KEPT, errors="replace")
    if len(safe) > MAX_LENGTH:
        raise NotRedirectable(Message("is longer than {count} characters", count=str(MAX_LENGTH)))
    return safe


def needs_slash(text: str, append: str) -> bool:
    """Whether what is appended would go on with the host's name or port, if no slash came before it."""
    return bool(append) and _HOST_ALONE.match(text.strip()) is not None and not append.startswith(("/", "?", "#"))


def is_redirectable(text: str) -> bool:
    """Whether a click on the name could lead to this address."""
    try:
        redirectable(text)
    except NotRedirectable:
        return False
    return True


def redirect_body(url: str) -> bytes:
    """The HTML that goes with a redirect, as doi.org writes it."""
    shown = escape(url)
    page = f'<html><head><title>Handle Redirect</title></head>\n<body><a href="{shown}">{shown}</a></body></html>'
    return page.encode("utf-8")


def addresses_body(addresses: Iterable[tuple[str, Mapping[str, str]]]) -> bytes:
    """The XML list that `action=showurls` asks for (P11), in UTF-8: each address with what else is known of it.

    What the elements are called at doi.org was not found anywhere, so these are named as in a 10320/loc value, and have
    the attributes that the location has there. Those of a namespace are left out: nothing here declares it.
    """
    items = "".join(f"\n  <location {_attributes(url, others)}/>" for url, others in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<locations>{items}\n</locations>\n'.encode()


def _attributes(url: str, others: Mapping[str, str]) -> str:
    kept = {name: value for name, value in others.items() if name not in _MADE_ANEW and ":" not in name}
    return " ".join(
        f'{name}="{_SPACE.sub(_reference, escape(value))}"' for name, value in {"href": url, **kept}.items()
    )


def _reference(match: re.Match[str]) -> str:
    """A tab or the end of a line; as it is, an attribute would give back a space."""
    return f"&#{ord(match[0])};"
