"""No test reaches another machine: a connection to anything but loopback or a local socket raises at once."""

import ipaddress
import socket
import sys
from typing import Any


class NetworkUsed(AssertionError):
    """A test tried to leave the machine. An AssertionError, so that no retry takes it for a failure of the network."""


def is_local(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a path: a Unix socket
    host = str(address[0])
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _is_number(host: str) -> bool:
    """Whether it is an address, in any of its spellings: no server is asked about it."""
    try:
        return bool(socket.inet_aton(host))
    except OSError:
        return ":" in host


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"} and not is_local(arguments[1]):
        raise NetworkUsed(f"a test tried to reach {arguments[1]!r}")
    if event == "socket.getaddrinfo" and not (is_local((arguments[0] or "",)) or _is_number(arguments[0])):
        raise NetworkUsed(f"a test tried to look up {arguments[0]!r}")


def install() -> None:
    """An audit hook sees every socket of the process, those of C extensions that use Python's sockets included,
    whoever opened them and however they were imported."""
    sys.addaudithook(guard)
