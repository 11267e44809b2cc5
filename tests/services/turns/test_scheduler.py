"""Whose turn it is: fair between owners, and between the jobs of one owner."""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.models import Chunk, Job, Row, WaitingMessage
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.leases import LEASE
from resolver.services.turns import scheduler
from resolver.services.turns.turn_order import take_wakeup
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, Queue, make_job, serve
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_file_open() -> Iterator[None]:
    yield
    scheduler._open_files.clear()


ONE_AT_A_TIME = {"turn": 0.0001, "piece": -1}
"""A turn serves one job; a piece reads one chunk of the file and asks nothing."""


class TickingClock:
    """A second passes with each look."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=0.01)
        return self.now


def served(queue: Queue, times: int) -> list[str]:
    """The names of the jobs, in the order in which they are served."""
    order = []
    for _ in range(times):
        queue.take_turn()
        job = Job.objects.exclude(served_at=None).latest("served_at")
        order.append(job.filename)
    return order


def make(name: str, proxy: DoiProxy, rows: int = 5000, **options: str) -> Job:
    job = make_job("doi\n" + "".join(f"10.5555/{name}-{n}\n" for n in range(rows)), proxy, **options)
    created = NOW + timedelta(milliseconds=Job.objects.count())
    Job.objects.filter(pk=job.pk).update(filename=name, created_at=created)
    return job


def test_owners_take_turns_and_so_do_the_jobs_of_one_owner(proxy: DoiProxy) -> None:
    make("a1", proxy, owner="user:1")
    make("a2", proxy, owner="user:1")
    make("b", proxy, owner="user:2")
    assert served(Queue(proxy, TickingClock(), **ONE_AT_A_TIME), 8) == ["a1", "b", "a2", "b", "a1", "b", "a2", "b"]


@pytest.mark.slow
def test_an_owner_of_many_small_jobs_gets_no_more_than_one_of_a_big_one(proxy: DoiProxy) -> None:
    make("big", proxy, owner="user:2")
    queue = Queue(proxy, TickingClock(), **ONE_AT_A_TIME)
    scheduler.request_turn("user:2", queue.clock(), queue.messages.append)
    order = []
    for number in range(4):
        make(f"small{number}", proxy, owner="user:1")
        scheduler.request_turn("user:1", queue.clock(), queue.messages.append)  # as the upload does
        order += served(queue, 1)
        Job.objects.filter(filename=order[-1], owner="user:1").update(state="cancelled")
    assert order == ["big", "small0", "big", "small1"]


def test_one_turn_reads_and_checks_a_small_job_to_its_end(proxy: DoiProxy) -> None:
    job = make("small", proxy, 10)
    assert serve(job.owner, proxy) != []  # for others, as soon as there was a chunk
    job.refresh_from_db()
    assert (job.state, job.done) == ("finished", 10)


def test_one_message_waits_for_an_owner_as_long_as_there_is_work_that_nobody_holds(proxy: DoiProxy) -> None:
    owner = make("big", proxy).owner
    [message] = serve(owner, proxy, **ONE_AT_A_TIME)
    assert serve(owner, proxy, **ONE_AT_A_TIME) == []
    assert take_wakeup() == message.owner
    assert take_wakeup() is None
    assert [one.owner for one in serve(owner, proxy, **ONE_AT_A_TIME)] == [owner]


def test_a_turn_serves_one_owner_and_nobody_else(proxy: DoiProxy) -> None:
    for owner in ("user:1", "user:2"):
        make(owner, proxy, owner=owner)
    serve("user:2", proxy, **ONE_AT_A_TIME)
    assert [job.owner for job in Job.objects.exclude(served_at=None)] == ["user:2"]


def test_a_turn_ends_after_one_piece_while_another_owner_waits(proxy: DoiProxy) -> None:
    jobs = [make(name, proxy, 10, owner="user:1") for name in ("a1", "a2")]
    make("b", proxy, owner="user:2")
    scheduler.request_turn("user:2", NOW, print)
    serve("user:1", proxy)
    assert [Job.objects.get(pk=job.pk).served_at is None for job in jobs] == [False, True]


@pytest.fixture
def slow(proxy_at: Callable[..., DoiProxy]) -> Iterator[DoiProxy]:
    """40 answers a second."""
    with SampleProxyServer(latency=0.05) as server:
        quick = proxy_at(server.url)
        proxy = DoiProxy(replace(quick.config, concurrency=2, rate=None), quick.budget)
        yield proxy
        proxy.client.close()


def test_turns_that_begin_together_end_apart() -> None:
    lengths = {scheduler.choose_length(10) for _ in range(20)}
    assert len(lengths) > 10
    assert 7 <= min(lengths) < max(lengths) <= 10


@pytest.mark.slow
def test_a_list_is_not_put_down_while_no_other_waits(slow: DoiProxy) -> None:
    job = make("long", slow, 240)
    with CaptureQueriesContext(connection) as queries:
        serve(job.owner, slow, turn=60, piece=1)
    taken_up = [query for query in queries if re.match(r'UPDATE .* SET "served_at"', query["sql"])]
    job.refresh_from_db()
    assert job.state == "finished"
    assert len(taken_up) <= 3, "pieces of a second would have been six or more"


def serve_until(job: Job, proxy: DoiProxy, happens: Callable[[], object]) -> None:
    """Serve the list for a minute at most; when the first rows are checked, something happens."""

    def wait_for_rows() -> None:
        try:
            wait_until("rows are checked", Job.objects.filter(pk=job.pk, done__gt=0).exists)
            happens()
        finally:
            connection.close()

    meanwhile = threading.Thread(target=wait_for_rows, daemon=True)
    meanwhile.start()
    serve(job.owner, proxy, turn=60, piece=0.5)
    meanwhile.join()
    job.refresh_from_db()


def test_it_is_put_down_when_another_owner_begins_to_wait(slow: DoiProxy) -> None:
    job = make("long", slow, 400)
    serve_until(job, slow, lambda: scheduler.request_turn("user:2", NOW, print))
    assert 0 < job.done < 400


def test_it_is_put_down_when_another_list_of_its_owner_begins_to_wait(slow: DoiProxy) -> None:
    job = make("long", slow, 200)
    serve_until(job, slow, lambda: make("other", slow, 1))
    assert Job.objects.get(filename="other").finished_at < job.finished_at


def test_it_is_put_down_when_it_is_cancelled(slow: DoiProxy) -> None:
    job = make("long", slow, 400)
    serve_until(job, slow, lambda: lifecycle.cancel_job(job, now=NOW))
    assert Row.objects.filter(job=job, outcome="").count() > 200


def test_nothing_to_do_sends_no_message(proxy: DoiProxy) -> None:
    assert serve("user:1", proxy) == []
    assert not WaitingMessage.objects.exists()


def test_a_file_read_bit_by_bit_comes_in_whole(proxy: DoiProxy) -> None:
    job = make("big", proxy, 2600)
    other = make("other", proxy, 600, owner="user:2")
    served(Queue(proxy, TickingClock(), **ONE_AT_A_TIME), 16)
    for one, rows in ((job, 2600), (other, 600)):
        one.refresh_from_db()
        assert (one.state, one.total, one.rows.count()) == ("checking", rows, rows)
    lines = Chunk.objects.filter(job=job).values_list("first_line", "last_line")
    assert list(lines) == [(1, 1000), (1001, 2000), (2001, 2600)]


def test_a_file_that_another_process_has_open_is_read_on_when_that_one_is_gone(proxy: DoiProxy) -> None:
    job = make("big", proxy, 2400)
    make("other", proxy, owner="user:2")
    clock = TickingClock()
    queue = Queue(proxy, clock, **ONE_AT_A_TIME)
    served(queue, 1)
    scheduler._open_files.clear()  # as if it had been another process
    Job.objects.exclude(pk=job.pk).delete()
    served(queue, 3)
    assert job.chunks.count() == 1
    clock.now += LEASE
    served(queue, 3)
    assert job.chunks.count() == 3


def test_short_lists_of_many_owners_are_finished_in_one_turn_each(proxy: DoiProxy) -> None:
    jobs = [make_job(f"10.5555/{n}\n", proxy, owner=f"user:{n}") for n in range(scheduler.MAX_OPEN_FILES + 2)]
    queue = Queue(proxy, turn=0, piece=60)
    queue.sweep()
    for number in range(1, len(jobs) + 1):
        queue.take_turn()
        assert Job.objects.filter(state="finished").count() == number


@pytest.mark.parametrize(("complete", "rows"), [(True, [1100, 1100]), (False, [1000, 1100])])
def test_a_file_that_makes_room_for_another_is_read_on_at_once_unless_it_is_long(
    complete: bool, rows: list[int], proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "MAX_OPEN_FILES", 1)
    jobs = [make(f"list-{n}", proxy, 1100, owner=f"user:{n}") for n in range(2)]
    for job in jobs:
        job.layout["complete"] = complete
        job.save()
    served(Queue(proxy, TickingClock(), **ONE_AT_A_TIME), 4)
    assert [job.rows.count() for job in jobs] == rows


def test_the_file_of_a_list_that_was_deleted_meanwhile_is_closed(proxy: DoiProxy) -> None:
    job = make("big", proxy)
    make("other", proxy, owner="user:2")
    queue = Queue(proxy, TickingClock(), **ONE_AT_A_TIME)
    served(queue, 1)
    assert list(scheduler._open_files) == [job.pk]
    lifecycle.delete_job(job)
    queue.take_turn()
    assert job.pk not in scheduler._open_files


def test_a_job_of_another_proxy_is_left_to_whoever_works_on_it(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = make("shell", nowhere, 10)
    assert serve(job.owner, proxy, clock=lambda: NOW) == []
    serve(job.owner, proxy, clock=lambda: NOW + LEASE * 2)
    job.refresh_from_db()
    assert (job.state, job.proxy, job.counts["outcome"]) == ("finished", proxy.base_url, {"resolved": 10})


def test_nor_is_it_taken_while_a_chunk_of_it_is_held_however_long_that_takes(
    proxy: DoiProxy, nowhere: DoiProxy
) -> None:
    job = make("shell", nowhere, 10)
    list(import_rows.read_into_rows(job.pk, clock=lambda: NOW))
    later = NOW + LEASE * 2
    job.chunks.update(claim="another", claimed_until=later + LEASE)
    Chunk.objects.create(job=job, number=1, first_line=11, last_line=11)
    assert serve(job.owner, proxy, clock=lambda: later) == []
    job.refresh_from_db()
    assert job.proxy == nowhere.base_url


@pytest.mark.slow
def test_a_list_whose_texts_take_longer_to_read_than_a_turn_gets_on(proxy: DoiProxy) -> None:
    long = ". ".join(f"Müller, A. (2004). On names {n}, pp. 10.1-18" for n in range(200))
    job = make_job("doi\n" + "".join(f'"10.5555/long-{n}. {long}"\n' for n in range(60)), proxy)
    queue = Queue(proxy, turn=0.05, piece=0.05)
    done = []
    while len(done) < 30 and job.state != "finished":
        queue.take_turn()
        job.refresh_from_db()
        done.append(job.done)
    assert (job.state, job.done) == ("finished", 60), done
