"""An HTTP answer of the proxy, and what its headers say about time: Retry-After, Age and Date."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache

LARGEST_AGE_SECONDS = 86_400


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

    @classmethod
    def of(cls, status: int, body: bytes | bytearray, headers: Mapping[str, str]) -> "ProxyReply":
        """Return the answer that either HTTP library read. `headers` ignore case."""
        names = ("Retry-After", "Location", "Content-Type", "Age", "Date")
        return cls(status, bytes(body), *map(headers.get, names))


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


def find_reply_age(reply: ProxyReply, now: float) -> float:
    """Return the seconds for which others kept the answer, a day at most: by its Age, else by its Date, unless that
    only shows that two clocks differ."""
    if (seconds := _parse_seconds(reply.age)) is not None:
        return min(seconds, LARGEST_AGE_SECONDS)
    made = _parse_date(reply.date)
    if made is None or not 60.0 < now - made <= LARGEST_AGE_SECONDS:  # two clocks may well differ by 60 seconds
        return 0.0
    return now - made
