"""An HTTP answer of the proxy: its age, what it means, and whether to retry. JSON decides; the HTTP status, only if
there is none (A2)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from random import random
from urllib.parse import quote, urlsplit

from doi_reading import Message
from resolver.domain.handle.answers import Answer, Failure, MissingHandle, ProxyError, Unreachable, WhichRaAnswer
from resolver.domain.handle.proxy_json import ERROR, WireError, decode_agencies, decode_record
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS
from resolver.proxy.limits.proxy_health import MAX_BACKOFF_SECONDS, ProxySignal, ProxySignalKind

LARGEST_AGE_SECONDS = 86_400
REPLY_HEADERS = (
    "retry-after", "location", "content-type", "age", "date", "x-rate-limit-limit", "x-rate-limit-interval"
)  # fmt: skip
"""The headers that mean something here."""


@dataclass(frozen=True, slots=True)
class ProxyReply:
    """An HTTP answer of any status, as both clients hand it over."""

    status: int
    body: bytes
    retry_after: str | None = None
    location: str | None = None
    content_type: str | None = None
    age: str | None = None
    date: str | None = None
    rate_limit: str | None = None
    rate_interval: str | None = None

    @classmethod
    def of(cls, status: int, body: bytes | bytearray, headers: Mapping[str, str]) -> "ProxyReply":
        """Return the answer that either HTTP library read. `headers` ignore case, or have small letters."""
        return cls(status, bytes(body), *map(headers.get, REPLY_HEADERS))


def _parse_seconds(header: str | None) -> float | None:
    text = (header or "").strip()
    return float(text) if re.fullmatch(r"[0-9]{1,12}", text) else None


def _parse_date(header: str | None) -> float | None:
    return _parse_short_date((header or "")[:64])  # no date is longer; the cache keeps what it was given


@lru_cache(64)  # all answers of a second have one date
def _parse_short_date(date: str) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def parse_retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or a date; None if it says nothing."""
    if (seconds := _parse_seconds(value)) is not None:
        return seconds
    until = _parse_date(value)
    return None if until is None else max(until - now, 0.0)


_INTERVAL = re.compile(r"([0-9]{1,6})\s?(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_rate(limit: str | None, interval: str | None) -> float | None:
    """Return the requests a second that `x-rate-limit-limit` allows in `x-rate-limit-interval` (`1s`); None if they say
    nothing. The rate isn't bounded."""
    most, during = _parse_seconds(limit), _INTERVAL.fullmatch((interval or "").strip().lower())
    if most is None or not during or not int(during[1]):
        return None
    return max(most, 0.001) / (int(during[1]) * _UNITS[during[2] or "s"])  # 0 allows none, which is no rate


def find_reply_age(reply: ProxyReply, now: float) -> float:
    """Return the seconds for which others kept the answer, a day at most: by its Age, else by its Date, unless that
    only shows that two clocks differ."""
    if (seconds := _parse_seconds(reply.age)) is not None:
        return min(seconds, LARGEST_AGE_SECONDS)
    made = _parse_date(reply.date)
    if made is None or not 60.0 < now - made <= LARGEST_AGE_SECONDS:  # two clocks may well differ by 60 seconds
        return 0.0
    return now - made


@dataclass(frozen=True, slots=True)
class NegotiatedRedirect:
    """Where the proxy redirects a client that accepts no web page."""

    url: str


Negotiated = NegotiatedRedirect | MissingHandle | Failure | None
"""None: the proxy has nothing of that kind."""

TIMED_OUT = Unreachable(Message("the DOI proxy did not answer in time"))
CUT_OFF = Unreachable(Message("the connection was cut before the answer"))
STALE = Unreachable(Message("the DOI proxy closed an open connection"))
SLOWER = frozenset({429, 503})
BARRED = frozenset({401, 403, 451})
TOO_LONG = frozenset({413, 414, 431})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
IN_LOCATION = "%/:?#[]@!$&'()*+,;=-._~"

PASSING = {
    407: Message("your network's proxy server requires a login"),
    408: Message("the DOI proxy didn't receive the request in time"),
    429: Message("the DOI proxy asks for fewer requests"),
}


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """An attempt without a verdict: the failure if no later one succeeds, and how to retry. `splittable`: with fewer
    names; `at_once`: without repeating it first; `patient`: more often than other failures."""

    failure: Failure
    splittable: bool = False
    patient: bool = False
    at_once: bool = False


def _read_response_code(body: bytes) -> int | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    code = value.get("responseCode") if isinstance(value, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def derive_signal(heard: ProxyReply | Failure, *, pages: bool = False) -> ProxySignal:
    """Return how the proxy treated the request, whatever the answer says about the name. `pages`: the request wasn't
    for the proxy's own data, so a page, a redirect or a refusal says nothing about our limits there."""
    if not isinstance(heard, ProxyReply):
        return ProxySignal(ProxySignalKind.SILENT if heard == TIMED_OUT else ProxySignalKind.FAILED)
    begins = heard.body.lstrip()[:1]
    says_no = heard.status in SLOWER or heard.status in BARRED
    if begins in (b"{", b"[") and (not says_no or _read_response_code(heard.body) is not None):
        return ProxySignal(ProxySignalKind.GOOD)
    wait = parse_retry_after(heard.retry_after, datetime.now(UTC).timestamp()) if heard.status >= 400 else None
    if heard.status in SLOWER:
        return ProxySignal(ProxySignalKind.LIMITED, wait, heard.status)
    if pages and heard.status < 500:
        return ProxySignal(ProxySignalKind.OTHER)
    page = begins == b"<" or (heard.content_type or "").lower().startswith("text/html")
    if heard.status in BARRED or (heard.status < 300 and page):
        reason = f"HTTP {heard.status}{', a web page' if page else ''}"
        return ProxySignal(ProxySignalKind.REFUSED, wait, heard.status, reason)
    return ProxySignal(ProxySignalKind.FAILED, wait, heard.status)


def derive_service_signal(heard: ProxyReply | Failure, *, pages: bool = False) -> ProxySignal:
    """Return how an agency's service treated the request. It is in order if it says anything but that it isn't, or that
    it refuses us: that it doesn't know a name, too. Nonsense in place of JSON says that it isn't, unless `pages`: the
    request was for another kind of answer."""
    if not isinstance(heard, ProxyReply):
        return derive_signal(heard)
    wait = parse_retry_after(heard.retry_after, datetime.now(UTC).timestamp()) if heard.status >= 400 else None
    if heard.status in SLOWER:
        kind = ProxySignalKind.LIMITED
    else:
        begins = heard.body[:200].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        nonsense = heard.status == 200 and begins not in (b"{", b"[") and not pages
        failed = heard.status >= 500 or heard.status in BARRED or nonsense
        kind = ProxySignalKind.FAILED if failed else ProxySignalKind.GOOD
    return ProxySignal(kind, wait, heard.status, rate=parse_rate(heard.rate_limit, heard.rate_interval))


def compute_retry_wait(number: int, first: float) -> float:
    """Return the seconds to wait after attempt `number` (from 1): doubled each time, and never in step with others."""
    return min(first * 2.0 ** (number - 1), MAX_BACKOFF_SECONDS) * (0.5 + random())  # noqa: S311 - spreads, hides nothing


def build_failed_attempt(reply: ProxyReply, complaint: Message) -> FailedAttempt:
    """Return the failure of an answer without data: unreachable if it may pass (429, 5xx), else a proxy error."""
    status = reply.status
    if status >= 500 or status in PASSING:
        out_of_order = Message("the DOI proxy isn't working (HTTP {status})", status=str(status))
        reason = PASSING.get(status, out_of_order)
        return FailedAttempt(Unreachable(reason), splittable=status == 500, patient=status == 429)
    if 300 <= status < 400:
        host = urlsplit(_keep_printable(reply.location)).netloc if _is_url(reply.location) else ""
        elsewhere = Message("the DOI proxy redirects to {host} instead of answering", host=host)
        complaint = elsewhere if host else Message("the DOI proxy redirects to another address instead of answering")
    reason = Message("{why} (HTTP {status})", why=complaint, status=str(status))
    return FailedAttempt(ProxyError(reason), splittable=True, at_once=status in TOO_LONG)


def _is_url(text: str | None) -> bool:
    try:
        return bool(urlsplit(_keep_printable(text)).netloc)
    except ValueError:
        return False


def _keep_printable(text: str | None) -> str:
    return "".join(character for character in (text or "")[:200] if character.isprintable())


def decide_record(reply: ProxyReply, name: str) -> Answer | FailedAttempt:
    """Return the verdict on a REST answer about `name`. An explicit code 2 is final; other JSON is never
    `MissingHandle`."""
    answer = decode_record(reply.body, name, find_reply_age(reply, datetime.now(UTC).timestamp()))
    if not isinstance(answer, ProxyError):
        return answer
    code = _read_response_code(reply.body)
    if code == ERROR:
        return answer
    if code is not None:
        return FailedAttempt(answer)
    return build_failed_attempt(reply, answer.reason)


def decide_agencies(reply: ProxyReply, names: Sequence[str]) -> list[WhichRaAnswer] | FailedAttempt:
    """Return the verdict on a Which RA answer. A list that doesn't match the names is a failure (R1)."""
    try:
        return decode_agencies(reply.body, names)
    except WireError as error:
        unusable = build_failed_attempt(reply, error.reason)
        if reply.status == 200 and reply.body.lstrip().startswith(b"["):
            return FailedAttempt(unusable.failure, splittable=True, at_once=True)
        return unusable


def decide_negotiated(reply: ProxyReply) -> Negotiated | FailedAttempt:
    """Return the verdict on an answer to a request with an Accept header. Strangers write records, so only http and
    https are followed. An address at the proxy itself isn't data."""
    if reply.status in REDIRECTS:
        url = quote((reply.location or "").strip().encode("latin-1", "replace"), safe=IN_LOCATION)
        if re.match(r"https?://[^/?#]", url, re.IGNORECASE) and len(url) <= MAX_URL_CHARACTERS:
            return NegotiatedRedirect(url)
        if re.match("/(?!/)", url):  # to the main name of an alias
            return None
        return ProxyError(Message("the DOI proxy redirects to an invalid address"))
    if reply.status == 404:
        return MissingHandle()
    if reply.status < 300 or reply.status == 406:
        return None
    if reply.status in BARRED:  # a retry would be refused too
        return ProxyError(Message("the DOI proxy refused the request (HTTP {status})", status=str(reply.status)))
    return build_failed_attempt(reply, Message("HTTP {status}", status=str(reply.status)))
