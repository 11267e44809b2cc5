"""The rate and the time left, from what a page has seen of the last minute."""

from datetime import UTC, datetime, timedelta

import pytest

from resolver.models import Job
from resolver.web.jobs import checking_pace
from resolver.web.jobs.checking_pace import ProgressPoint, format_progress, parse_progress

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
AT = int(START.timestamp())


def job(done: int, total: int = 100_000, state: str = "checking", prechecking: bool = False) -> Job:
    return Job(state=state, done=done, total=total, started_at=START, prechecking=prechecking)


def describe_pace(of: Job, points: list[ProgressPoint], now: datetime) -> str:
    return checking_pace.describe_pace(of, points, now).replace("\xa0", " ")


@pytest.mark.parametrize(
    ("done", "seconds", "words"),
    [
        (20_000, 400, "3,000 rows a minute, about 26 minutes left"),
        (99_900, 100, "59,940 rows a minute, less than a minute left"),
        (99_000, 1650, "3,600 rows a minute, less than a minute left"),
        (600, 60, "600 rows a minute, about 2 hours, 45 minutes left"),
        (30, 60, "30 rows a minute, about 2 days, 7 hours left"),
        (1, 60, "1 row a minute, about 2 months, 1 week left"),
        (0, 60, ""),
        (500, 0, ""),
    ],
)
def test_the_rate_and_the_time_left_are_told_in_words(done: int, seconds: int, words: str) -> None:
    assert describe_pace(job(done), [ProgressPoint(AT, 0)], START + timedelta(seconds=seconds)) == words


def test_who_looks_for_the_first_time_is_told_nothing() -> None:
    assert describe_pace(job(20_000), [], START + timedelta(days=3)) == ""


def test_nothing_is_told_while_which_ra_is_asked_and_that_time_does_not_count_afterwards() -> None:
    assert describe_pace(job(500, prechecking=True), [ProgressPoint(AT, 0)], START + timedelta(seconds=60)) == ""
    now = START + timedelta(seconds=30)
    seen = format_progress([ProgressPoint(AT, 500), ProgressPoint(AT + 15, 500)], job(500, prechecking=True), now)
    later = now + timedelta(seconds=10)
    assert describe_pace(job(1_500), parse_progress(seen, later), later) == "6,000 rows a minute, about 16 minutes left"


@pytest.mark.parametrize("state", ["queued", "reading"])
def test_no_time_left_is_told_while_nobody_knows_how_many_rows_there_are(state: str) -> None:
    assert (
        describe_pace(job(600, state=state), [ProgressPoint(AT, 0)], START + timedelta(seconds=60))
        == "600 rows a minute"
    )


def test_who_has_looked_before_is_told_by_what_was_done_since() -> None:
    now = START + timedelta(hours=1)
    assert (
        describe_pace(job(20_000), [ProgressPoint(AT + 3590, 19_000)], now)
        == "6,000 rows a minute, about 13 minutes left"
    )
    assert describe_pace(job(20_000), [ProgressPoint(AT + 3590, 20_000)], now) == ""  # it stands still
    assert describe_pace(job(20_000), [ProgressPoint(AT + 3590, 90_000)], now) == ""  # it was taken up again


def test_a_list_that_has_ended_has_no_time_left() -> None:
    assert describe_pace(job(100_000, state="finished"), [ProgressPoint(AT, 0)], START + timedelta(seconds=60)) == ""


def test_points_of_about_a_minute_are_remembered_however_long_one_looks() -> None:
    seen = ""
    for seconds in range(0, 600, 3):
        now = START + timedelta(seconds=seconds)
        seen = format_progress(parse_progress(seen, now), job(seconds * 10), now)
    points = parse_progress(seen, now)
    assert 60 <= AT + 597 - points[0].at < 75
    assert len(points) <= 6


@pytest.mark.parametrize("text", ["", "x", "-", "٣-٣", f"{AT + 100}-5", "9" * 5000 + "-1", ".", "1-1.1-1.0-1"])
def test_what_is_no_glance_is_passed_over(text: str) -> None:
    assert parse_progress(text, START) in ([], [ProgressPoint(1, 1)])


def test_an_address_of_long_ago_breaks_no_page() -> None:
    assert describe_pace(job(10), parse_progress("0-0", START), START) == "1 row a minute, about 1 year left"
