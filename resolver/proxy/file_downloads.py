"""Download one file from an address that the operator has chosen: bounded in bytes and seconds, by https, and from
public addresses alone."""

from dataclasses import dataclass
from typing import BinaryIO
from urllib.parse import urljoin

import requests
from urllib3.exceptions import HTTPError

from doi_reading import Message
from doi_reading.message import UnusableInput
from resolver.proxy.checked_connections import CheckedAdapter, read_address
from resolver.proxy.proxy_config import find_ca_bundle
from resolver.proxy.public_addresses import ForbiddenAddress
from resolver.proxy.total_timeout import RequestSeconds, TotalTimeout

MOST_REDIRECTS = 5
CONNECT_SECONDS = 10.0
_PIECE = 1 << 16
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class NoDownload(UnusableInput):
    """The file couldn't be downloaded whole. `reason` is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Download:
    """What was written. `whole`: the server said how long the file is, or where it ends."""

    size: int
    whole: bool


def download_file(
    url: str, target: BinaryIO, *, user_agent: str, most_bytes: int, seconds: float, allow_private: bool
) -> Download:
    """Write the file at this address into `target`. Redirects are followed, each to an address that is checked too. No
    proxy server on the way is used, because it would resolve the name again.

    Raises NoDownload for an address that isn't allowed, an error of the server, a web page, a file of more than
    `most_bytes`, one that isn't whole, and after `seconds`.
    """
    adapter = CheckedAdapter(allow_private=allow_private)
    with requests.Session() as session, TotalTimeout(seconds) as timeout:
        session.trust_env = False
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        session.headers.update({"User-Agent": user_agent, "Accept": "text/csv, */*;q=0.5"})
        session.headers["Accept-Encoding"] = "identity"  # Content-Length is that of the file then
        limits = RequestSeconds(CONNECT_SECONDS, seconds)
        try:
            with _request(session, url, limits, allow_private=allow_private) as answer:
                found = _write(answer, target, most_bytes)
        except ForbiddenAddress as error:
            raise NoDownload(
                Message("The address of the list can't be used: {reason}.", reason=error.reason)
            ) from error
        except NoDownload:
            raise
        except (requests.RequestException, HTTPError, OSError, ValueError) as error:
            if timeout.passed:
                raise NoDownload(_build_late(seconds)) from error
            raise NoDownload(
                Message("The download failed or broke off ({error}).", error=type(error).__name__)
            ) from error
        if timeout.passed:  # the answer ended where it was cut
            raise NoDownload(_build_late(seconds))
        return found


def _request(session: requests.Session, url: str, limits: RequestSeconds, *, allow_private: bool) -> requests.Response:
    for _ in range(MOST_REDIRECTS + 1):
        prepared, _, _ = read_address(url, allow_private=allow_private)
        answer = session.get(prepared, allow_redirects=False, stream=True, timeout=limits, verify=find_ca_bundle())
        if answer.status_code not in _REDIRECTS or "Location" not in answer.headers:
            return answer
        answer.close()
        url = urljoin(prepared, answer.headers["Location"])
    raise NoDownload(Message("The address redirects more than {count} times.", count=MOST_REDIRECTS))


def _write(answer: requests.Response, target: BinaryIO, most_bytes: int) -> Download:
    if answer.status_code != 200:
        raise NoDownload(Message("The server answered with HTTP {status}.", status=str(answer.status_code)))
    if answer.headers.get("Content-Type", "").lower().startswith(("text/html", "application/xhtml")):
        raise NoDownload(Message("The server sent a web page (HTML), not a list."))
    said = answer.headers.get("Content-Length", "")
    length = int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None
    too_long = NoDownload(Message("The file has more than the {count} bytes allowed.", count=most_bytes))
    if length is not None and length > most_bytes:
        raise too_long
    size = 0
    while piece := answer.raw.read(_PIECE, decode_content=False):
        size += len(piece)
        if size > most_bytes:
            raise too_long
        target.write(piece)
    return Download(size, whole=length is not None or answer.raw.chunked)


def _build_late(seconds: float) -> Message:
    return Message("The download took more than {seconds} seconds.", seconds=f"{seconds:.0f}")
