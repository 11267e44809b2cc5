"""When a watch runs."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.models import Every
from resolver.services.watches.schedule import choose_first_time, find_next_time
from tests.doi_reading.strategies import PROPERTY

MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds
EVERY = st.sampled_from(Every)
LONGEST = {Every.DAY: 1, Every.WEEK: 7, Every.MONTH: 31, Every.QUARTER: 92}  # days


@PROPERTY
@given(st.uuids(), EVERY, MOMENTS)
def test_the_first_run_is_on_the_last_day_of_the_first_interval(watch: UUID, every: Every, now: datetime) -> None:
    first = choose_first_time(watch, every, now)
    assert now < first + timedelta(seconds=1)
    assert first - now <= timedelta(days=LONGEST[every])


@PROPERTY
@given(st.uuids(), EVERY, MOMENTS, st.integers(0, 4000))
def test_the_next_run_is_after_now_and_within_one_interval(watch: UUID, every: Every, now: datetime, days: int) -> None:
    first = choose_first_time(watch, every, now)
    later = now + timedelta(days=days)
    found = find_next_time(first, every, later)
    assert later < found
    assert found <= max(later + timedelta(days=LONGEST[every]), first)
    assert (found.hour, found.minute, found.second) == (first.hour, first.minute, first.second)


def test_watches_are_spread_over_the_day() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    hours = {choose_first_time(UUID(int=n), Every.DAY, now).hour for n in range(500)}
    assert hours == set(range(24))


@pytest.mark.parametrize(
    ("every", "days"),
    [
        (Every.DAY, ["2026-02-01", "2026-02-02", "2026-02-03"]),
        (Every.WEEK, ["2026-02-07", "2026-02-14", "2026-02-21"]),
        (Every.MONTH, ["2026-02-28", "2026-03-31", "2026-04-30"]),
        (Every.QUARTER, ["2026-04-30", "2026-07-31", "2026-10-31"]),
    ],
)
def test_a_day_that_a_month_does_not_have_is_its_last_one(every: Every, days: list[str]) -> None:
    first = datetime(2026, 1, 31, 4, 5, 6, tzinfo=UTC)
    found = [first]
    for _ in days:
        found.append(find_next_time(first, every, found[-1]))
    assert [at.date().isoformat() for at in found[1:]] == days
