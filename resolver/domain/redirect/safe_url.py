"""Make a record's address safe for a Location header, or refuse it (P1, P10)."""

import re
from urllib.parse import quote

from doi_reading import Message
from doi_reading.message import UnusableInput
from resolver.domain.redirect.web_host import to_ascii_host

MAX_URL_CHARACTERS = 8_000
"""Web servers and browsers refuse much longer addresses and headers."""
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""A control character, a line separator or half of a surrogate pair: an address with one is damaged or manipulated."""

_SCHEME = re.compile(r"(?:https?|ftp)://[^\s/?#]", re.IGNORECASE)
_AUTHORITY = re.compile(r"\A([a-z]+://(?:[^/?#@]*@)?)([^/?#@:]+)", re.IGNORECASE)
_HOST_ALONE = re.compile(r"[a-z]+://[^/?#]*\Z", re.IGNORECASE)
_KEPT = "%/:?#[]@!$&'()*+,;=-._~"


class NotRedirectable(UnusableInput):
    """No redirect may use this address; the message says why, after "the address"."""


def to_location_header(text: str, append: str = "") -> str:
    """Return the address for a Location header: ASCII without spaces or control characters. Raises NotRedirectable.

    Outer white space is removed. An international host is written in Punycode, since some programs ask DNS for what
    stands there. Other non-ASCII characters, spaces and characters that no URL may hold are percent-encoded; existing
    percent signs stay. An address with a control character is damaged or manipulated, and refused. `append` is
    the text that the request adds at the end (P10). It arrived percent-encoded, so it is encoded again. It never
    changes the host of the address: a host without a path gets its slash first.
    """
    address = text.strip()
    if not _SCHEME.match(address):
        raise NotRedirectable(Message("isn't http, https or ftp"))
    if CONTROL.search(address):
        raise NotRedirectable(Message("contains a control character"))
    if needs_slash(address, append):
        address += "/"
    if not address.isascii():
        address = _AUTHORITY.sub(lambda found: found[1] + to_ascii_host(found[2]), address, count=1)
    safe = quote(address + append, safe=_KEPT, errors="replace")
    if len(safe) > MAX_URL_CHARACTERS:
        raise NotRedirectable(Message("is longer than {count} characters", count=str(MAX_URL_CHARACTERS)))
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
