"""For how long an answer may be kept: by the time to live of its values, and by how old it was when it came (P13, P15).

What cannot be read as a time to live bounds nothing, as if the value had none: the day that is the most for every
answer still does.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from resolver.domain.handle.record import Missing, NoValues, Record

LONGEST = 10**9  # seconds; more is cut by the day anyway
LONGEST_TEXT = 40  # characters of an absolute time; ISO 8601 needs fewer
_SECONDS = re.compile(r"[+-]?[0-9]{1,30}")


def counts(answer: Record | NoValues | Missing, asked_at: datetime, now: datetime, longest: timedelta) -> bool:
    """Whether it is still kept, or came after it was wanted: who waits with others for an answer shares it, however
    short it may be kept."""
    came_at = asked_at + timedelta(seconds=max(-answer.age, 0.0))
    return now <= max(came_at, expires_at(answer, asked_at, longest))


def expires_at(answer: Record | NoValues | Missing, asked_at: datetime, longest: timedelta) -> datetime:
    """Until when the answer may be kept that was asked for then: `longest`, less the age that it came with, unless one
    of its values says less."""
    age = max(answer.age, 0.0)
    most = max(longest.total_seconds() - age, 0.0)
    values = answer.values if isinstance(answer, Record) else ()
    left = _shortest((value.raw.get("ttl") for value in values), asked_at, age)
    return asked_at + timedelta(seconds=most if left is None else min(left, most))


def _shortest(ttls: Iterable[Any], asked_at: datetime, age: float) -> float | None:
    """The seconds after `asked_at` for which all of them hold; None where none is told."""
    readable = [ttl for ttl in ttls if isinstance(ttl, int | float | str) and not isinstance(ttl, bool)]
    told = [left for ttl in set(readable) if (left := _left(ttl, asked_at, age)) is not None]
    return max(min(told), 0.0) if told else None


def _left(ttl: int | float | str, asked_at: datetime, age: float) -> float | None:
    """Seconds are counted from when the answer was made, an absolute time is the same whoever kept it."""
    if isinstance(ttl, str):
        text = ttl.strip()
        if not _SECONDS.fullmatch(text):
            return _until(text, asked_at)
        ttl = int(text)
    return max(min(ttl, LONGEST), 0) - age


def _until(text: str, asked_at: datetime) -> float | None:
    if len(text) > LONGEST_TEXT:
        return None
    try:
        until = datetime.fromisoformat(text)
    except ValueError:
        return None
    return ((until if until.tzinfo else until.replace(tzinfo=UTC)) - asked_at).total_seconds()
