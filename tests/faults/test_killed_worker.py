"""kill -9 in the middle of a job: real worker processes, a real broker, one database."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from resolver.models import Chunk, Job, Row
from resolver.services.jobs import import_rows, retry
from resolver.services.jobs.create import NewList, create_job
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns.check import check_chunk
from resolver.standin.server import SampleProxyServer
from tests.faults.conftest import upload, wait_until, worker
from tests.portal_processes import kill_group

pytestmark = pytest.mark.django_db(transaction=True)

PROCESSES = 2
ROWS = 5 * ROWS_IN_CHUNK
AGAIN = (PROCESSES + 1) * ROWS_IN_CHUNK
GOES_ON_WITHIN = 60
IMPATIENT = "tests.faults.impatient"


def test_a_killed_worker_loses_nothing_and_repeats_at_most_its_chunk(
    environment: dict[str, str], standin: SampleProxyServer, tmp_path: Path
) -> None:
    text = "line,doi\n" + "".join(f"{n},10.5555/kill-{n}\n" for n in range(1, ROWS + 1))
    job = upload(text, environment)

    def progress() -> Job:
        return Job.objects.get(pk=job.pk)

    def complete_chunks() -> set[int]:
        return set(Chunk.objects.filter(job=job, done=True).values_list("number", flat=True))

    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first, app=IMPATIENT) as process:
        wait_until(lambda: bool(complete_chunks()), 120, process, first)
        kill_group(process)
    killed = progress()
    assert killed.state in ("reading", "checking")
    assert ROWS_IN_CHUNK <= killed.done < ROWS
    complete = complete_chunks()

    with worker(environment, second, app=IMPATIENT) as process:
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
    twice = [target.partition("?")[0] for target, times in Counter(asked).items() if times > 1]
    in_chunks = {(int(target.rpartition("-")[2]) - 1) // ROWS_IN_CHUNK for target in twice}
    assert not in_chunks & complete
    # Each process had so many names under way: often the end of one chunk, and the beginning of the next.
    assert len(twice) <= PROCESSES * ROWS_IN_CHUNK
    assert len(in_chunks) <= 2 * PROCESSES


@pytest.mark.slow
def test_killed_while_asking_again_it_goes_on_with_what_is_left(
    environment: dict[str, str], tmp_path: Path, settings: Any
) -> None:
    asked_at = settings.DOI_PROXY_URL
    settings.DOI_PROXY_URL = "http://127.0.0.1:9"  # where nothing listens
    text = "doi\n10.1000/182\n" + "".join(f"10.5555/again-{n}\n" for n in range(1, AGAIN))
    proxy = proxy_from_settings()
    job, _ = create_job(
        ContentFile(text.encode()), NewList(owner="session:1", filename="again.csv"), proxy=proxy, now=timezone.now()
    )
    for chunk_id in list(import_rows.read_into_rows(job.pk)):
        check_chunk(chunk_id, proxy=proxy)
    settings.DOI_PROXY_URL = asked_at

    def progress() -> Job:
        return Job.objects.get(pk=job.pk)

    def resolved() -> int:
        """How many, when no row counts any more that had no answer."""
        counted = progress().counts["outcome"]
        return counted.get("resolved", 0) if "unreachable" not in counted else 0

    assert progress().counts["outcome"] == {"unreachable": AGAIN}
    retry.retry_job(progress(), proxy=proxy_from_settings(), now=timezone.now())
    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first, app=IMPATIENT) as process:
        wait_until(lambda: resolved() >= ROWS_IN_CHUNK, 120, process, first)
        kill_group(process)
    killed = progress()
    assert killed.state == "checking"
    assert killed.counts["outcome"]["resolved"] < AGAIN
    assert sum(killed.counts["outcome"].values()) == killed.done
    resolved_rows = Row.objects.filter(job=job, outcome="resolved")
    done_before = dict(resolved_rows.values_list("line", "checked_at"))

    with worker(environment, second, app=IMPATIENT) as process:
        wait_until(lambda: progress().state == "finished", 240, process, second)
    finished = progress()
    assert (finished.total, finished.done) == (AGAIN, AGAIN)
    assert finished.counts["outcome"] == {"resolved": AGAIN}
    assert resolved_rows.count() == AGAIN
    assert dict(resolved_rows.filter(line__in=list(done_before)).values_list("line", "checked_at")) == done_before
