"""What a killed worker or a lost message leaves behind is found."""

from datetime import timedelta

import pytest

from resolver.models import Chunk, Job, State
from resolver.services import jobs
from resolver.services.asking import Proxy
from resolver.services.checking import check_chunk
from resolver.services.sweeping import Work, sweep
from tests.services.conftest import NOW, make_job

pytestmark = pytest.mark.django_db(transaction=True)

SOON = NOW + timedelta(seconds=5)
LATER = NOW + timedelta(seconds=31)
MUCH_LATER = NOW + timedelta(minutes=11)


def read(job: Job) -> list[int]:
    return list(jobs.read_rows(job.pk, clock=lambda: NOW))


def test_a_new_job_is_left_alone_and_a_forgotten_one_is_not(proxy: Proxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    assert sweep(SOON) == []
    assert sweep(LATER) == [Work("read_job", str(job.pk))]
    assert sweep(LATER) == []


def test_a_reader_that_died_is_replaced(proxy: Proxy) -> None:
    job = make_job("10.5555/a\n" * 600, proxy)
    next(jobs.read_rows(job.pk, clock=lambda: NOW))
    work = sweep(LATER)
    assert Work("read_job", str(job.pk)) in work


def test_chunks_whose_message_was_lost_are_found_once(proxy: Proxy) -> None:
    chunks = read(make_job("10.5555/a\n" * 600, proxy))
    assert sweep(SOON) == []
    assert sweep(LATER) == [Work("check_chunk", chunk) for chunk in chunks]
    assert sweep(LATER) == []


def test_chunks_that_wait_behind_others_are_not_queued_again(proxy: Proxy) -> None:
    first, second = read(make_job("10.5555/a\n" * 600, proxy))
    Chunk.objects.filter(pk=first).update(claim="alive", claimed_until=LATER + timedelta(seconds=10))
    assert sweep(LATER) == []
    Chunk.objects.filter(pk=first).update(claimed_until=MUCH_LATER + timedelta(seconds=10))
    assert sweep(MUCH_LATER) == [Work("check_chunk", second)]


def test_a_claim_that_ran_out_is_taken_away(proxy: Proxy) -> None:
    [chunk] = read(make_job("10.5555/a\n10.5555/b\n", proxy))
    Chunk.objects.filter(pk=chunk).update(claim="dead", claimed_until=SOON)
    assert sweep(LATER) == [Work("check_chunk", chunk)]
    assert check_chunk(chunk, proxy=proxy)


def test_a_job_whose_last_worker_died_before_finishing_it_is_finished(proxy: Proxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    read(job)
    Chunk.objects.filter(job=job).update(done=True)
    assert sweep(SOON) == []
    job.refresh_from_db()
    assert (job.state, job.finished_at) == (State.FINISHED, SOON)


def test_ended_jobs_are_left_in_peace(proxy: Proxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    read(job)
    jobs.cancel(job, now=NOW)
    assert sweep(MUCH_LATER) == []
