"""The DOIs that a caller may ask about in a minute, in a file and in Redis."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import redis
from django.db import OperationalError

from resolver.services.doi_limits.doi_limit import MoreThanAMinute, TooManyDois, build_limit_headers, count_dois
from resolver.services.doi_limits.window_counts import WindowUse, compute_allowance
from resolver.services.http.request_run import ATTEMPT, RequestRun


@pytest.fixture(params=["file", "Redis"])
def _store(request: pytest.FixtureRequest, settings: Any, tmp_path: Path, redis_url: str) -> Iterator[None]:
    settings.DOIPORTAL_DATA_DIR = tmp_path
    settings.REDIS_URL = redis_url if request.param == "Redis" else ""
    settings.API_DOIS_PER_MINUTE = 10
    yield
    if settings.REDIS_URL:
        redis.Redis.from_url(redis_url).flushdb()


def count(caller: str, number: int) -> WindowUse:
    allowance = count_dois(caller, number)
    assert allowance is not None
    return allowance


@pytest.mark.usefixtures("_store")
def test_a_caller_has_so_many_dois_in_a_minute_and_hears_when_more_fit():
    assert count("ada", 4).left == 6
    assert count("ada", 6).left == 0
    with pytest.raises(TooManyDois) as refused:
        count("ada", 1)
    assert (refused.value.allowance.most, refused.value.allowance.left) == (10, 0)
    assert 50 <= refused.value.allowance.wait <= 60
    assert 50 <= refused.value.allowance.full_in <= 60


@pytest.mark.usefixtures("_store")
def test_a_refused_request_does_not_count():
    count("ada", 8)
    with pytest.raises(TooManyDois):
        count("ada", 3)
    assert count("ada", 2).left == 0


@pytest.mark.usefixtures("_store")
def test_callers_do_not_share_a_count():
    count("ada", 10)
    assert count("bob", 10).left == 0


@pytest.mark.usefixtures("_store")
def test_of_many_requests_at_once_only_those_that_fit_are_let_through():
    start = threading.Barrier(20)

    def ask(_: int) -> bool:
        start.wait()
        try:
            count("ada", 1)
        except TooManyDois:
            return False
        return True

    with ThreadPoolExecutor(20) as threads:
        assert sum(threads.map(ask, range(20))) == 10


@pytest.mark.usefixtures("_store")
def test_a_number_that_never_fits_is_told_apart():
    with pytest.raises(MoreThanAMinute):
        count("ada", 11)
    assert count("ada", 10).left == 0


@pytest.mark.usefixtures("_store")
def test_a_request_that_the_server_runs_again_counts_once():
    attempt = ATTEMPT.set(RequestRun())
    try:
        assert [count("ada", 6).left, count("ada", 6).left] == [4, 4]
    finally:
        ATTEMPT.reset(attempt)
    assert count("ada", 1).left == 3


def test_without_a_limit_nothing_is_counted(settings: Any, tmp_path: Path):
    settings.API_DOIS_PER_MINUTE, settings.DOIPORTAL_DATA_DIR, settings.REDIS_URL = 0, tmp_path, ""
    assert count_dois("ada", 10**6) is None
    assert list(tmp_path.iterdir()) == []


def test_without_its_store_nobody_is_let_through_uncounted(settings: Any, tmp_path: Path):
    settings.API_DOIS_PER_MINUTE, settings.REDIS_URL = 10, "redis://127.0.0.1:9/0"
    with pytest.raises(redis.RedisError):
        count_dois("ada", 1)
    settings.REDIS_URL, settings.DOIPORTAL_DATA_DIR = "", tmp_path / "nowhere"
    with pytest.raises(OperationalError):
        count_dois("ada", 1)


@pytest.mark.parametrize(
    ("counts", "number", "fits", "expected"),
    [
        ({}, 0, True, WindowUse(10, 10, 0)),
        ({100: 4}, 4, True, WindowUse(10, 6, 60)),
        ({45: 7, 90: 3}, 1, False, WindowUse(10, 0, 50, wait=5)),
        ({45: 7, 90: 3}, 7, False, WindowUse(10, 0, 50, wait=5)),
        ({45: 7, 90: 3}, 8, False, WindowUse(10, 0, 50, wait=50)),
        ({90: 12}, 1, False, WindowUse(10, 0, 50, wait=50)),
    ],
)
def test_what_is_left_and_when_more_fits(counts: dict[int, int], number: int, fits: bool, expected: WindowUse):
    assert compute_allowance(counts, 100, number, 10, fits=fits) == expected


def test_the_headers_are_those_of_the_draft():
    assert build_limit_headers(WindowUse(10, 6, 42)) == {
        "RateLimit-Policy": '"dois";q=10;w=60',
        "RateLimit": '"dois";r=6;t=42',
    }
