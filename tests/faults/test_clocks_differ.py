"""Two workers on machines whose clocks differ by two minutes share a list: real processes, one PostgreSQL."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from resolver.models import Job, WorkerHeartbeat
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.storage.clock import read_clock
from resolver.standin.server import SampleProxyServer
from tests.faults.conftest import upload, wait_until, worker

pytestmark = pytest.mark.django_db(transaction=True)

AHEAD = 120
ROWS = 4 * ROWS_IN_CHUNK


@pytest.fixture
def standin() -> Iterator[SampleProxyServer]:
    """One that takes its time: a chunk is held for some seconds, and both workers look for others meanwhile."""
    with SampleProxyServer(latency=0.05) as server:
        yield server


def test_no_chunk_is_checked_twice_where_one_clock_is_two_minutes_ahead(
    environment: dict[str, str], standin: SampleProxyServer, tmp_path: Path
) -> None:
    right, ahead = tmp_path / "right.log", tmp_path / "ahead.log"
    told = {**environment, "CLOCK_AHEAD": str(AHEAD)}
    with (
        worker(environment, right, name="right") as process,
        worker(told, ahead, app="tests.faults.clock_ahead", name="ahead"),
    ):
        workers = WorkerHeartbeat.objects.filter(name__regex="^(right|ahead)@")  # not their schedulers
        wait_until(lambda: workers.count() == 2, 60, process, right)
        job = upload("doi\n" + "".join(f"10.5555/clock-{n}\n" for n in range(ROWS)), environment)
        wait_until(lambda: Job.objects.get(pk=job.pk).state == "finished", 120, process, right)
        beats = list(workers.values_list("at", flat=True))
    ended = Job.objects.get(pk=job.pk)
    assert (ended.done, ended.counts["outcome"]) == (ROWS, {"resolved": ROWS})
    asked = Counter(target.partition("?")[0] for target in standin.requests if "/api/handles/" in target)
    assert len(asked) == ROWS
    assert [target for target, times in asked.items() if times > 1] == []
    # Both say in the database's time when they were alive.
    assert all(abs((read_clock() - beat).total_seconds()) < AHEAD / 2 for beat in beats)
