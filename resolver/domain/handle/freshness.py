"""For how long an answer may be kept: by the time to live of its values, and by how old it was when it came (P13, P15).

What cannot be read as a time to live bounds nothing, as if the value had none: the day that is the most for every
answer still does.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from resolver.domain.handle.record import Missing, NoValues, Record

LONGEST = 10**9  # seconds; more is cut by the day anyway
LONGEST_TEXT = 40  # characters of an absolute time; ISO 8601 needs fewer
_SECONDS = re.compile(r"[+-]?[0-9]{1,30}")


@dataclass(frozen=True, slots=True)
class Span:
    """When an answer was made, which others may have kept before it came, and until when it counts."""

    made_at: datetime
    expires_at: datetime


def span(answer: Record | NoValues | Missing, asked_at: datetime, longest: timedelta) -> Span:
    """Of the answer that was asked for then: it may be kept for `longest`, less the age that it came with, unless one
    of its values says less."""
    age = max(answer.age, 0.0)
    left = max(longest.total_seconds() - age, 0.0)
    if isinstance(answer, Record):
        told = _shortest((value.raw.get("ttl") for value in answer.values), asked_at, age)
        left = left if told is None else min(left, told)
    return Span(asked_at - timedelta(seconds=age), asked_at + timedelta(seconds=left))


def counts(answer: Record | NoValues | Missing, asked_at: datetime, kept: Span, now: datetime) -> bool:
    """Whether it may still be kept, or came after it was wanted: who waits with others for an answer shares it, however
    short it may be kept."""
    return now <= kept.expires_at or now <= asked_at + timedelta(seconds=max(-answer.age, 0.0))


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
