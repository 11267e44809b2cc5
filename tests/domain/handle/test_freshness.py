"""For how long an answer may be kept: by the ttl of its values, and by its own age (P13, P15)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.domain.handle.answers import MissingHandle, NoValues
from resolver.domain.handle.freshness import compute_freshness, is_answer_usable
from resolver.domain.handle.proxy_json import build_answer

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(hours=24)


def kept(*ttls: Any, age: float = 0.0, longest: timedelta = DAY) -> float:
    """The seconds for which a record with values of these times to live is kept; `...` is a value without one."""
    values = [{"index": n, "type": "X", **({} if ttl is ... else {"ttl": ttl})} for n, ttl in enumerate(ttls)]
    record = build_answer({"responseCode": 1, "handle": "10.1/a", "values": values}, age)
    return (compute_freshness(record, NOW, longest).expires_at - NOW).total_seconds()


@pytest.mark.clause("P15", "A3")
@pytest.mark.parametrize(
    ("ttl", "seconds"),
    [
        (60, 60),
        (0, 0),
        (-5, 0),
        (-(10**400), 0),
        (86_400, 86_400),
        (604_800, 86_400),
        (10**30, 86_400),
        (90.5, 90.5),
        ("60", 60),
        (" 60 ", 60),
        ("-1", 0),
        ("9" * 30, 86_400),
        ("2026-03-01T12:10:00Z", 600),
        ("2026-03-01T13:10:00+01:00", 600),
        ("2026-03-01T12:10:00", 600),
        ("2026-03-02", 43_200),
        ("2026-03-01T11:59:59Z", 0),
        ("1970-01-01T00:00:00Z", 0),
        ("9999-12-31T23:59:59-23:59", 86_400),
        ("0001-01-01T00:00:00+23:59", 0),
    ],
)
def test_a_value_is_kept_for_its_seconds_or_until_its_time(ttl: Any, seconds: float) -> None:
    assert kept(ttl) == seconds


@pytest.mark.clause("P15")
@pytest.mark.parametrize("ttl", [..., None, True, False, "soon", "", "2026-13-45", "1" * 5000, [60], {"ttl": 60}, "६०"])
def test_what_is_no_time_to_live_bounds_nothing(ttl: Any) -> None:
    assert kept(ttl) == 86_400
    assert kept(ttl, 60) == 60


@pytest.mark.clause("P15")
def test_the_shortest_of_all_values_counts() -> None:
    assert kept(86_400, 300, "2026-03-01T13:00:00Z", ...) == 300
    assert kept(7200, "2026-03-01T13:00:00Z") == 3600


@pytest.mark.clause("P13")
def test_without_values_an_answer_is_kept_for_the_longest_time() -> None:
    for answer in (MissingHandle(), NoValues(), build_answer({"responseCode": 1, "handle": "10.1/a"})):
        assert compute_freshness(answer, NOW, DAY).expires_at - NOW == DAY
        assert compute_freshness(answer, NOW, timedelta(hours=1)).expires_at - NOW == timedelta(hours=1)


@pytest.mark.clause("P13", "P15")
def test_the_age_that_an_answer_came_with_is_taken_off() -> None:
    assert kept(..., age=3600) == 82_800
    assert kept(86_400, age=3600) == 82_800
    assert kept(3600, age=3000) == 600
    assert kept(3600, age=5000) == 0
    assert kept(..., age=86_400) == 0
    assert kept("2026-03-01T12:10:00Z", age=3600) == 600
    assert (compute_freshness(MissingHandle(age=7200), NOW, DAY).expires_at - NOW).total_seconds() == 79_200


@pytest.mark.clause("P15")
def test_who_asked_before_the_answer_came_shares_it_and_nobody_later() -> None:
    value = {"index": 1, "type": "X", "ttl": 0}
    came_late = build_answer({"responseCode": 1, "handle": "10.1/a", "values": [value]}, -0.5)
    kept = compute_freshness(came_late, NOW, DAY)
    assert kept.expires_at == NOW
    assert is_answer_usable(came_late, NOW, kept, NOW + timedelta(seconds=0.4))
    assert not is_answer_usable(came_late, NOW, kept, NOW + timedelta(seconds=0.6))


@given(st.lists(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(), max_size=4))
def test_whatever_stands_there_it_is_kept_for_a_day_at_most_and_nothing_is_raised(ttls: list[Any]) -> None:
    assert 0 <= kept(*ttls) <= 86_400
