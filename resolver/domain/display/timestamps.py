"""Times and durations in words (A3)."""

from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

_UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
_TWO_DAYS = 2 * 86_400  # below it, hours are plainer: everybody knows the proxy's 24 hours
_LONGEST = 100 * 366 * 86_400  # seconds; more is no length of time that anybody meant


def moment(text: str) -> str:
    """Return a time in words: `2004-01-21T14:14:17Z` → `21 January 2004, 14:14:17 UTC`. A date has no time of day; any
    other text stays unchanged."""
    with suppress(ValueError):
        day = date.fromisoformat(text)
        return f"{day.day} {day:%B %Y}"
    try:
        when = datetime.fromisoformat(text)
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError):
        return text
    return f"{when.day} {when:%B %Y, %H:%M:%S} UTC"


def length(seconds: int) -> str:
    """Return a duration in words: `86400` → `24 hours (86400 s)`. A number out of range stays a number."""
    if not 0 < seconds <= _LONGEST:
        return f"{seconds} s"
    words, left = [], seconds
    for unit, size in _UNITS:
        if unit == "day" and seconds < _TWO_DAYS:
            continue
        count, left = divmod(left, size)
        if count:
            words.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return f"{' '.join(words)} ({seconds} s)"


def time_to_live(ttl: Any) -> str:
    """Return how long a value may be cached: a duration, or the time when it expires (A3)."""
    if isinstance(ttl, int) and not isinstance(ttl, bool):
        return length(ttl)
    if not isinstance(ttl, str):
        return "" if ttl is None else str(ttl)
    told = moment(ttl)
    return ttl if told == ttl else f"until {told}"
