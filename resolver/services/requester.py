"""Where a request comes from: the one place that reads it."""

import ipaddress
from typing import Any

UNKNOWN = ""


def address_of(request: Any) -> str:
    """The requester's address as the web server gives it (REMOTE_ADDR); UNKNOWN where that is no address.

    Headers such as X-Forwarded-For are not read: anyone can send them. The web server in front of the portal decides
    whose word counts, and puts the result into REMOTE_ADDR.
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
