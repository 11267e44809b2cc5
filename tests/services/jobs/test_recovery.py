"""What a killed worker or a lost message leaves behind is found."""

from datetime import timedelta

import pytest

from resolver.models import Chunk, Job, State
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns.check import check_chunk
from resolver.services.turns.turn_order import take_wakeup
from tests.services.conftest import NOW, make_job, recover

pytestmark = pytest.mark.django_db(transaction=True)

SOON = NOW + timedelta(seconds=5)
LATER = NOW + timedelta(seconds=31)


def read(job: Job) -> list[int]:
    return list(import_rows.read_into_rows(job.pk, clock=lambda: NOW))


def test_work_that_no_message_speaks_of_gets_one(proxy: DoiProxy) -> None:
    assert recover(NOW) == []
    make_job("10.5555/a\n10.5555/b\n", proxy)
    [message] = recover(NOW)
    assert recover(SOON) == []  # it waits
    assert take_wakeup() == message.owner
    assert len(recover(SOON)) == 1


def test_a_message_that_may_be_lost_is_sent_again_and_only_the_first_to_come_begins_a_turn(proxy: DoiProxy) -> None:
    make_job("10.5555/a\n10.5555/b\n", proxy)
    [first], [again] = recover(NOW), recover(LATER)
    assert again == first  # so that one which still waits keeps its place in the queue
    assert recover(LATER) == []
    assert take_wakeup() == first.owner
    assert take_wakeup() is None


def test_each_owner_with_abandoned_work_gets_a_message(proxy: DoiProxy) -> None:
    for owner in ("user:1", "user:1", "user:2"):
        make_job("10.5555/a\n10.5555/b\n", proxy, owner=owner, quick=owner == "user:2")
    assert [message.owner for message in recover(NOW)] == ["user:1", "user:2"]


def test_a_reader_that_died_is_replaced(proxy: DoiProxy) -> None:
    job = make_job("10.5555/a\n" * 60, proxy)
    next(import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=50))
    Chunk.objects.update(done=True)
    assert recover(SOON) == []
    assert len(recover(LATER)) == 1


def test_a_reader_that_died_after_the_last_row_is_replaced_by_one_that_finds_the_end(proxy: DoiProxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    next(import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=2))
    job.refresh_from_db()
    assert (job.state, job.rows.count()) == ("reading", 2)
    assert list(import_rows.read_into_rows(job.pk, clock=lambda: LATER)) == []
    job.refresh_from_db()
    assert (job.state, job.total, job.rows.count(), job.chunks.count()) == ("checking", 2, 2, 1)


def test_a_file_is_given_back_only_by_the_reader_that_holds_it(proxy: DoiProxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n10.5555/c\n", proxy)
    first = import_rows.read_into_rows(job.pk, clock=lambda: NOW, rows_in_chunk=1)
    next(first)
    second = import_rows.read_into_rows(job.pk, clock=lambda: LATER, rows_in_chunk=1)
    next(second)
    import_rows.give_file_back(first)
    assert list(import_rows.read_into_rows(job.pk, clock=lambda: LATER)) == []
    import_rows.give_file_back(second)
    assert len(list(import_rows.read_into_rows(job.pk, clock=lambda: LATER))) == 1


def test_a_claim_that_ran_out_is_taken_away(proxy: DoiProxy) -> None:
    [chunk] = read(make_job("10.5555/a\n10.5555/b\n", proxy))
    Chunk.objects.filter(pk=chunk).update(claim="dead", claimed_until=SOON)
    assert recover(NOW) == []
    assert len(recover(LATER)) == 1
    assert check_chunk(chunk, proxy=proxy)


def test_a_job_whose_last_worker_died_before_finishing_it_is_finished(proxy: DoiProxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    read(job)
    Chunk.objects.filter(job=job).update(done=True)
    assert recover(SOON) == []
    job.refresh_from_db()
    assert (job.state, job.finished_at) == (State.FINISHED, SOON)


def test_ended_jobs_are_left_in_peace(proxy: DoiProxy) -> None:
    job = make_job("10.5555/a\n10.5555/b\n", proxy)
    read(job)
    lifecycle.cancel_job(job, now=NOW)
    assert recover(LATER) == []
