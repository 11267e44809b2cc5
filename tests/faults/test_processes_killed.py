"""kill -9 of each part of a running portal, and of all of it."""

import pytest
import requests

from tests.faults import lists
from tests.faults.conftest import ROWS, assert_whole
from tests.faults.portal import Json, KillablePortal, Visitor

pytestmark = pytest.mark.slow


def test_one_worker_process_is_killed(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.children("worker")[0].kill()
    assert_whole(visitor, job_id, label, expected, lost=1)


def test_everything_is_killed_and_started_again(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    before = visitor.wait_for_rows(job_id, ROWS // 4)
    portal.kill_all()
    portal.start("web", "worker", "beat")
    assert visitor.job(job_id)["done"] >= before["done"]
    assert_whole(visitor, job_id, label, expected)


def test_the_web_process_is_killed_while_a_list_is_checked(
    portal: KillablePortal, visitor: Visitor, label: str, expected: list[Json]
) -> None:
    job_id = visitor.upload(lists.lines(label, ROWS))
    visitor.wait_for_rows(job_id, ROWS // 4)
    portal.kill("web")
    portal.start("web")
    assert_whole(visitor, job_id, label, expected)


def test_the_web_process_is_killed_during_a_download(portal: KillablePortal, visitor: Visitor, label: str) -> None:
    wide = "x" * 10_000  # more than the buffers of a socket hold
    lines = [f"10.5555/{label}-{n},{wide}" for n in range(ROWS)]
    job_id = visitor.upload(lines, header="doi,other")
    visitor.wait_for_the_end(job_id)
    path = f"/api/v1/jobs/{job_id}/results.csv"
    with visitor.ask("GET", path, stream=True) as answer:
        pieces = answer.iter_content(1000)
        next(pieces)
        portal.kill("web")
        try:
            list(pieces)
            cut = False
        except requests.RequestException:
            cut = True
    portal.start("web")
    assert cut, "whoever takes half a file away must notice"
    assert visitor.ask("GET", path).text.count(wide) == ROWS
