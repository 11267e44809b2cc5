"""Which addresses of servers the portal may connect to when a stranger has chosen them: receivers of webhooks, and the
hosts to which the DOIs of a list lead.

A name is resolved once, each of its addresses must be public, and the connection goes to one of these. Spellings
(decimal, octal, hexadecimal) don't matter, because the check comes after the resolution.
"""

import socket
from ipaddress import ip_address

from doi_reading import Message
from doi_reading.message import UnusableInput
from resolver.domain.redirect.web_host import is_public

WEB_PORTS = {"https": 443, "http": 80}
FIRST_UNRESERVED_PORT = 1024  # below it, only WEB_PORTS are allowed: the other services there aren't web servers
_NO_ADDRESS = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}  # the latter not on every system


class ForbiddenAddress(UnusableInput):
    """The portal may not connect to this address. `reason` is a phrase for people."""


class UnknownHost(ForbiddenAddress):
    """DNS returned no address. `exists`: False if it says that there is none, None if it gave no answer this time."""

    def __init__(self, *, exists: bool | None) -> None:
        super().__init__(Message("the server couldn't be found (DNS)"))
        self.exists = exists


def resolve_host(host: str, port: int, *, allow_private: bool) -> list[str]:
    """Return the addresses of the host. Raises UnknownHost if it has none, and ForbiddenAddress if any is not public
    and `allow_private` is not set."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise UnknownHost(exists=False if error.errno in _NO_ADDRESS else None) from error
    except UnicodeError as error:  # a part of the name is empty, or too long for DNS
        raise UnknownHost(exists=False) from error
    except OSError as error:
        raise UnknownHost(exists=None) from error
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not allow_private and not all(is_public(ip_address(address)) for address in addresses):
        raise ForbiddenAddress(Message("the server isn't on the public internet"))
    return addresses[:4]  # a name may have hundreds, and each is tried in turn
