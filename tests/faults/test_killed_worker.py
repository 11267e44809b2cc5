"""kill -9 in the middle of a job: real worker processes, a real broker, one database."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.files.base import ContentFile
from django.db import connection
from django.utils import timezone

from resolver.models import Chunk, Job, Row
from resolver.services import jobs, retrying
from resolver.services.asking import proxy_from_settings
from resolver.services.checking import check_chunk
from resolver.standin.server import StandIn

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 5000
GOES_ON_WITHIN = 60


def database_url() -> str:
    """The test database, for another process."""
    if connection.vendor == "sqlite":
        return f"sqlite:///{connection.settings_dict['NAME']}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@pytest.fixture
def environment(tmp_path: Path, settings: Any) -> Iterator[dict[str, str]]:
    """What the workers are told: the test database, a data folder and a broker of their own, a sample proxy."""
    with StandIn(latency=0.02) as standin:
        settings.DOIPORTAL_DATA_DIR = tmp_path
        settings.DOI_PROXY_URL = standin.url
        told = {
            "DATABASE_URL": database_url(),
            "DOIPORTAL_DATA_DIR": str(tmp_path),
            "DOI_PROXY_URL": standin.url,
            "PROXY_CONCURRENCY": "16",
            "PROXY_RATE": "100000",
        }
        if os.environ.get("REDIS_URL"):
            told["REDIS_URL"] = os.environ["REDIS_URL"].rpartition("/")[0] + "/7"
        yield {**os.environ, **told}


@contextmanager
def worker(environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A Celery worker with its children, in a process group of its own; ended with the block if it still lives."""
    command = [sys.executable, "-m", "celery", "-A", "doiportal", "worker", "--beat", "--concurrency", "2"]
    schedule = Path(environment["DOIPORTAL_DATA_DIR"], f"{log.stem}-schedule")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--schedule", str(schedule)],
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(20)
                finally:
                    kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """-9, the children too: nothing gets a chance to put anything in order."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(10)


def wait_until(true: Callable[[], bool], seconds: float, process: subprocess.Popen[bytes], log: Path) -> float:
    began = time.monotonic()
    while not true():
        if process.poll() is not None or time.monotonic() - began > seconds:
            raise TimeoutError(f"not within {seconds} s; the worker's log:\n{log.read_text()[-5000:]}")
        time.sleep(0.1)
    return time.monotonic() - began


def test_a_killed_worker_loses_nothing_and_repeats_little(environment: dict[str, str], tmp_path: Path) -> None:
    text = "line,doi\n" + "".join(f"{n},10.5555/kill-{n}\n" for n in range(1, ROWS + 1))
    proxy = proxy_from_settings()
    job, _ = jobs.create(ContentFile(text.encode()), "kill.csv", owner="user:1", proxy=proxy, now=timezone.now())

    def progress() -> Job:
        return Job.objects.get(pk=job.pk)

    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first) as process:
        start = f"from resolver.tasks import read_job; read_job.delay({str(job.pk)!r})"
        subprocess.run([sys.executable, "manage.py", "shell", "-c", start], env=environment, check=True, timeout=60)
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


def test_killed_while_asking_again_it_goes_on_with_what_is_left(
    environment: dict[str, str], tmp_path: Path, settings: Any
) -> None:
    asked_at = settings.DOI_PROXY_URL
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"  # where nothing listens
    text = "doi\n10.1000/182\n" + "".join(f"10.5555/again-{n}\n" for n in range(1, ROWS))
    proxy = proxy_from_settings()
    job, _ = jobs.create(ContentFile(text.encode()), "again.csv", owner="user:1", proxy=proxy, now=timezone.now())
    for chunk_id in list(jobs.read_rows(job.pk)):
        check_chunk(chunk_id, proxy=proxy)
    settings.DOI_PROXY_URL = asked_at

    def progress() -> Job:
        return Job.objects.get(pk=job.pk)

    assert progress().counts["outcome"] == {"unreachable": ROWS}
    retrying.ask_again(progress(), now=timezone.now())
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first) as process:
        start = f"from resolver.tasks import go_on; go_on.delay({str(job.pk)!r})"
        subprocess.run([sys.executable, "manage.py", "shell", "-c", start], env=environment, check=True, timeout=60)
        wait_until(lambda: progress().done >= ROWS // 5, 120, process, first)
        kill(process)
    killed = progress()
    assert killed.state == "checking"
    assert killed.counts["outcome"] == {"resolved": killed.done}

    with worker(environment, second) as process:
        wait_until(lambda: progress().state == "finished", 240, process, second)
    finished = progress()
    assert (finished.total, finished.done) == (ROWS, ROWS)
    assert finished.counts["outcome"] == {"resolved": ROWS}
    assert Row.objects.filter(job=job, outcome="resolved").count() == ROWS
