"""PostgreSQL is stopped, or killed, in the middle of a list, and comes back."""

import time

import pytest

from tests.faults import lists
from tests.faults.conftest import ROWS, SECONDS_AWAY, assert_whole
from tests.faults.portal import Json, KillablePortal, Visitor

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("away", SECONDS_AWAY)
@pytest.mark.parametrize("how", ["stop", "kill"])
def test_postgresql_is_restarted(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json], how: str, away: int
) -> None:
    assert portal.postgres
    job_id = visitor.upload(lists.lines(label, ROWS))
    before = visitor.wait_for_rows(job_id, ROWS // 4)
    getattr(portal.postgres, how)()
    try:
        page, answer = visitor.page(job_id), visitor.ask("GET", f"/api/v1/jobs/{job_id}")
        assert page.startswith("HTTP 503: ")
        assert "Nothing is lost: lists continue automatically when it’s back." in page
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/service-away")
        time.sleep(away)
    finally:
        portal.postgres.start()
    assert visitor.job(job_id)["done"] >= before["done"]
    assert_whole(visitor, job_id, label, expected)
    assert all(portal.lives(name) for name in ("web", "worker", "beat"))
