"""The raw request target. WSGI passes the path decoded, which makes `%2C` in a name look like the comma between two
names, and `%252F` like `%2F`."""

import re
from urllib.parse import quote

from django.http import HttpRequest

HANDLES = "/api/handles/"
LONGEST_TARGET_CHARACTERS = 8190  # of a path with its query; the web server accepts longer ones

_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_IN_PATH = "!$&'()*+,;=:@/~"
_BEFORE_PATH = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def get_raw_path_after(request: HttpRequest, beginning: str) -> str:
    """Return the path after `beginning`, undecoded and in ASCII; other raw bytes are percent-encoded. Of several
    slashes at the start of the path one counts.

    The source is our server's RAW_URI. Without it, or if the beginning itself was sent encoded, the path is encoded
    again from the decoded one: then every comma separates names (R2), and `%2F` looks like a slash.
    """
    raw = _read_raw_path(request)
    if raw and (raw := _drop_slashes(raw)).startswith(beginning):
        return raw[len(beginning) :]
    return quote(_drop_slashes(request.path_info)[len(beginning) :], safe=_IN_PATH)


def _drop_slashes(path: str) -> str:
    return f"/{path.lstrip('/')}"


def is_for_record(request: HttpRequest) -> bool:
    """Return whether the path is that of a record for programs."""
    return _drop_slashes(request.path_info).startswith(HANDLES)


def get_raw_query(request: HttpRequest) -> str:
    """Return the query without its question mark, undecoded and in ASCII."""
    return _encode_ascii(request.META.get("QUERY_STRING", ""))


def is_target_too_long(request: HttpRequest) -> bool:
    """Return whether the target is longer than the limit."""
    length = len(_read_raw_path(request)) or len(request.path_info)
    return length + len(request.META.get("QUERY_STRING", "")) > LONGEST_TARGET_CHARACTERS


def _read_raw_path(request: HttpRequest) -> str:
    raw = request.META.get("RAW_URI", "")
    if not raw.startswith("/"):  # from a client that uses the portal as its HTTP proxy
        raw = _BEFORE_PATH.sub("", raw, count=1)
    path, prefix = re.split("[?#]", raw, maxsplit=1)[0], request.META.get("SCRIPT_NAME", "").rstrip("/")
    return _encode_ascii(path.removeprefix(prefix) if path.startswith(f"{prefix}/") else path)


def _encode_ascii(text: str) -> str:
    """Percent-encode bytes outside ASCII. WSGI passes each byte as a character."""
    return text if text.isascii() else quote(text.encode("latin-1", "replace"), safe=_ASCII)
