"""The requester: the address at the other end, or the one that a trusted server in front of the portal names."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

Network = IPv4Network | IPv6Network


class FrontServer(NamedTuple):
    """The servers in front of the portal (TRUSTED_PROXIES), the path under which they serve it, the header with the
    name of a person who has logged in there, and the one with that person's groups ("": none)."""

    trusted: Sequence[Network] = ()
    prefix: str = ""
    user_header: str = ""
    groups_header: str = ""


class Requester(NamedTuple):
    """REMOTE_ADDR and wsgi.url_scheme of a request."""

    address: str
    scheme: str


def find_requester(peer: str, forwarded: str, scheme: str, trusted: Sequence[Network]) -> Requester:
    """Return the requester behind a connection from `peer`. `forwarded`: all lines of X-Forwarded-For; `scheme`: the
    last X-Forwarded-Proto. The headers count only if the peer is in a `trusted` network (TRUSTED_PROXIES): then the
    requester is the last address that is not trusted itself. A server on this machine may always name the scheme."""
    at_the_other_end = _parse_address(peer)
    if not _is_trusted(at_the_other_end, trusted):
        is_local = at_the_other_end is not None and at_the_other_end.is_loopback
        return Requester(str(at_the_other_end or peer), _read_scheme(scheme) if is_local else "http")
    address = at_the_other_end
    for text in reversed(forwarded.split(",")):
        named = _parse_address(text.strip())
        if named is None:
            break
        address = named
        if not _is_trusted(named, trusted):
            break
    return Requester(str(address), _read_scheme(scheme))


def is_trusted_server(peer: str, trusted: Sequence[Network]) -> bool:
    """Return whether `peer` is a server that may name the requester, and give the request its id."""
    return _is_trusted(_parse_address(peer), trusted)


def _read_scheme(named: str) -> str:
    return "https" if named.strip().lower() == "https" else "http"


def _is_trusted(address: IPv4Address | IPv6Address | None, trusted: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in trusted)


@lru_cache(maxsize=1024)
def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address, or None if the text isn't one. An IPv4 address inside an IPv6 address counts as IPv4."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
