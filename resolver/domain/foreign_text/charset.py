"""Names of charsets, as strangers give them in headers."""

import codecs
from encodings import normalize_encoding
from encodings.aliases import aliases

_KNOWN = frozenset(aliases) | frozenset(aliases.values())


def find_codec(charset: str) -> str:
    """Return Python's name of the codec that reads texts in this charset, "" if there is none.

    `codecs.lookup` alone keeps each name that it doesn't know in memory, and fails for NUL and surrogates. It also
    knows codecs of no charset: punycode reads a long text for minutes.
    """
    name = normalize_encoding(charset).lower() if len(charset) <= 50 else ""
    if name not in _KNOWN:
        return ""
    try:
        b"x".decode(name, "replace")
    except LookupError:  # it reads no texts (rot13, base64), or it is that of another system
        return ""
    return codecs.lookup(name).name
