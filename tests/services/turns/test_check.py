"""Several chunks that one worker checks in one go."""

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.models import Chunk, Job, Row
from resolver.services.jobs import chunk_claims, import_rows, lifecycle
from resolver.services.proxy_answers import name_requests
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns.check import check_chunks
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def slow(standin: SampleProxyServer) -> Iterator[SampleProxyServer]:
    standin.reset()
    standin.latency = 0.1
    yield standin
    standin.latency = 0.0


@pytest.fixture
def two_chunks(proxy: DoiProxy) -> list[int]:
    """Four rows each, of one job."""
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(8)), proxy)
    [first] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=first).update(last_line=4)
    return [first, Chunk.objects.create(job=job, number=1, first_line=5, last_line=8).pk]


def test_the_names_of_the_next_chunk_are_asked_for_while_the_last_ones_are_under_way(
    two_chunks: list[int], proxy: DoiProxy, slow: SampleProxyServer
) -> None:
    slow.latency = 0.5
    assert check_chunks(two_chunks, proxy=proxy) == set(two_chunks)
    assert slow.watch.most_in_flight == 8
    assert Job.objects.get().state == "finished"


def test_a_job_says_when_results_were_last_written_and_when_it_ended(two_chunks: list[int], proxy: DoiProxy) -> None:
    moments = iter(NOW + timedelta(seconds=second) for second in range(1000))
    check_chunks(two_chunks[:1], proxy=proxy, clock=lambda: next(moments))
    job = Job.objects.get()
    assert NOW < job.heartbeat_at < NOW + timedelta(seconds=1000)
    assert job.finished_at is None
    check_chunks(two_chunks[1:], proxy=proxy, clock=lambda: next(moments))
    done = Job.objects.get()
    assert job.heartbeat_at < done.heartbeat_at < done.finished_at


def test_of_a_chunk_as_many_distinct_names_are_checked_as_are_allowed(two_chunks: list[int], proxy: DoiProxy) -> None:
    for done in (3, 4):  # the second time it goes on with what is left
        check_chunks(two_chunks[:1], proxy=proxy, names_at_most=3)
        assert Row.objects.exclude(outcome="").count() == done


@pytest.mark.parametrize(("rate", "at_once"), [(None, 96), (10.0, 50), (70.0, 70)])
def test_results_are_written_after_a_second_of_the_rate_or_else_after_some_names_for_each_request_in_flight(
    proxy: DoiProxy, rate: float | None, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        chunk_claims, "FIRST_NAMES_SECONDS", 60
    )  # seconds for the first of them, however slow the machine is
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(120)), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    paced = DoiProxy(replace(proxy.config, concurrency=3, rate=rate), proxy.budget)
    check_chunks([chunk], proxy=paced, until=time.monotonic())  # then the turn is over
    paced.client.close()
    assert Row.objects.exclude(outcome="").count() == at_once


def test_a_chunk_is_checked_to_its_end_when_there_is_more_time_than_was_said(
    proxy: DoiProxy, slow: SampleProxyServer
) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(60)), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    two_at_a_time = DoiProxy(replace(proxy.config, concurrency=2), proxy.budget)
    check_chunks([chunk], proxy=two_at_a_time, until=time.monotonic(), stay_on=lambda until: math.inf)
    two_at_a_time.client.close()
    assert not Row.objects.filter(outcome="").exists()


@pytest.mark.slow
def test_a_list_with_large_answers_is_checked_piece_by_piece(
    proxy: DoiProxy, standin: SampleProxyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(name_requests, "MOST_ANSWER_BYTES", 1)
    paced = DoiProxy(replace(proxy.config, concurrency=1), proxy.budget)
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(60)), paced)
    [chunk] = import_rows.read_into_rows(job.pk)
    assert check_chunks([chunk], proxy=paced) == set()
    assert Row.objects.exclude(outcome="").count() < 60
    standin.reset()
    assert any(check_chunks([chunk], proxy=paced) for _ in range(200))
    paced.client.close()
    assert Job.objects.get().state == "finished"
    assert set(Row.objects.values_list("outcome", flat=True)) == {"resolved"}
    assert len(standin.requests) == len(set(standin.requests)), "no name is requested again"


def test_a_chunk_that_is_lost_in_the_middle_does_not_take_the_next_with_it(
    two_chunks: list[int], proxy: DoiProxy, slow: SampleProxyServer
) -> None:
    def as_they_come() -> Iterator[int]:
        yield two_chunks[0]
        Chunk.objects.filter(pk=two_chunks[0]).update(claim="another")
        yield two_chunks[1]

    assert check_chunks(as_they_come(), proxy=proxy) == {two_chunks[1]}
    assert set(Row.objects.filter(outcome="resolved").values_list("line", flat=True)) == {5, 6, 7, 8}
    assert Job.objects.get().done == 4
    assert Chunk.objects.get(pk=two_chunks[0]).claim == "another"


def test_chunks_of_a_cancelled_job_are_given_back_unasked_beyond_the_first(
    two_chunks: list[int], proxy: DoiProxy, slow: SampleProxyServer
) -> None:
    job = Job.objects.get()

    def as_they_come() -> Iterator[int]:
        yield two_chunks[0]
        lifecycle.cancel_job(job, now=NOW)
        yield two_chunks[1]

    assert check_chunks(as_they_come(), proxy=proxy) == set()
    assert not any("10.5555/7" in target for target in slow.requests)
    assert not Row.objects.exclude(outcome="").exists()
    assert set(Chunk.objects.values_list("claim", "claimed_until")) == {("", None)}


def test_many_rows_take_few_queries_more_than_a_few(proxy: DoiProxy) -> None:
    """A column of a row that isn't loaded with it would be a query for each row."""

    def count(rows: int) -> int:
        job = make_job("doi,note\n" + "".join(f"10.5555/of-{rows}-{n} x,y\n" for n in range(rows)), proxy)
        (chunk,) = import_rows.read_into_rows(job.pk)
        with CaptureQueriesContext(connection) as queries:
            check_chunks([chunk], proxy=proxy)
        assert Row.objects.filter(job=job, outcome="").count() == 0
        return len(queries)

    assert count(40) - count(4) < 20, "one for each row would be 36 more"
