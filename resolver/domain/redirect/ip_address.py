"""Hosts that are IP addresses: in which spellings browsers read one, and whether it is on the public internet."""

import re
import socket
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

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
