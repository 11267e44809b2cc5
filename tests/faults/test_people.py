"""What people do to a list while workers are at it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.faults import lists, people
from tests.faults.conftest import ROWS, assert_whole
from tests.faults.portal import Json, KillablePortal, Visitor
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

GOES_WITHIN = 30  # seconds
LONG = 9600  # rows: some 30 s of work: what is on its way, a chunk for each worker process, is not the whole rest


def assert_forgotten(portal: KillablePortal, job_id: str, label: str) -> None:
    """Nothing of it is stored, once a worker has removed it; and what is on its way to the proxy at that moment is the
    last that is asked."""
    wait_until("the job is removed", lambda: people.left_of(portal, job_id), lambda left: left == [])
    end = time.monotonic() + GOES_WITHIN
    before, asked = -1, 0
    while before < asked and time.monotonic() < end:
        before = asked
        time.sleep(2)
        asked = portal.proxy.count(f"/{label}-")["names"]
    assert before == asked < 2 * LONG * 0.8  # by Which RA and by record
    assert all(portal.lives(name) for name in ("web", "worker", "beat"))


def test_a_cancelled_job_stands_still_and_can_go_on(visitor: Visitor, label: str, expected: list[Json]) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    cancelled = visitor.ask("POST", f"/api/v1/jobs/{job_id}/cancel").json()
    time.sleep(2)
    job = visitor.job(job_id)
    assert (job["state"], job["done"], job["counts"]) == ("cancelled", cancelled["done"], cancelled["counts"])
    assert lists.judge(visitor, job_id, label, expected).faults == ()
    assert visitor.ask("POST", f"/api/v1/jobs/{job_id}/retry").status_code == 202
    assert_whole(visitor, job_id, label, expected)


def test_a_deleted_job_leaves_nothing(portal: KillablePortal, visitor: Visitor, label: str) -> None:
    job_id = visitor.upload(lists.lines(label, LONG))
    visitor.wait_for_rows(job_id, ROWS // 4)
    assert visitor.ask("DELETE", f"/api/v1/jobs/{job_id}").status_code == 204
    assert_forgotten(portal, job_id, label)


def test_the_job_of_a_deleted_account_stops_and_leaves_nothing(
    portal: KillablePortal, visitor: Visitor, label: str
) -> None:
    people.log_in(visitor, "somebody")
    job_id = visitor.upload(lists.lines(label, LONG))
    visitor.wait_for_rows(job_id, ROWS // 4)
    people.delete_account(portal, "somebody")
    assert visitor.ask("GET", f"/api/v1/jobs/{job_id}").status_code == 404
    assert_forgotten(portal, job_id, label)


def test_the_same_upload_twice_at_once_with_a_key_is_one_job(
    visitor: Visitor, label: str, expected: list[Json]
) -> None:
    visitor.ask("POST", "/api/v1/lookups", json={"input": "10.1000/182"})  # a session, so that both are one owner's
    with ThreadPoolExecutor(4) as pool:
        sent = [pool.submit(visitor.send, lists.lines(label, ROWS), headers={"Idempotency-Key": label}) for _ in "1234"]
        answers = [future.result() for future in sent]
    assert {answer.status_code for answer in answers} <= {202, 409}
    (job_id,) = {answer.json()["id"] for answer in answers if answer.status_code == 202}
    assert_whole(visitor, job_id, label, expected)
    assert len(visitor.ask("GET", "/api/v1/jobs").json()["results"]) == 1


def test_the_same_list_uploaded_by_two_at_once_is_asked_once(
    visitor: Visitor, label: str, expected: list[Json]
) -> None:
    with Visitor(visitor.portal) as other, ThreadPoolExecutor(2) as pool:
        both = (visitor, other)
        jobs = list(pool.map(lambda one: one.upload(lists.lines(label, ROWS)), both))
        for one, job_id in zip(both, jobs, strict=True):
            assert_whole(one, job_id, label, expected)
    assert visitor.portal.proxy.count(f"/{label}-")["repeated"] == {}
