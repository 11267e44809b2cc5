"""What was asked for, as it was sent: WSGI hands on the path decoded, and then `%2C` in a name is no longer to be told
from the comma between two names, nor `%252F` from what it stands for once decoded."""

import re
from urllib.parse import quote

from django.http import HttpRequest

LONGEST = 8190  # characters of a path with its query: as many as the web server is told to take

_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_IN_PATH = "!$&'()*+,;=:@/~"
_BEFORE_PATH = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def path_after(request: HttpRequest, beginning: str) -> str:
    """The path that follows `beginning`, undecoded and in ASCII: a raw byte that is not is percent-encoded.

    From our server's RAW_URI; where there is none, or the beginning itself came encoded, made again from the decoded
    path: then a comma always separates (R2), and of `%2F` and a slash nobody can tell which it was.
    """
    raw = _raw_path(request)
    if raw.startswith(beginning):
        return raw[len(beginning) :]
    return quote(request.path_info[len(beginning) :], safe=_IN_PATH)


def query(request: HttpRequest) -> str:
    """The query without its question mark, undecoded and in ASCII."""
    return _in_ascii(request.META.get("QUERY_STRING", ""))


def is_too_long(request: HttpRequest) -> bool:
    """Whether it is longer than what the server that comes with the portal would have let through."""
    length = len(_raw_path(request)) or len(request.path_info)
    return length + len(request.META.get("QUERY_STRING", "")) > LONGEST


def _raw_path(request: HttpRequest) -> str:
    raw = request.META.get("RAW_URI", "")
    if not raw.startswith("/"):  # as a client writes it that takes us for its HTTP proxy
        raw = _BEFORE_PATH.sub("", raw, count=1)
    path = re.split("[?#]", raw, maxsplit=1)[0]
    return _in_ascii(path.removeprefix(request.META.get("SCRIPT_NAME", "").rstrip("/")))


def _in_ascii(text: str) -> str:
    """WSGI has each byte as a character."""
    return text if text.isascii() else quote(text.encode("latin-1", "replace"), safe=_ASCII)
