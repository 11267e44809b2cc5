"""Request the metadata of a work: content negotiation for CSL JSON, without any I/O.

The DOI proxy redirects the request to a service of the agency (P1). Redirects are followed to the hosts of one table
only (`domain/agencies/metadata_services.py`), and only a few.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote, urljoin

from doi_reading import Message
from resolver.domain.agencies.metadata_services import MetadataAddress, find_metadata_address
from resolver.domain.handle.answers import Failure, ProxyError, Unasked, Unreachable
from resolver.domain.handle.proxy_json import WireError
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS
from resolver.domain.redirect.web_host import find_host
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, NoMetadataReason, decode_csl_json
from resolver.proxy.limits import Paused
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import (
    BARRED,
    IN_LOCATION,
    REDIRECTS,
    SLOWER,
    FailedAttempt,
    NegotiatedRedirect,
    ProxyReply,
    build_failed_attempt,
    parse_retry_after,
)
from resolver.proxy.request_logic import UNWRITABLE, Conversation, SendStep, attempt, is_writable

CSL_JSON = "application/vnd.citationstyles.csl+json"
MAX_REDIRECTS = 4  # the DOI proxy's, one for an alias, and two between servers of an agency
LONGEST_PAUSE_SECONDS = 3600.0  # whatever Retry-After says
_NONE = frozenset({204, 404, 406, 410, 415})

MetadataVerdict = MetadataAnswer | Failure


class ServicePaused(Paused):
    """An agency's service wants no requests for `seconds`. `host`: of the service."""

    def __init__(self, host: str, seconds: float) -> None:
        super().__init__(min(max(seconds, 1.0), LONGEST_PAUSE_SECONDS))
        self.host = host

    def describe(self, time: str) -> Message:
        return Message("{host} limits requests from this portal until {time} UTC.", host=self.host, time=time)


_Heard = MetadataAnswer | NegotiatedRedirect | ServicePaused | FailedAttempt


def ask_metadata(name: str, config: ProxyConfig) -> Conversation[MetadataVerdict]:
    """Ask the DOI proxy, and the services to which it redirects. Raises ServicePaused."""
    if not is_writable(name):
        return UNWRITABLE
    address = MetadataAddress(config.build_name_url(name), find_host(config.root), foreign=False)
    for hop in range(MAX_REDIRECTS + 1):
        step = SendStep(address.url, accept=CSL_JSON, service=address.host if address.foreign else "")
        decide: Callable[[ProxyReply], _Heard] = partial(_decide, address=address, first=not hop)
        heard: _Heard = yield from attempt(step, config, decide, is_final)
        match heard:
            case FailedAttempt():
                return describe_failure(heard.failure, address.host) if address.foreign else heard.failure
            case ServicePaused():
                raise heard
            case NegotiatedRedirect(url=url):
                target = find_metadata_address(url, config.root)
                if target is None:
                    return NoMetadata(NoMetadataReason.NO_SERVICE, find_host(url))
                address = target
            case _:
                return heard
    return ProxyError(Message("the DOI proxy redirects too often"))


def is_final(outcome: FailedAttempt) -> bool:
    """Whether another attempt would end in the same way, as with an answer that is too long."""
    return isinstance(outcome.failure, ProxyError)


def describe_failure(failure: Failure, host: str) -> Failure:
    """Return the failure of a request to the service at `host` with its name: other modules always write "the DOI
    proxy"."""
    if isinstance(failure, Unasked):
        return failure
    if isinstance(failure, Unreachable):
        return Unreachable(Message("{host} didn't answer", host=host))
    return ProxyError(Message("{host} gave an answer that can't be used", host=host))


def _decide(reply: ProxyReply, address: MetadataAddress, *, first: bool) -> _Heard:
    """Return what an answer from this address means: from the DOI proxy if it is the `first`, else from a service."""
    if reply.status in REDIRECTS:
        location = quote((reply.location or "").strip().encode("latin-1", "replace"), safe=IN_LOCATION)
        if len(location) > MAX_URL_CHARACTERS:
            return FailedAttempt(ProxyError(Message("the DOI proxy redirects to an invalid address")))
        try:
            return NegotiatedRedirect(urljoin(address.url, location))
        except ValueError:  # "https://[" is no address
            return NegotiatedRedirect("")
    if reply.status in _NONE:
        missing = first and reply.status == 404
        reason = NoMetadataReason.NOT_REGISTERED if missing else NoMetadataReason.NOT_AVAILABLE
        return NoMetadata(reason, address.host)
    if address.foreign and reply.status in SLOWER:
        wait = parse_retry_after(reply.retry_after, datetime.now(UTC).timestamp())
        # A guess, if the service doesn't say how long.
        return ServicePaused(address.host, 10.0 if wait is None else wait)
    if reply.status in BARRED:
        refused = Message("the DOI proxy refused the request (HTTP {status})", status=str(reply.status))
        return FailedAttempt(ProxyError(refused))
    if reply.status >= 300:
        return build_failed_attempt(reply, Message("HTTP {status}", status=str(reply.status)))
    return _decode(reply, address.host)


def _decode(reply: ProxyReply, host: str) -> _Heard:
    kind = (reply.content_type or "").partition(";")[0].strip().lower()
    start = reply.body[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if kind in ("text/html", "application/xhtml+xml") or start.startswith((b"<!doctype html", b"<html")):
        return NoMetadata(NoMetadataReason.WEB_PAGE, host)
    if start and not start.startswith((b"{", b"[")):
        return NoMetadata(NoMetadataReason.OTHER_FORMAT, host)
    try:
        return decode_csl_json(reply.body, host) or NoMetadata(NoMetadataReason.EMPTY, host)
    except WireError as error:
        return FailedAttempt(ProxyError(error.reason))
