"""How long an answer may be cached: by the time to live of its values, and by its age on arrival (P13, P15).

An unreadable time to live sets no limit, as if the value had none. The limit of one day for every answer remains.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from resolver.domain.handle.answers import MissingHandle, NoValues
from resolver.domain.handle.record import Record

_SECONDS = re.compile(r"[+-]?[0-9]{1,30}")


@dataclass(frozen=True, slots=True)
class FreshnessSpan:
    """When an answer was made (caches on the way may have held it since), and until when it counts."""

    made_at: datetime
    expires_at: datetime


def compute_freshness(
    answer: Record | NoValues | MissingHandle, requested_at: datetime, longest: timedelta
) -> FreshnessSpan:
    """Return the span of an answer: `longest` after the request, less its age on arrival, or less if one of its values
    says so."""
    age = max(answer.age, 0.0)
    left = max(longest.total_seconds() - age, 0.0)
    if isinstance(answer, Record):
        bound = _find_shortest((value.raw.get("ttl") for value in answer.values), requested_at, age)
        left = left if bound is None else min(left, bound)
    return FreshnessSpan(requested_at - timedelta(seconds=age), requested_at + timedelta(seconds=left))


def is_answer_usable(
    answer: Record | NoValues | MissingHandle, requested_at: datetime, kept: FreshnessSpan, now: datetime
) -> bool:
    """Return whether the answer may still be used, or came after the request: requests that wait together for an answer
    share it, however short its time to live."""
    return now <= kept.expires_at or now <= requested_at + timedelta(seconds=max(-answer.age, 0.0))


def _find_shortest(ttls: Iterable[Any], requested_at: datetime, age: float) -> float | None:
    """Return the seconds after `requested_at` for which all of them hold, or None if none says so."""
    readable = [ttl for ttl in ttls if isinstance(ttl, int | float | str) and not isinstance(ttl, bool)]
    bounds = [left for ttl in set(readable) if (left := _compute_rest(ttl, requested_at, age)) is not None]
    return max(min(bounds), 0.0) if bounds else None


def _compute_rest(ttl: int | float | str, requested_at: datetime, age: float) -> float | None:
    """Return the seconds left. A number of seconds counts from when the answer was made; a moment is absolute."""
    if isinstance(ttl, str):
        text = ttl.strip()
        if not _SECONDS.fullmatch(text):
            return _parse_moment(text, requested_at)
        ttl = int(text)
    return max(min(ttl, 10**9), 0) - age  # the limit of a day is shorter anyway


def _parse_moment(text: str, requested_at: datetime) -> float | None:
    if len(text) > 40:  # ISO 8601 needs fewer characters
        return None
    try:
        until = datetime.fromisoformat(text)
    except ValueError:
        return None
    return ((until if until.tzinfo else until.replace(tzinfo=UTC)) - requested_at).total_seconds()
