"""The schedule of a watch: one time of day, each day, week, month or quarter. The time of day is a hash of the watch's
id, so that the watches of a portal are spread over the day."""

import calendar
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from uuid import UUID

from resolver.models import Every

DAY = timedelta(days=1)
_DAYS = {Every.DAY: 1, Every.WEEK: 7}
_MONTHS = {Every.MONTH: 1, Every.QUARTER: 3}


def choose_first_time(watch_id: UUID, every: Every, now: datetime) -> datetime:
    """Return the first time of the schedule, on the last day of the first interval."""
    end = _add(now, every, 1)
    day = end.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    number = int.from_bytes(blake2b(watch_id.bytes, digest_size=8).digest())
    at = day + timedelta(seconds=number % (24 * 60 * 60))
    return at if at <= end else at - DAY


def find_next_time(first: datetime, every: Every, now: datetime) -> datetime:
    """Return the first time of the schedule after `now`. Missed times are skipped."""
    number = max(0, _count_intervals(first, every, now) - 1)
    while (at := _add(first, every, number)) <= now:
        number += 1
    return at


def _count_intervals(first: datetime, every: Every, now: datetime) -> int:
    if every in _DAYS:
        return (now - first) // (DAY * _DAYS[every])
    months = 12 * (now.year - first.year) + now.month - first.month
    return months // _MONTHS[every]


def _add(first: datetime, every: Every, number: int) -> datetime:
    """Return the time so many intervals later. A day that a month doesn't have becomes its last one."""
    if every in _DAYS:
        return first + DAY * _DAYS[every] * number
    years, month = divmod(first.month - 1 + _MONTHS[every] * number, 12)
    year, month = first.year + years, month + 1
    return first.replace(year=year, month=month, day=min(first.day, calendar.monthrange(year, month)[1]))
