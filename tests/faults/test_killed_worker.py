"""kill -9 in the middle of a job: real worker processes, a real broker, one database."""

from pathlib import Path

import pytest

from resolver.models import Chunk, Job, Row
from resolver.services.jobs import ROWS_IN_CHUNK
from resolver.standin.server import StandIn
from tests.faults.conftest import kill, upload, wait_until, worker

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 5000
PROCESSES = 2
GOES_ON_WITHIN = 60


def test_a_killed_worker_loses_nothing_and_repeats_at_most_its_chunk(
    environment: dict[str, str], standin: StandIn, tmp_path: Path
) -> None:
    text = "line,doi\n" + "".join(f"{n},10.5555/kill-{n}\n" for n in range(1, ROWS + 1))
    job = upload(text, environment)

    def progress() -> Job:
        return Job.objects.get(pk=job.pk)

    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first) as process:
        wait_until(lambda: progress().done >= ROWS // 5, 120, process, first)
        kill(process)
    killed = progress()
    assert killed.state in ("reading", "checking")
    assert ROWS // 5 <= killed.done < ROWS

    with worker(environment, second) as process:
        wait_until(lambda: progress().done > killed.done, GOES_ON_WITHIN, process, second)
        wait_until(lambda: progress().state == "finished", 180, process, second)

    finished = progress()
    assert (finished.total, finished.done) == (ROWS, ROWS)
    assert finished.counts["outcome"] == {"resolved": ROWS}
    rows = Row.objects.filter(job=job).order_by("line").values_list("line", "doi", "cells", "outcome")
    expected = [(n, f"10.5555/kill-{n}", [str(n), f"10.5555/kill-{n}"], "resolved") for n in range(1, ROWS + 1)]
    assert list(rows) == expected
    assert not Chunk.objects.filter(job=job, done=False).exists()
    asked = [target for target in standin.requests if target.startswith("/api/handles/")]
    assert len(set(asked)) == ROWS
    assert len(asked) - ROWS <= PROCESSES * ROWS_IN_CHUNK
