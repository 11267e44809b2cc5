"""Several workers, one job: nobody does another's work, and nothing is counted twice."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import Error, connection

from resolver.models import Chunk, Job, Row
from resolver.services.jobs import import_rows
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.leases import LEASE
from resolver.services.turns.check import check_chunk
from resolver.services.turns.precheck import precheck_chunks
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer, Request
from tests.services.conftest import NOW, make_job, recover

pytestmark = pytest.mark.django_db(transaction=True)


def numbered(count: int) -> str:
    return "doi\n" + "".join(f"10.5555/{n}\n" for n in range(count))


def test_four_workers_on_one_job_count_every_row_once(proxy: DoiProxy) -> None:
    job = make_job(numbered(340), proxy)
    chunks = list(import_rows.read_into_rows(job.pk, rows_in_chunk=100))

    def work(chunk_id: int) -> bool:
        try:
            return check_chunk(chunk_id, proxy=proxy)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        completed = list(workers.map(work, [*chunks, *chunks]))
    assert completed.count(True) == len(chunks) == 4
    job.refresh_from_db()
    assert (job.state, job.done, job.counts["outcome"]) == ("finished", 340, {"resolved": 340})
    assert Row.objects.filter(job=job, outcome="resolved").count() == 340


def test_a_worker_that_lost_its_claim_writes_nothing(proxy: DoiProxy) -> None:
    job = make_job(numbered(300), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    calls = iter(range(100))

    def clock() -> datetime:
        if next(calls) == 2:  # the first batch has been asked, and is about to be written
            Chunk.objects.filter(pk=chunk).update(claim="another", claimed_until=NOW)
        return NOW

    assert not check_chunk(chunk, proxy=proxy, clock=clock)
    assert not Row.objects.exclude(outcome="").exists()
    assert Job.objects.get(pk=job.pk).done == 0
    assert Chunk.objects.get(pk=chunk).claim == "another"


@pytest.mark.parametrize("at", ["precheck", "check"])
def test_a_database_that_goes_away_in_the_middle_of_a_chunk_loses_nothing(
    at: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    broken = threading.Event()

    def answer(request: Request) -> bytes:
        if request.target.startswith("/doiRA/"):
            if not broken.is_set():
                broken.set()
                time.sleep(0.5)  # until the worker waits for the answer: SQLite bears no close in the middle of a query
                opened.close()
            return raw.agencies(request.names)
        return raw.record(request.name)

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        job = make_job(numbered(200), proxy)
        [chunk] = import_rows.read_into_rows(job.pk)
        connection.ensure_connection()
        opened = connection.connection
        work = partial(precheck_chunks, job.pk) if at == "precheck" else partial(check_chunk, chunk)
        with pytest.raises(Error):
            work(proxy=proxy)
        connection.close()  # as Celery does after a task
        assert broken.is_set()
        assert not any(thread.name == "lease" for thread in threading.enumerate())
        assert recover(datetime.now(UTC) + LEASE * 2) != []
        later = {"proxy": proxy, "clock": lambda: datetime.now(UTC) + LEASE * 2}
        precheck_chunks(job.pk, **later)
        assert check_chunk(chunk, **later)
    job.refresh_from_db()
    assert (job.state, job.done, job.precheck["exist"]) == ("finished", 200, 200)
    assert job.counts["outcome"] == {"resolved": 200}
