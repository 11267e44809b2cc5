"""Make a record's addresses safe for a header and for XML, or refuse them (P1, P10, P11)."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import quote

from resolver.domain.message import Message, UnusableInput

MAX_LENGTH = 8_000
"""The longest address of a redirect, in characters: web servers and browsers refuse much longer headers."""

_SCHEME = re.compile(r"(?:https?|ftp)://[^\s/?#]", re.IGNORECASE)
_HOST_ALONE = re.compile(r"[a-z]+://[^/?#]*\Z", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SPACE = re.compile(r"[\t\n\r]")
_MADE_ANEW = frozenset({"href", "href_template", "xmlns"})
_KEPT = "%/:?#[]@!$&'()*+,;=-._~"


class NotRedirectable(UnusableInput):
    """Nobody is sent to this address; the message says why, after "the address"."""


def to_location_header(text: str, append: str = "") -> str:
    """Return the address for a Location header: ASCII without spaces or control characters. Raises NotRedirectable.

    Outer white space is removed. Non-ASCII characters, spaces and characters that no URL may hold are percent-encoded;
    existing percent signs stay. An address with a control character is damaged or manipulated, and refused. `append` is
    the text that the request adds at the end (P10). It arrived percent-encoded, so it is encoded again. It never
    changes the host of the address: a host without a path gets its slash first.
    """
    address = text.strip()
    if not _SCHEME.match(address):
        raise NotRedirectable(Message("isn't http, https or ftp"))
    if _CONTROL.search(address):
        raise NotRedirectable(Message("contains a control character"))
    if needs_slash(address, append):
        address += "/"
    safe = quote(address + append, safe=_KEPT, errors="replace")
    if len(safe) > MAX_LENGTH:
        raise NotRedirectable(Message("is longer than {count} characters", count=str(MAX_LENGTH)))
    return safe


def needs_slash(text: str, append: str) -> bool:
    """Return whether the appended text would continue the host's name or port without a slash before it."""
    return bool(append) and _HOST_ALONE.match(text.strip()) is not None and not append.startswith(("/", "?", "#"))


def is_redirectable(text: str) -> bool:
    """Return whether the portal may redirect to this address."""
    try:
        to_location_header(text)
    except NotRedirectable:
        return False
    return True


def redirect_body(url: str) -> bytes:
    """Return the HTML body of a redirect, as doi.org writes it."""
    shown = escape(url)
    page = f'<html><head><title>Handle Redirect</title></head>\n<body><a href="{shown}">{shown}</a></body></html>'
    return page.encode("utf-8")


def showurls_body(addresses: Iterable[tuple[str, Mapping[str, str]]]) -> bytes:
    """Return the XML list for `action=showurls` (P11), in UTF-8: each address with its other attributes.

    The names of the elements at doi.org are not documented, so these are named as in a 10320/loc value and have the
    attributes of the location there. Attributes with a namespace are left out, because nothing declares it here.
    """
    items = "".join(f"\n  <location {_attributes(url, others)}/>" for url, others in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<locations>{items}\n</locations>\n'.encode()


def _attributes(url: str, others: Mapping[str, str]) -> str:
    kept = {name: value for name, value in others.items() if name not in _MADE_ANEW and ":" not in name}
    return " ".join(
        f'{name}="{_SPACE.sub(_reference, escape(value))}"' for name, value in {"href": url, **kept}.items()
    )


def _reference(match: re.Match[str]) -> str:
    """Return a character reference for a tab or a line end, which an attribute would otherwise turn into a space."""
    return f"&#{ord(match[0])};"
