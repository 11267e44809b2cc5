"""Rows that could not be asked are asked again, and no others."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.db import connection

from resolver.models import Chunk, Job, Row, State
from resolver.services.jobs import import_rows, lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.storage.files import DataFolderStorage
from resolver.services.turns.check import check_chunk
from resolver.services.uploads import stored_uploads
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, recover, run, undone

pytestmark = pytest.mark.django_db(transaction=True)


class WatchedStorage(DataFolderStorage):
    """Notes whether a transaction, and with it a lock, is held while the storage is asked."""

    held: ClassVar[list[bool]] = []

    def exists(self, name: str) -> bool:
        self.held.append(connection.in_atomic_block)
        return super().exists(name)


MIXED = "doi\n10.5555/one\nnothing\n10.5555/error-a\n10.5555/missing\nhttps://doi.org/10.5555/error-b#x\n"


def numbered(count: int) -> str:
    return "doi\n" + "".join(f"10.5555/r{n}\n" for n in range(count))


def go_on(job: Job, proxy: DoiProxy, **options: Any) -> Job:
    """What a worker does, here and now."""
    for chunk_id in [*undone(job), *import_rows.read_into_rows(job.pk)]:
        check_chunk(chunk_id, proxy=proxy, **options)
    job.refresh_from_db()
    return job


def assert_counts_are_those_of_the_rows(job: Job) -> None:
    rows = list(Row.objects.filter(job=job))
    assert job.done == sum(row.outcome != "" for row in rows)
    assert job.needs_review == sum(row.needs_review for row in rows)
    for kind, found in (
        ("outcome", [row.outcome for row in rows if row.outcome]),
        ("problem", [code for row in rows for code in row.problem_codes]),
        ("ra", [row.ra for row in rows if row.ra]),
    ):
        assert job.counts[kind] == {value: found.count(value) for value in found}


def test_only_the_rows_that_could_not_be_asked_are_asked_again(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    job = run(make_job(MIXED, proxy), proxy)
    assert job.counts["outcome"] == {"resolved": 1, "invalid": 1, "proxy-error": 2, "not-found": 1}
    assert retry.count_rows_to_retry(job) == 2
    kept = list(Row.objects.filter(job=job, line__in=(1, 2, 4)).values())
    before = len(standin.requests)
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert (job.state, job.done, job.finished_at) == ("checking", 3, None)
    assert job.counts["outcome"] == {"resolved": 1, "invalid": 1, "not-found": 1}
    assert_counts_are_those_of_the_rows(job)
    job = go_on(job, proxy)
    assert (job.state, job.done, job.total) == ("finished", 5, 5)
    assert job.counts["outcome"] == {"resolved": 1, "invalid": 1, "proxy-error": 2, "not-found": 1}
    assert_counts_are_those_of_the_rows(job)
    assert list(Row.objects.filter(job=job, line__in=(1, 2, 4)).values()) == kept
    asked = standin.requests[before:]
    assert asked
    assert all("error" in target for target in asked)


def test_what_was_out_of_reach_gets_its_answer(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one\n10.5555/missing.\n10.5555/one\n", nowhere), nowhere)
    assert job.counts["outcome"] == {"unreachable": 3}
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert [row.outcome for row in Row.objects.filter(job=job)] == [""] * 3
    job = go_on(job, proxy)
    assert job.counts["outcome"] == {"resolved": 2, "not-found": 1}
    assert [row.proxy for row in iterate_results(job)] == [proxy.base_url] * 3
    assert_counts_are_those_of_the_rows(job)


def test_chunks_without_such_rows_stay_done(proxy: DoiProxy) -> None:
    job = run(make_job(numbered(60) + "10.5555/error-a\n", proxy), proxy, rows_in_chunk=30)
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert list(Chunk.objects.filter(job=job).order_by("number").values_list("done", flat=True)) == [True, True, False]
    assert len(undone(job)) == 1


def test_nothing_is_asked_where_every_row_has_its_answer(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/one\n10.5555/missing\n", proxy), proxy)
    with pytest.raises(retry.NothingToRetry):
        retry.retry_job(job, proxy=proxy, now=NOW)
    assert Job.objects.get(pk=job.pk).state == "finished"


@pytest.mark.parametrize("state", [State.QUEUED, State.READING, State.CHECKING])
def test_a_job_that_runs_is_left_alone(proxy: DoiProxy, state: State) -> None:
    job = make_job(MIXED, proxy)
    Job.objects.update(state=state)
    job.refresh_from_db()
    assert retry.count_rows_to_retry(job) == 0
    with pytest.raises(lifecycle.JobStillRunning):
        retry.retry_job(job, proxy=proxy, now=NOW)


def test_of_two_clicks_at_once_one_takes_effect(nowhere: DoiProxy) -> None:
    job = run(make_job(numbered(100), nowhere), nowhere)

    def click(_: int) -> bool:
        try:
            retry.retry_job(Job.objects.get(pk=job.pk), proxy=nowhere, now=NOW)
        except lifecycle.JobStillRunning:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as clicks:
        assert list(clicks.map(click, range(4))).count(True) == 1
    job.refresh_from_db()
    assert (job.state, job.done, job.counts) == ("checking", 0, {"outcome": {}, "problem": {}, "ra": {}})


def test_a_cancelled_job_goes_on_with_the_rows_that_nobody_asked(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    job = make_job(numbered(220), proxy)
    first, *_ = import_rows.read_into_rows(job.pk, rows_in_chunk=100)
    check_chunk(first, proxy=proxy)
    lifecycle.cancel_job(job, now=NOW)
    assert retry.count_rows_to_retry(job) == 120
    before = len(standin.requests)
    retry.retry_job(job, proxy=proxy, now=NOW)
    job = go_on(job, proxy)
    assert (job.state, job.done, job.counts["outcome"]) == ("finished", 220, {"resolved": 220})
    assert not any(target.endswith(("/r0", "/r99")) for target in standin.requests[before:])


def test_a_job_cancelled_before_its_file_was_read_is_read_to_the_end(proxy: DoiProxy) -> None:
    job = make_job(numbered(220), proxy)
    reader = import_rows.read_into_rows(job.pk, rows_in_chunk=100)
    next(reader)
    lifecycle.cancel_job(job, now=NOW)
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert job.state == "queued"
    job = go_on(job, proxy)
    assert list(reader) == []  # whoever read before finds the job another's
    assert (job.state, job.total, job.done) == ("finished", 220, 220)
    lines = Row.objects.filter(job=job).order_by("line").values_list("line", "input")
    assert list(lines) == [(n + 1, f"10.5555/r{n}") for n in range(220)]


def test_a_worker_of_the_time_before_writes_nothing(proxy: DoiProxy) -> None:
    job = make_job(numbered(300), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)

    def meanwhile() -> Iterator[datetime]:
        yield NOW
        yield NOW
        lifecycle.cancel_job(job, now=NOW)  # the first batch has been asked, and is about to be written
        retry.retry_job(job, proxy=proxy, now=NOW)
        while True:
            yield NOW

    clock = meanwhile()
    assert not check_chunk(chunk, proxy=proxy, clock=lambda: next(clock))
    assert not Row.objects.exclude(outcome="").exists()
    job = go_on(job, proxy)
    assert (job.state, job.done) == ("finished", 300)
    assert_counts_are_those_of_the_rows(job)


def test_a_line_that_cannot_be_read_fails_the_job_again_when_the_rows_before_it_are_asked(proxy: DoiProxy) -> None:
    job = make_job(numbered(70), proxy)
    with stored_uploads.get_upload_path(job.upload).open("ab") as file:
        file.write(b'"10.5555/b\n')
    list(import_rows.read_into_rows(job.pk))
    job.refresh_from_db()
    error = job.error
    retry.retry_job(job, proxy=proxy, now=NOW)
    job = go_on(job, proxy)
    assert (job.state, job.error, job.done) == ("failed", error, 70)
    assert job.finished_at is not None
    assert retry.count_rows_to_retry(job) == 0


def test_killed_before_anything_was_enqueued_it_is_found_by_the_sweep(nowhere: DoiProxy, proxy: DoiProxy) -> None:
    job = run(make_job(numbered(60), nowhere), nowhere, rows_in_chunk=50)
    retry.retry_job(job, proxy=proxy, now=NOW)
    first, _ = undone(job)
    assert len(recover(NOW + timedelta(seconds=5))) == 1
    check_chunk(first, proxy=proxy)  # and the worker is killed here
    job.refresh_from_db()
    assert (job.state, job.done) == ("checking", 50)
    assert go_on(job, proxy).counts["outcome"] == {"resolved": 60}


def test_a_retry_asks_the_storage_before_it_holds_the_lock_of_the_list(proxy: DoiProxy, settings: Any) -> None:
    job = make_job("doi\n10.1000/182\n", proxy)
    Job.objects.update(state=State.FAILED, error=str(stored_uploads.GONE))
    job.refresh_from_db()
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": f"{__name__}.WatchedStorage"}}
    WatchedStorage.held.clear()
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert job.state == State.QUEUED
    assert WatchedStorage.held == [False]
