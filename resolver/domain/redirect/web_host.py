"""The server that a web address leads to: its host, its port, whether the connection is secure, whether it is on the
public internet, and what a check of it says.

This is the only reading of hosts: comparisons of addresses, counts by host and checks of hosts agree by it.
"""

import re
import socket
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

from doi_reading import Message
from doi_reading.message import NOTHING

LONGEST_HOST = 253  # characters of a name in DNS
PORTS = {"http": 80, "https": 443, "ftp": 21}
"""The port of an address that names none, by scheme."""

_WEB = re.compile(r"(https?)://([^/?#]*)", re.IGNORECASE)
_UNUSABLE = re.compile(r"[\s\\%<>\"^`{|}\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # programs disagree about such hosts
_NAME_AND_PORT = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:@\[\]/?#]+))(?::([0-9]{0,5}))?")
_IDEOGRAPHIC_DOTS = str.maketrans("。．｡", "...")
# Browsers drop these from a host (UTS 46), where readers don't see them.
_IGNORED = re.compile("[\u00ad\u034f\u180b-\u180f\u200b-\u200d\u2060\u2064\ufe00-\ufe0f\ufeff]")


@dataclass(frozen=True, slots=True)
class WebHost:
    """A host as `read_server` writes it. `tls`: the address is https."""

    name: str
    port: int
    tls: bool


def find_web_host(url: str) -> WebHost | None:
    """Return where a URL value leads; None if it isn't http or https, or programs could read its host differently."""
    found = _WEB.match(url.strip())
    if found is None:
        return None
    scheme = found[1].lower()
    server = read_server(found[2], PORTS[scheme])
    return server and WebHost(*server, scheme == "https")


def find_host(url: str) -> str:
    """Return the host of a URL value; "" if `find_web_host` finds none."""
    host = find_web_host(url)
    return host.name if host else ""


def read_server(authority: str, usual_port: int) -> tuple[str, int] | None:
    """Return the host and the port of the part of an address before its path; None if programs could read it
    differently.

    The host is in small letters and ASCII (an international name in Punycode), without the brackets of IPv6, which is
    in its short form, and the dot at the end. Only a name too long for DNS stays as it is.
    """
    found = None if _UNUSABLE.search(authority) else _NAME_AND_PORT.fullmatch(authority.rpartition("@")[2])
    if found is None:
        return None
    name = _shorten(found[1]) if found[1] else _to_ascii(found[2])
    port = int(found[3]) if found[3] else usual_port
    return (name, port) if name and 0 < port <= 65_535 else None


def to_ascii_host(name: str) -> str:
    """Return an international name in Punycode, as browsers write it; unchanged if it is in ASCII, or can't be one."""
    return name if name.isascii() else _to_ascii(name) or name


def _shorten(address: str) -> str:
    try:
        return IPv6Address(address).compressed
    except AddressValueError:
        return ""


def _to_ascii(name: str) -> str:
    """Return the name in lower-case ASCII; "" if it can't be one. An international label is written in Punycode as
    browsers do it. The codec of the standard library follows the older IDNA 2003, which has no ß."""
    name = name.lower().removesuffix(".")
    if len(name) > LONGEST_HOST:
        return ""
    if name.isascii():
        return name
    name = unicodedata.normalize("NFKC", _IGNORED.sub("", name).translate(_IDEOGRAPHIC_DOTS))
    name = unicodedata.normalize("NFC", name.lower()).removesuffix(".")
    if len(name) > LONGEST_HOST or _UNUSABLE.search(name) or not _NAME_AND_PORT.fullmatch(name):
        return ""
    labels = [label if label.isascii() else _to_punycode(label) for label in name.split(".")]
    encoded = ".".join(labels)
    return encoded if all(labels) and len(encoded) <= LONGEST_HOST else name


def _to_punycode(label: str) -> str:
    # The codec takes time that grows with the square of the length.
    return f"xn--{label.encode('punycode').decode('ascii')}" if len(label) <= 63 else ""


_ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)", re.DOTALL)
"""A host that ends so is an IPv4 address, or none at all (URL Standard, 3.5)."""
_NAT64 = IPv6Network("64:ff9b::/96")  # an IPv4 address behind a translator (RFC 6052)
_UNICAST = IPv6Network("2000::/3")
_CLOSED: tuple[IPv4Network | IPv6Network, ...] = (
    IPv4Network("192.0.0.0/24"),  # for protocols (RFC 6890); Python calls some of them global
    IPv4Network("192.88.99.0/24"),  # relays to 6to4
    IPv6Network("2001::/32"),  # Teredo, which has an IPv4 address inside
    IPv6Network("2002::/16"),  # 6to4, likewise
    IPv6Network("3fff::/20"),  # for examples (RFC 9637)
)


def read_ip_address(host: str) -> IPv4Address | IPv6Address | None:
    """Return the address of a host as `read_server` writes it, be its IPv4 decimal, octal, hexadecimal or short; None
    for a name. Raises AddressValueError if it ends in a number and is no address."""
    if ":" in host:
        return IPv6Address(host)
    if not _ENDS_IN_NUMBER.fullmatch(host):
        return None
    try:
        return IPv4Address(socket.inet_aton(host))
    except OSError as error:
        raise AddressValueError(host) from error


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address belongs to a server on the public internet."""
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address not in _UNICAST:  # loopback, local, multicast, mapped and compatible IPv4
            return False
    closed = any(address.version == network.version and address in network for network in _CLOSED)
    return address.is_global and not (address.is_multicast or address.is_reserved or closed)


class HostCode(StrEnum):
    """The codes of a verdict. NOT_CONTACTED and UNCHECKED say nothing about the host."""

    ANSWERS = "answers"
    NO_SUCH_HOST = "no-such-host"
    NO_ANSWER = "no-answer"
    CERTIFICATE_ENDED = "certificate-ended"
    CERTIFICATE_OTHER_NAME = "certificate-other-name"
    CERTIFICATE_UNTRUSTED = "certificate-untrusted"
    NO_SECURE_CONNECTION = "no-secure-connection"
    NOT_CONTACTED = "not-contacted"
    UNCHECKED = "could-not-check"


_NO_FAULTS = (HostCode.ANSWERS, HostCode.NOT_CONTACTED, HostCode.UNCHECKED)
FAULTS = tuple(code for code in HostCode if code not in _NO_FAULTS)
"""The codes that say that something is wrong with the host."""


@dataclass(frozen=True, slots=True)
class HostVerdict:
    """The code, and a sentence with more details, or NOTHING."""

    code: HostCode
    detail: Message = NOTHING
