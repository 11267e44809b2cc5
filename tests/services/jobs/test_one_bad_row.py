"""Whatever one row does, it gets an outcome of its own, and all others are checked."""

import logging
import os
import signal
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
import redis
from django.db import connection

from doi_reading import Problem, Reading
from resolver.models import Chunk, Job, Row
from resolver.proxy.limits import RedisBudget
from resolver.services.jobs import import_rows, retry
from resolver.services.jobs.chunk_claims import MAX_ATTEMPTS, MAX_ATTEMPTS_ALONE
from resolver.services.jobs.row_readings import inspect_stored_row
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.storage.leases import LEASE
from resolver.services.turns.check import check_chunk, check_chunks
from resolver.services.turns.precheck import precheck_chunks
from tests.services.conftest import NOW, Queue, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)

BAD = "10.5555/poison"


def numbered(count: int, bad: int) -> str:
    return "doi\n" + "".join(f"{BAD if n == bad else f'10.5555/{n}'}\n" for n in range(1, count + 1))


def stumbling(text: str, cells: Sequence[str]) -> Reading:
    """The real reading, but of one text: as an error in it would do."""
    if text == BAD:
        raise RecursionError("maximum recursion depth exceeded")
    return inspect_stored_row(text, cells)


def unstorable(text: str, cells: Sequence[str]) -> Reading:
    """A reading with a code that PostgreSQL takes in no text column."""
    reading = inspect_stored_row(text, cells)
    if text == BAD:
        return Reading(text, "name", reading.doi, problems=(Problem("a\0b", "error", "A code that nobody can store."),))
    return reading


def outcomes(job: Job) -> list[str]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("outcome", flat=True))


# SQLite stores what PostgreSQL refuses.
STUMBLING = [stumbling, *([unstorable] if connection.vendor == "postgresql" else [])]


@pytest.mark.parametrize("read", STUMBLING)
def test_a_row_over_which_reading_judging_or_storing_stumbles_leaves_the_others_their_answers(
    read: object, proxy: DoiProxy
) -> None:
    job = make_job(numbered(6, bad=3), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    assert check_chunk(chunk, proxy=proxy, read=read)
    assert outcomes(job) == ["resolved", "resolved", "proxy-error", "resolved", "resolved", "resolved"]
    job.refresh_from_db()
    assert (job.state, job.done, job.counts["outcome"]) == ("finished", 6, {"resolved": 5, "proxy-error": 1})


def test_nothing_is_claimed_of_it_and_its_message_says_whose_fault_it_is(proxy: DoiProxy) -> None:
    job = make_job(numbered(2, bad=1), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    check_chunk(chunk, proxy=proxy, read=stumbling)
    job.refresh_from_db()
    row = next(iterate_results(job))
    assert (row.doi, row.problem_codes, row.suggestion, row.proxy, row.answered_at) == ("", ("not-read",), "", "", None)
    assert row.messages.endswith(
        "Couldn't check: an error in this portal (details are in its log). "
        "This says nothing about the DOI. Check it again later."
    )


def test_the_log_has_the_line_and_where_in_the_code_it_was(proxy: DoiProxy, caplog: pytest.LogCaptureFixture) -> None:
    job = make_job(numbered(4, bad=2), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    with caplog.at_level(logging.ERROR):
        check_chunk(chunk, proxy=proxy, read=stumbling)
    [said] = [record for record in caplog.records if record.name.startswith("resolver.services")]
    assert said.getMessage() == f"Line 2 of job {job.pk} could not be read"
    assert said.exc_info is not None
    assert "in stumbling" in caplog.text


def test_it_is_asked_again_with_the_rows_that_could_not_be_asked(proxy: DoiProxy) -> None:
    job = make_job(numbered(3, bad=2), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    check_chunk(chunk, proxy=proxy, read=stumbling)
    job.refresh_from_db()
    assert retry.count_rows_to_retry(job) == 1
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert check_chunk(chunk, proxy=proxy)  # the fault is mended
    assert outcomes(job) == ["resolved"] * 3


def test_which_ra_is_asked_for_the_others_of_the_list_first(proxy: DoiProxy) -> None:
    job = make_job(numbered(60, bad=30), proxy)
    list(import_rows.read_into_rows(job.pk))
    precheck_chunks(job.pk, proxy=proxy, read=stumbling)
    job.refresh_from_db()
    precheck = job.precheck
    assert (job.prechecking, precheck["exist"], precheck["unknown"], precheck["no_name"]) == (False, 59, 1, 0)


# --- a row that ends its worker ---


class Killed(BaseException):
    """What is no error of a row: nothing may catch it, as nothing catches SIGKILL."""


def ending(text: str, cells: Sequence[str]) -> Reading:
    if text == BAD:
        raise Killed
    return inspect_stored_row(text, cells)


def worked_at(job: Job, proxy: DoiProxy, *, most: int = 20) -> int:
    """As workers do who are killed each time that they read the bad row, and whose leases run out; how many were."""
    for killed in count():
        assert killed < most
        job.refresh_from_db()
        if job.ended:
            return killed - 1
        later = datetime.now(UTC) + LEASE * 2 * (killed + 1)
        chunks = Chunk.objects.filter(job=job, done=False).order_by("number").values_list("pk", flat=True)
        try:
            precheck_chunks(job.pk, proxy=proxy, clock=lambda later=later: later, read=ending)
            check_chunks(list(chunks), proxy=proxy, clock=lambda later=later: later, read=ending)
        except Killed:
            continue
    return -1


@pytest.mark.slow
def test_a_row_that_ends_every_worker_is_given_up_alone(proxy: DoiProxy) -> None:
    job = make_job(numbered(70, bad=52), proxy)
    list(import_rows.read_into_rows(job.pk))
    killed = worked_at(job, proxy)
    assert killed == MAX_ATTEMPTS + MAX_ATTEMPTS_ALONE
    assert (job.state, job.done, job.error) == ("finished", 70, "")
    assert job.counts["outcome"] == {"resolved": 69, "proxy-error": 1}
    assert outcomes(job)[51] == "proxy-error"


def test_a_row_that_ended_its_worker_once_is_tried_again(proxy: DoiProxy) -> None:
    job = make_job(numbered(5, bad=3), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=chunk).update(tried_line=3, attempts=1)  # as a killed worker leaves it
    assert check_chunk(chunk, proxy=proxy)
    assert outcomes(job) == ["resolved"] * 5


def test_a_chunk_that_is_checked_line_by_line_is_given_back_where_there_is_no_time_left(proxy: DoiProxy) -> None:
    job = make_job(numbered(5, bad=0), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=chunk).update(tried_line=0)
    assert not check_chunk(chunk, proxy=proxy, until=0.0)
    assert not Chunk.objects.get(pk=chunk).done
    assert check_chunk(chunk, proxy=proxy)
    assert outcomes(job) == ["resolved"] * 5


def test_a_process_that_is_killed_in_the_middle_leaves_the_line_behind(proxy: DoiProxy) -> None:
    job = make_job(numbered(5, bad=4), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=chunk).update(tried_line=0)
    connection.close()
    child = os.fork()
    if child == 0:  # a worker

        def kill(text: str, cells: Sequence[str]) -> Reading:
            if text == BAD:
                os.kill(os.getpid(), signal.SIGKILL)
            return inspect_stored_row(text, cells)

        try:
            check_chunk(chunk, proxy=proxy, read=kill)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert Chunk.objects.get(pk=chunk).tried_line == 4
    assert outcomes(job) == ["resolved"] * 3 + ["", ""]


def test_redis_that_is_away_is_no_fault_of_the_rows(proxy: DoiProxy) -> None:
    job = make_job(numbered(60, bad=0), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    away = DoiProxy(proxy.config, RedisBudget("redis://127.0.0.1:9/0", 4, 10.0))
    for _ in range(2 * MAX_ATTEMPTS):
        with pytest.raises(redis.ConnectionError):
            precheck_chunks(job.pk, proxy=away)
        with pytest.raises(redis.ConnectionError):
            check_chunk(chunk, proxy=away)
    assert Chunk.objects.filter(pk=chunk, attempts=0, tried_line=None, claim="").exists()
    assert check_chunk(chunk, proxy=proxy)
    assert outcomes(job) == ["resolved"] * 60


# --- and by itself ---


def test_a_text_of_nested_brackets_has_a_lookup(proxy: DoiProxy) -> None:
    nested = "(" * 4000 + "10.5555/a" + ")" * 4000
    assert create_lookup(nested, owner="user:1", proxy=proxy, now=NOW).outcome == "resolved"


def test_a_list_with_nested_brackets_is_checked_to_its_end(proxy: DoiProxy) -> None:
    rows = ["10.5555/a", "(" * 469 + "10.5555/b" + ")" * 469, "[" * 4000 + "10.5555/c" + "]" * 4000, "10.5555/d"]
    job = run(make_job("doi\n" + "\n".join(rows), proxy), proxy)
    assert (job.state, job.done) == ("finished", 4)
    assert outcomes(job) == ["resolved"] * 4


def test_turns_go_on_with_other_lists_beside_one_that_ends_its_workers(proxy: DoiProxy) -> None:
    bad = make_job(numbered(5, bad=1), proxy)
    [chunk] = import_rows.read_into_rows(bad.pk)
    Chunk.objects.filter(pk=chunk).update(tried_line=1, attempts=MAX_ATTEMPTS_ALONE, claimed_until=NOW - timedelta(1))
    good = make_job(numbered(5, bad=0), proxy, owner="user:2")
    Queue(proxy, lambda: NOW).work_off()
    assert outcomes(bad) == ["proxy-error", "resolved", "resolved", "resolved", "resolved"]
    assert outcomes(good) == ["resolved"] * 5
