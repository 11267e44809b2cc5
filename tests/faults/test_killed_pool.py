"""kill -9 of processes that wait for work: the worker goes on with those that it starts instead."""

import time
from pathlib import Path

import psutil
import pytest

from resolver.models import Job
from tests.faults.conftest import upload, wait_until, worker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "files",
    [pytest.param(True, id="broker of files", marks=pytest.mark.slow), pytest.param(False, id="broker of the suite")],
)
def test_a_list_is_checked_after_all_idle_processes_were_killed(
    environment: dict[str, str], tmp_path: Path, files: bool
) -> None:
    if files:
        environment = {name: value for name, value in environment.items() if name != "REDIS_URL"}
    log = tmp_path / "worker.log"

    def check(name: str) -> None:
        job = upload(f"doi\n10.5555/{name}\n", environment)
        wait_until(lambda: Job.objects.get(pk=job.pk).state == "finished", 60, process, log)

    with worker(environment, log) as process:
        check("before")
        time.sleep(1.0)  # until its process waits for the next task
        children = psutil.Process(process.pid).children()
        for child in children:
            child.kill()
        check("after")
    assert len(children) >= 2
