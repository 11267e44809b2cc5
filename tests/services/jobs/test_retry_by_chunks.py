"""Asking again begins in the request and goes on in the workers, chunk by chunk; nothing is lost in between."""

import time
from datetime import timedelta

import pytest

from resolver.models import Chunk, Job, Row
from resolver.services.jobs import lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns.check import check_chunk
from tests.services.conftest import NOW, make_job, run, serve, undone
from tests.services.jobs.test_retry import assert_counts_are_those_of_the_rows, go_on, numbered

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def taken_up(proxy: DoiProxy, nowhere: DoiProxy) -> Job:
    """Three chunks of rows out of reach, of which the request has time to empty one."""
    job = run(make_job(numbered(130), nowhere), nowhere, rows_in_chunk=50)
    retry.retry_job(job, proxy=proxy, now=NOW, seconds=-1)
    return job


def in_vain(job: Job) -> int:
    return Row.objects.filter(job=job, outcome="unreachable").count()


def test_what_the_request_does_not_empty_keeps_its_outcome_and_is_counted(taken_up: Job) -> None:
    assert (taken_up.state, taken_up.done, in_vain(taken_up)) == ("checking", 80, 80)
    assert_counts_are_those_of_the_rows(taken_up)


@pytest.mark.slow
def test_the_counts_are_those_of_the_rows_at_every_step(taken_up: Job, proxy: DoiProxy) -> None:
    for chunk_id in undone(taken_up):
        retry.empty_chunk(chunk_id, clock=lambda: NOW)
        assert_counts_are_those_of_the_rows(Job.objects.get(pk=taken_up.pk))
        check_chunk(chunk_id, proxy=proxy)
        assert_counts_are_those_of_the_rows(Job.objects.get(pk=taken_up.pk))
    taken_up.refresh_from_db()
    assert (taken_up.state, taken_up.counts["outcome"]) == ("finished", {"resolved": 130})


def test_a_turn_empties_and_asks_what_the_request_left(taken_up: Job, proxy: DoiProxy) -> None:
    serve(taken_up.owner, proxy)
    taken_up.refresh_from_db()
    assert (taken_up.state, taken_up.counts["outcome"]) == ("finished", {"resolved": 130})


def test_nobody_claims_a_chunk_that_is_not_emptied(
    taken_up: Job, proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As between the emptying and the claim, when the job is cancelled and taken up again just then."""
    last = undone(taken_up)[-1]
    monkeypatch.setattr(retry, "empty_chunk", lambda *_, **__: True)
    assert not check_chunk(last, proxy=proxy)
    assert not Chunk.objects.get(pk=last).done


@pytest.mark.slow
def test_what_is_out_of_reach_again_is_not_emptied_again(taken_up: Job, nowhere: DoiProxy) -> None:
    """A worker gives a chunk back after some seconds, and it is claimed once more."""
    first = undone(taken_up)[0]
    check_chunk(first, proxy=nowhere, until=time.monotonic() + 0.05)
    asked = in_vain(taken_up)
    retry.empty_chunk(first, clock=lambda: NOW)
    assert in_vain(taken_up) == asked


@pytest.mark.slow
def test_cancelled_before_all_is_emptied_it_can_be_taken_up_once_more(taken_up: Job, proxy: DoiProxy) -> None:
    lifecycle.cancel_job(taken_up, now=NOW)
    assert retry.count_rows_to_retry(taken_up) == 130
    assert not retry.empty_chunk(undone(taken_up)[-1], clock=lambda: NOW)
    assert in_vain(taken_up) == 80
    retry.retry_job(taken_up, proxy=proxy, now=NOW, seconds=-1)
    assert go_on(taken_up, proxy).counts["outcome"] == {"resolved": 130}


def test_a_chunk_in_which_nothing_is_to_be_asked_ends_the_job_when_it_is_the_last(proxy: DoiProxy) -> None:
    text = "10.5555/error-a\n" + numbered(60).removeprefix("doi\n")
    job = run(make_job(text, proxy), proxy, rows_in_chunk=50)
    retry.retry_job(job, proxy=proxy, now=NOW, seconds=-1)
    first, last = undone(job)
    check_chunk(first, proxy=proxy)
    check_chunk(last, proxy=proxy)
    job.refresh_from_db()
    assert (job.state, job.done) == ("finished", 61)


def test_a_deleted_job_is_neither_emptied_nor_taken_up(taken_up: Job, proxy: DoiProxy) -> None:
    chunk_id = undone(taken_up)[-1]
    copy = Job.objects.get(pk=taken_up.pk)
    lifecycle.delete_job(taken_up)
    assert retry.empty_chunk(chunk_id, clock=lambda: NOW)
    for call in (
        lambda: retry.retry_job(copy, proxy=proxy, now=NOW),
        lambda: lifecycle.cancel_job(copy, now=NOW + timedelta(seconds=1)),
        lambda: lifecycle.update_description(copy, name="late"),
    ):
        with pytest.raises(Job.DoesNotExist):
            call()
