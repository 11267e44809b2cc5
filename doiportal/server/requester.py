"""Who sent a request: the address at the other end, or the one that a trusted server before us names."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

Network = IPv4Network | IPv6Network


class Requester(NamedTuple):
    """REMOTE_ADDR and wsgi.url_scheme of a request."""

    address: str
    scheme: str


def requester_of(peer: str, forwarded: str, scheme: str, trusted: Sequence[Network]) -> Requester:
    """Return who sent a request through a connection from `peer` with these headers: `forwarded`, all lines of
    X-Forwarded-For, and `scheme`, the last of X-Forwarded-Proto.

    Only where the peer is in one of the `trusted` networks (TRUSTED_PROXIES) do they count: the last address that is
    not trusted itself, and the scheme. A server on this machine may name the scheme
    though nobody is trusted.
    """
    at_the_other_end = _address(peer)
    if not _is_trusted(at_the_other_end, trusted):
        return Requester(peer, _scheme(scheme) if at_the_other_end and at_the_other_end.is_loopback else "http")
    address = at_the_other_end
    for text in reversed(forwarded.split(",")):
        named = _address(text.strip())
        if named is None:
            break
        address = named
        if not _is_trusted(named, trusted):
            break
    return Requester(str(address), _scheme(scheme))


def _scheme(named: str) -> str:
    return "https" if named.strip().lower() == "https" else "http"


def _is_trusted(address: IPv4Address | IPv6Address | None, trusted: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in trusted)


@lru_cache(maxsize=1024)
def _address(text: str) -> IPv4Address | IPv6Address | None:
    """None where it is no address. An IPv4 address that came through an IPv6 socket is the IPv4 address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
