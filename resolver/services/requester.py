"""Where a request comes from: the one place that reads it."""

import ipaddress
from typing import Any

UNKNOWN = ""


def address_of(request: Any) -> str:
    """The requester's address as the web server gives it (REMOTE_ADDR); UNKNOWN where that is no address.

    It is that of the connection, or the one that a server in TRUSTED_PROXIES names (doiportal/server/requester.py).
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return UNKNOWN
    mapped = getattr(address, "ipv4_mapped", None)  # how a socket for both families writes IPv4
    return str(mapped or address)


def network_of(address: str) -> str:
    """What one person can be assumed to hold: an IPv4 address, or the /64 of an IPv6 address."""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
