"""Redis, which holds the messages and the budget, is emptied, killed, or not there."""

import time
from collections.abc import Iterator

import pytest

from tests.faults import lists
from tests.faults.conftest import DATABASE, ROWS, SECONDS_AWAY, assert_whole, portal_in_a_folder
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import Json, KillablePortal, Visitor

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running_on_redis(request: pytest.FixtureRequest, failing_proxy: FailingProxyProcess) -> Iterator[KillablePortal]:
    """On SQLite another one, since the first does without Redis."""
    if DATABASE == "postgres":
        yield request.getfixturevalue("running")
    else:
        with portal_in_a_folder(failing_proxy, redis=True) as started:
            yield started


@pytest.fixture
def portal(running_on_redis: KillablePortal) -> KillablePortal:
    return running_on_redis


def test_redis_is_flushed(portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]) -> None:
    assert portal.redis
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.redis.flush()
    assert_whole(visitor, job_id, label, expected)


@pytest.mark.parametrize("away", SECONDS_AWAY)
def test_redis_is_killed_and_comes_back_empty(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json], away: int
) -> None:
    assert portal.redis
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.redis.kill()
    try:
        answer = visitor.ask("POST", "/api/v1/lookups", json={"input": f"10.5555/{label}lookup"})
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/service-away")
        taken = visitor.upload(lists.lines(f"{label}taken", 100))
        time.sleep(away)
    finally:
        portal.redis.start()
    assert_whole(visitor, job_id, label, expected)
    assert visitor.wait_for_the_end(taken)["state"] == "finished"
    assert all(portal.lives(name) for name in ("web", "worker", "beat"))
