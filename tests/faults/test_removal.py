"""The deletion of long lists: answered at once, and done by a worker, also after one is killed in the middle."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import DATABASE
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import KillablePortal, Visitor

ROWS = 20_000
AT_ONCE = 0.5  # seconds
SOON = 90
# The rows of a checked list again and again, by names of their own, until it has so many.
LENGTHEN = f"""
from resolver.models import Job, Row
for job in Job.objects.all():
    rows = list(Row.objects.filter(job=job))
    while job.total < {ROWS}:
        for row in rows:
            row.pk, row.line, row.fingerprint = None, row.line + len(rows), None
        Row.objects.bulk_create(rows)
        job.total += len(rows)
    job.save()
"""
COUNT = "from resolver.models import Job, Row; print(Row.objects.count(), Job.objects.count())"


@pytest.fixture
def portal(tmp_path: Path, failing_proxy: FailingProxyProcess) -> Iterator[KillablePortal]:
    with KillablePortal(tmp_path, failing_proxy, database=DATABASE, impatient=True) as running:
        yield running


def wait_for_rows(portal: KillablePortal, fewer_than: int) -> list[int]:
    """Return the numbers of rows and lists as soon as there are fewer rows."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        rows, lists = map(int, portal.python(COUNT).split())
        if rows < fewer_than:
            return [rows, lists]
    raise TimeoutError(portal.said())


def delete(visitor: Visitor, job: str) -> float:
    """Delete the list, and return the seconds until the answer."""
    began = time.monotonic()
    answer = visitor.ask("DELETE", f"/api/v1/jobs/{job}")
    took = time.monotonic() - began
    assert answer.status_code == 204, answer.text
    for place in ("/api/v1/jobs/{}", "/api/v1/jobs/{}/results.csv", "/jobs/{}", "/jobs/{}/rows"):
        assert visitor.ask("GET", place.format(job)).status_code == 404
    return took


@pytest.mark.slow
def test_long_lists_are_deleted_at_once_and_a_killed_worker_leaves_none_of_their_rows(portal: KillablePortal) -> None:
    with portal.visitor() as visitor:
        jobs = [visitor.upload(f"10.5555/{series}-{number}" for number in range(1000)) for series in "abc"]
        for job in jobs:
            visitor.wait_for_the_end(job)
        portal.python(LENGTHEN)
        portal.kill("worker")
        assert min(delete(visitor, job) for job in jobs) < AT_ONCE
        assert visitor.ask("GET", "/api/v1/jobs").json()["results"] == []
        assert wait_for_rows(portal, 3 * ROWS + 1) == [3 * ROWS, 3]
        portal.start("worker")
        wait_for_rows(portal, 3 * ROWS)
        portal.kill("worker")
        portal.start("worker")
        assert wait_for_rows(portal, 1)[0] == 0
