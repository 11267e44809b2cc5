"""Which RA first: of the whole list it is known early what exists, and who answers for it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import unquote

import pytest
from django.db import connection

from resolver.models import Chunk, Job
from resolver.services.jobs import import_rows, retry
from resolver.services.jobs.chunk_claims import TO_BE_EMPTIED
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns import scheduler
from resolver.services.turns.check import check_chunk
from resolver.services.turns.precheck import precheck_chunks
from resolver.standin.server import SampleProxyServer
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer
from tests.services.conftest import NOW, make_job, recover, run, serve, undone, work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _no_file_open() -> Iterator[None]:
    yield
    scheduler._open_files.clear()


def numbered(count: int) -> str:
    return "doi\n" + "".join(f"10.5555/s{n}\n" for n in range(count))


def read(job: Job, **options: int) -> list[int]:
    return list(import_rows.read_into_rows(job.pk, **options))


def test_the_existence_of_every_row_is_known_before_its_record_is_asked_for(
    proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    job = make_job(numbered(400), proxy)
    read(job, rows_in_chunk=100)
    before = len(standin.requests)
    job = work_off(job, proxy)
    assert (job.state, job.done, job.counts["outcome"]) == ("finished", 400, {"resolved": 400})
    asked = standin.requests[before:]
    assert all(
        target.startswith("/api/handles/") for target in asked[1 : 1 + scheduler.FIRST_NAMES]
    )  # to have something to show
    last = max(number for number, target in enumerate(asked) if target.startswith("/doiRA/"))
    assert last + 1 <= 400 / 50 + scheduler.FIRST_NAMES + 1
    assert (
        len({name for target in asked[: last + 1] for name in unquote(target).split("/doiRA/")[-1].split(",")}) >= 400
    )
    assert len(asked) == 400 + 400 / 50 + 1


def limited(proxy: DoiProxy, rate: float | None, concurrency: int) -> DoiProxy:
    return DoiProxy(replace(proxy.config, rate=rate, concurrency=concurrency), proxy.budget)


@pytest.mark.parametrize("rate", [None, 1000])
def test_a_list_that_waits_for_the_processor_and_not_for_the_proxy_is_not_prechecked(
    proxy: DoiProxy, standin: SampleProxyServer, rate: float | None
) -> None:
    job, before = make_job(numbered(300), proxy), len(standin.requests)
    serve(job.owner, limited(proxy, rate, 32), turn=60, piece=60)
    job.refresh_from_db()
    assert (job.state, job.done, job.prechecking, job.precheck) == ("finished", 300, False, None)
    assert len(standin.requests) - before == 300 + 300 / 50


def test_what_a_finished_precheck_has_told_stays_when_the_proxy_becomes_fast(proxy: DoiProxy) -> None:
    job = make_job(numbered(300), proxy)
    read(job)
    precheck_chunks(job.pk, proxy=proxy)
    serve(job.owner, limited(proxy, None, 32), turn=60, piece=60)
    job.refresh_from_db()
    assert (job.state, job.precheck["rows"]) == ("finished", 300)


@pytest.mark.parametrize(("rate", "concurrency"), [(999, 32), (None, 31)])
def test_any_other_list_begins_with_some_names_and_its_precheck(
    proxy: DoiProxy, rate: float | None, concurrency: int
) -> None:
    job = make_job(numbered(300), proxy)
    serve(job.owner, limited(proxy, rate, concurrency), turn=0.0001, piece=-1)  # no time for the precheck itself
    job.refresh_from_db()
    assert (job.prechecking, job.done) == (True, scheduler.FIRST_NAMES)


def test_the_job_tells_what_exists_and_who_answers_for_it(proxy: DoiProxy) -> None:
    rows = ["10.5555/a", "10.5555/missing-1", "no name", "https://doi.org/10.5555/A", "10.1000/182"] * 20
    job = make_job("doi\n" + "\n".join(rows), proxy)
    assert (job.prechecking, job.precheck["rows"]) == (True, 0)
    read(job)
    precheck_chunks(job.pk, proxy=proxy)
    job.refresh_from_db()
    told = {"rows": 100, "exist": 60, "missing": 20, "unknown": 0, "no_name": 20, "ra": {"Crossref": 40, "Public": 20}}
    assert (job.prechecking, job.precheck, job.done) == (False, told, 0)


def test_a_name_that_stands_in_many_chunks_is_asked_once(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    job = make_job("doi\n" + "10.5555/again\n" * 1200, proxy)
    read(job)
    before = len(standin.requests)
    precheck_chunks(job.pk, proxy=proxy)
    assert len(standin.requests) == before + 1
    assert work_off(job, proxy).counts["outcome"] == {"resolved": 1200}
    assert len(standin.requests) == before + 2


@pytest.mark.parametrize("quick", [True, False])
def test_a_short_list_and_a_quick_check_need_no_survey(proxy: DoiProxy, quick: bool) -> None:
    job = make_job(numbered(600 if quick else 50), proxy, quick=quick)
    assert (job.prechecking, job.precheck) == (False, None)
    assert work_off(job, proxy).state == "finished"


def test_two_rows_of_one_text_with_several_names_count_as_what_they_are_read_as(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + '"10.5555/missing-1; 10.5555/b"\n' * 60, proxy)
    read(job)
    precheck_chunks(job.pk, proxy=proxy)
    job.refresh_from_db()
    assert (job.precheck["missing"], job.precheck["exist"]) == (60, 0)


def test_where_which_ra_answers_nothing_the_list_is_checked_without_it(
    proxy_at: Callable[..., DoiProxy], standin: SampleProxyServer
) -> None:
    with RawServer(lambda request: raw.http(500, "")) as server:
        proxy = proxy_at(server.url)
        job = make_job(numbered(260), proxy)
        read(job, rows_in_chunk=26)
        precheck_chunks(job.pk, proxy=proxy)
    job.refresh_from_db()
    assert not job.prechecking
    assert 0 < job.precheck["rows"] == job.precheck["unknown"] < 260
    proxy = proxy_at(standin.url)
    for chunk_id in undone(job):
        check_chunk(chunk_id, proxy=proxy)
    job.refresh_from_db()
    assert job.counts["outcome"] == {"resolved": 260}


def test_a_few_names_that_which_ra_cannot_answer_hold_up_nothing(proxy_at: Callable[..., DoiProxy]) -> None:
    def answer(request: raw.Request) -> bytes:
        return raw.http(500, "") if "10.5555/s7" in request.names else raw.agencies(request.names)

    with RawServer(answer) as server:
        job = make_job(numbered(100), proxy_at(server.url))
        read(job)
        precheck_chunks(job.pk, proxy=proxy_at(server.url))
    job.refresh_from_db()
    assert (job.prechecking, job.precheck["exist"], job.precheck["unknown"]) == (False, 99, 1)


def slow_to_fail(request: raw.Request) -> bytes:
    """Takes longer than a survey has time, where it does not answer."""
    if "10.5555/s7" in request.names:
        time.sleep(0.6)
        return raw.http(500, "")
    said = {"10.5555/s9": {"status": "DOI does not exist"}}
    return raw.http(200, [{"DOI": name, **said.get(name, {"RA": "Crossref"})} for name in request.names])


def test_names_that_never_get_an_answer_hold_up_no_survey_that_has_little_time(
    proxy_at: Callable[..., DoiProxy],
) -> None:
    with RawServer(slow_to_fail) as server:
        job = make_job(numbered(100), proxy_at(server.url))
        read(job)
        precheck_chunks(job.pk, proxy=proxy_at(server.url), until=time.monotonic() + 0.5)
    job.refresh_from_db()
    assert (job.prechecking, job.precheck["missing"], job.precheck["unknown"]) == (False, 1, 1)


def test_where_which_ra_answers_nothing_and_takes_long_for_it_the_survey_ends_with_the_first_names(
    proxy_at: Callable[..., DoiProxy],
) -> None:
    def answer(request: raw.Request) -> bytes:
        time.sleep(0.4)
        return raw.http(500, "")

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        proxy = replace(proxy, config=replace(proxy.config, rate=2))  # names for a second are fewer than the chunk has
        job = make_job(numbered(400), proxy)
        read(job)
        precheck_chunks(job.pk, proxy=proxy, until=time.monotonic() + 0.3)
    job.refresh_from_db()
    assert not job.prechecking


def test_a_chunk_that_is_to_be_emptied_is_not_surveyed(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = run(make_job(numbered(60), nowhere), nowhere)
    retry.retry_job(job, proxy=proxy, now=NOW)
    Chunk.objects.filter(job=job).update(claim=TO_BE_EMPTIED, done=False, prechecked=False)
    Job.objects.update(prechecking=True)  # as a worker still knows it that looked before the list was taken up again
    precheck_chunks(job.pk, proxy=proxy, until=time.monotonic() + 0.2)
    assert Chunk.objects.get(job=job).claim == TO_BE_EMPTIED


def test_what_was_answered_before_the_time_was_over_is_not_asked_again(proxy_at: Callable[..., DoiProxy]) -> None:
    def answer(request: raw.Request) -> bytes:
        time.sleep(max(0.0, ends - time.monotonic()))
        return raw.agencies(request.names)

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        proxy = replace(proxy, config=replace(proxy.config, rate=1.0))  # its names are asked for fifty by fifty
        job = make_job(numbered(120), proxy)
        read(job)
        ends = time.monotonic() + 1
        precheck_chunks(job.pk, proxy=proxy, until=ends)
        assert [len(request.names) for request in server.requests] == [50]
        chunk = Chunk.objects.get(job=job)
        assert (chunk.prechecked, chunk.claim, chunk.attempts) == (False, "", 0)
        precheck_chunks(job.pk, proxy=proxy)
        assert sorted(len(request.names) for request in server.requests) == [20, 50, 50]
    job.refresh_from_db()
    assert (job.prechecking, job.precheck["rows"]) == (False, 120)


def test_a_survey_that_its_worker_did_not_end_is_ended_by_the_sweep(proxy: DoiProxy) -> None:
    job = make_job(numbered(60), proxy)
    read(job)
    Chunk.objects.update(prechecked=True)  # and the worker is killed here
    assert serve(job.owner, proxy, clock=lambda: NOW) == []
    job.refresh_from_db()
    assert (job.prechecking, job.done) == (True, 0)
    assert len(recover(NOW)) == 1
    assert work_off(job, proxy).state == "finished"


@pytest.mark.parametrize("how", ["cancelled", "deleted", "claimed by another"])
def test_a_survey_in_the_middle_of_which_its_ground_is_gone_counts_nothing(
    how: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    def answer(request: raw.Request) -> bytes:
        match how:
            case "cancelled":
                Job.objects.update(state="cancelled")
            case "deleted":
                Job.objects.all().delete()
            case _:
                Chunk.objects.update(claim="another")
        connection.close()  # that of the server's thread
        return raw.agencies(request.names)

    with RawServer(answer) as server:
        job = make_job(numbered(60), proxy_at(server.url))
        read(job)
        precheck_chunks(job.pk, proxy=proxy_at(server.url))
    assert not Chunk.objects.filter(prechecked=True).exists()
    assert all(job.precheck["rows"] == 0 for job in Job.objects.all())


def test_asking_again_asks_no_survey(proxy: DoiProxy, nowhere: DoiProxy, standin: SampleProxyServer) -> None:
    job = run(make_job(numbered(60), nowhere), nowhere)
    Job.objects.update(prechecking=True)  # as of a list that was cancelled before its survey was done
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert not job.prechecking
    before = len(standin.requests)
    assert work_off(job, proxy).counts["outcome"] == {"resolved": 60}
    assert len(standin.requests) - before == 62
