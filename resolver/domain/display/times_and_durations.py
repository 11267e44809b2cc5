"""Times and durations in words (A3), and times for programs."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from doi_reading import Message
from doi_reading.message import join_messages

_UNITS: tuple[tuple[int, Callable[[int], Message]], ...] = (
    (86_400, lambda count: Message.of_count("{count} day", "{count} days", count)),
    (3600, lambda count: Message.of_count("{count} hour", "{count} hours", count)),
    (60, lambda count: Message.of_count("{count} minute", "{count} minutes", count)),
    (1, lambda count: Message.of_count("{count} second", "{count} seconds", count)),
)
_DAY = 86_400  # seconds


def format_timestamp(text: str) -> str:
    """Return a time in words: `2004-01-21T14:14:17Z` → `21 January 2004, 14:14:17 UTC`. A date has no time of day; any
    other text stays unchanged."""
    with suppress(ValueError):
        return Message("{day} {month} {year}", **_split_date(date.fromisoformat(text)))
    try:
        when = datetime.fromisoformat(text)
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return text
    return Message("{day} {month} {year}, {time} UTC", **_split_date(when), time=f"{when:%H:%M:%S}")


def _split_date(day: date) -> dict[str, str]:
    """Return day, month and year. The month is a message that Django's own translations hold."""
    return {"day": str(day.day), "month": Message(day.strftime("%B")), "year": day.strftime("%Y")}


@lru_cache(maxsize=64)  # rows that were checked together have one moment
def format_iso_utc(moment: datetime | None) -> str | None:
    """Return ISO 8601 in UTC to the second, with a Z."""
    if moment is None:
        return None
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def format_duration(seconds: int) -> str:
    """Return a duration in words: `86400` → `24 hours (86400 s)`. A number out of range stays a number."""
    if not 0 < seconds <= 100 * 366 * _DAY:  # no longer time to live is meant
        return f"{seconds} s"
    words, left = [], seconds
    for size, say in _UNITS:
        if size == _DAY and seconds < 2 * _DAY:  # hours are plainer: the proxy's are known as 24 hours
            continue
        count, left = divmod(left, size)
        if count:
            words.append(say(count))
    return Message("{span} ({count} s)", span=join_messages(" ", *words), count=str(seconds))


def format_ttl(ttl: Any) -> str:
    """Return how long a value may be cached: a duration, or the time when it expires (A3)."""
    if isinstance(ttl, int) and not isinstance(ttl, bool):
        return format_duration(ttl)
    if not isinstance(ttl, str):
        return "" if ttl is None else str(ttl)
    moment = format_timestamp(ttl)
    return ttl if moment == ttl else Message("until {moment}", moment=moment)
