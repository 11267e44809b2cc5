"""One bounded request to a portal or to doi.org, which answer alike. The HTTP proxy and the certificates are those of
`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` and `SSL_CERT_FILE`."""

import re
import time
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from doi_reading.command.installed_version import find_version

DOI_ORG = "https://doi.org"
MOST_BYTES = 1_000_000
"""Bytes of an answer. That about fifty names has ten thousand."""
_ADDRESS = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?")
_CONTACT = re.compile(r"https?://[^\s/]+\S*|[^\s@:/]+@[^\s@:/]+")
_PRINTABLE = re.compile(r"[!-~]*")
_PIECE = 65_536


class UnusableSetting(ValueError):
    """The address of the service, or the contact, can't be used. The text says why."""


class NoReply(Exception):
    """There is no whole answer. The text says why."""


@dataclass(frozen=True, slots=True)
class ServiceReply:
    """An HTTP answer of any status. `retry_after`: the header, "" without one."""

    status: int
    body: bytes
    retry_after: str = ""


class DoiService:
    """A server with the addresses of doi.org. `url`: its address without a slash at the end."""

    def __init__(self, url: str = DOI_ORG, contact: str = "") -> None:
        """`contact`: an e-mail address or the address of a page, for the server's operators. Raises UnusableSetting."""
        self.url = url.rstrip("/")
        if not (_ADDRESS.fullmatch(self.url) and _PRINTABLE.fullmatch(self.url)):
            raise UnusableSetting(f"DOIPORTAL_URL must be an address that begins with https://, not {url!r}")
        if contact and not (_CONTACT.fullmatch(contact) and _PRINTABLE.fullmatch(contact)):
            raise UnusableSetting(f"the contact must be an e-mail address or begin with https://, not {contact!r}")
        self._headers = {"User-Agent": _build_user_agent(contact), "Accept": "application/json"}
        self._opener = OpenerDirector()  # without a handler of redirects: no answer leads elsewhere
        for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler()):
            self._opener.add_handler(handler)

    def get(self, path: str, seconds: float) -> ServiceReply:
        """Send a GET for a path that is encoded already. Raises NoReply, also if it takes more seconds in all."""
        replies = SimpleQueue[ServiceReply | NoReply]()
        # A thread, since no timeout of a socket bounds a name server, or a header that comes byte by byte.
        Thread(target=lambda: replies.put(self._fetch(path, seconds)), daemon=True).start()
        try:
            reply = replies.get(timeout=seconds)
        except Empty:
            raise NoReply(f"it didn't answer within {seconds:.0f} seconds") from None
        if isinstance(reply, NoReply):
            raise reply
        return reply

    def _fetch(self, path: str, seconds: float) -> ServiceReply | NoReply:
        ends = time.monotonic() + seconds
        try:
            request = Request(f"{self.url}{path}", headers=self._headers)  # noqa: S310  (only http and https are known)
            with self._opener.open(request, timeout=seconds) as response:
                body = _read_body(response, ends)
                return ServiceReply(response.status, body, response.headers.get("Retry-After", ""))
        except NoReply as error:
            return error
        except TimeoutError:
            return NoReply(f"it didn't answer within {seconds:.0f} seconds")
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            return NoReply(f"there is no answer ({getattr(reason, 'strerror', None) or type(reason).__name__})")


def _read_body(response: HTTPResponse, ends: float) -> bytes:
    parts, size = [], 0
    while piece := response.read1(_PIECE):
        parts.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise NoReply(f"its answer has more than {MOST_BYTES:,} bytes")
        if time.monotonic() > ends:
            raise TimeoutError
    if response.length:
        raise NoReply("its answer was cut off")
    return b"".join(parts)


def _build_user_agent(contact: str) -> str:
    product = f"doi-read/{find_version()}".rstrip("/")
    if not contact:
        return product
    return f"{product} ({f'mailto:{contact}' if '@' in contact and '/' not in contact else f'+{contact}'})"
