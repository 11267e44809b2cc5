"""The server that a web address leads to: its host, its port, and whether the connection is secure."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST_HOST = 253  # characters of a name in DNS
_PORTS = {"https": 443, "http": 80}
_UNUSABLE = re.compile(r"[\s\\%<>\"^`{|}\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # programs disagree about such hosts


@dataclass(frozen=True, slots=True)
class WebHost:
    """A host in small letters, without the brackets of IPv6 and the dot at the end. `tls`: the address is https."""

    name: str
    port: int
    tls: bool


def find_web_host(url: str) -> WebHost | None:
    """Return where a URL value leads; None if it isn't http or https, or programs could read its host differently."""
    try:
        parts = urlsplit(url.strip())
        name, port = (parts.hostname or "").lower().removesuffix("."), parts.port
    except ValueError:
        return None
    usual = _PORTS.get(parts.scheme)
    if usual is None or not name or len(name) > LONGEST_HOST or _UNUSABLE.search(parts.netloc) or port == 0:
        return None
    return WebHost(name, usual if port is None else port, parts.scheme == "https")
