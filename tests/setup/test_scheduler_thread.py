"""The scheduler inside a worker: `celery worker --with-scheduler`, as `make run` starts it."""

import math
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from doiportal.supervisor import process_commands
from tests.portal_processes import ROOT, build_python_command, inherit_environment
from tests.services_plugin import copy_tables
from tests.setup.portal import serving
from tests.waiting import wait_until

FAILING = """
from celery.__main__ import main
from celery.beat import Scheduler
from doiportal.celery import app

class Failing(Scheduler):
    def tick(self, *args, **options):
        raise RuntimeError("as in a fault")

app.conf.beat_scheduler = Failing
main()
"""


def test_it_says_that_it_is_alive_until_its_worker_ends(tmp_path: Path):
    with serving(tmp_path) as portal:

        def read_silence() -> float:
            text = requests.get(f"http://127.0.0.1:{portal.port}/metrics", timeout=10).text
            return float(re.search(r"^doiportal_scheduler_silent_seconds (\S+)$", text, re.MULTILINE)[1])

        assert read_silence() == math.inf
        portal.start(build_python_command(f"{process_commands.WORKER} {process_commands.WITH_SCHEDULER}"))
        wait_until("its start", read_silence, lambda silence: silence < 10)
        wait_until("some seconds", read_silence, lambda silence: silence > 10)
        wait_until("the first sweep", read_silence, lambda silence: silence < 10)
        portal.process("celery").suspend()
        wait_until("more than the time between two sweeps", read_silence, lambda silence: silence > 20)


@pytest.mark.slow
def test_if_it_fails_its_worker_ends_with_exit_code_1(tmp_path: Path):
    copy_tables(tmp_path / "doiportal.sqlite3")
    options = [*process_commands.WORKER.split()[1:], process_commands.WITH_SCHEDULER]
    done = subprocess.run(
        [sys.executable, "-c", FAILING, *options],
        cwd=ROOT,
        env={**inherit_environment(), "DOIPORTAL_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "The scheduler has failed, so its worker ends." in done.stderr
    assert "RuntimeError: as in a fault" in done.stderr
