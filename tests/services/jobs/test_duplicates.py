"""Rows with the same name: asked once, counted, and each later one says with which line it agrees."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from doi_reading import fold
from resolver.models import Job, Row
from resolver.services.jobs import duplicates, import_rows, lifecycle, retry
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.turns.check import check_chunk
from resolver.standin.server import SampleProxyServer
from tests.doi_reading.corpus import as_csv
from tests.services.conftest import NOW, make_job, run, undone
from tests.services.registered_names import sample_proxy_where
from tests.sheets.result_tables import as_object

pytestmark = pytest.mark.django_db(transaction=True)


def agreeing(job: Job) -> list[int | None]:
    return list(Row.objects.filter(job=job).order_by("line").values_list("same_as", flat=True))


def assert_each_agrees_with_the_first_that_was_checked(job: Job) -> None:
    """What the database says is what going through all rows says."""
    first: dict[str, int] = {}
    repeated = 0
    for row in Row.objects.filter(job=job).order_by("line"):
        expected = None
        if row.outcome and row.doi:
            earlier = first.setdefault(fold(row.doi), row.line)
            expected = earlier if earlier < row.line else None
        assert row.same_as == expected, row.line
        repeated += expected is not None
    assert Job.objects.get(pk=job.pk).duplicates == repeated


def test_each_later_row_says_with_which_line_it_agrees(proxy: DoiProxy) -> None:
    text = "doi\n10.5555/one\n10.5555/two\nhttps://doi.org/10.5555/ONE\n10.5555/missing\ndoi:10.5555/One\n10.5555/two\n"
    job = run(make_job(text, proxy), proxy)
    assert agreeing(job) == [None, None, 1, None, 1, 2]
    assert job.duplicates == 3
    rows = list(iterate_results(job))
    assert as_object(rows[2])["messages"].startswith("Row 2 of the list has the same DOI name.")
    assert not any("same DOI name" in as_object(rows[at])["messages"] for at in (0, 1, 3))
    assert [as_object(row)["same_as"] for row in rows] == [None, None, 1, None, 1, 2]


@pytest.mark.clause("S8")
def test_only_a_to_z_are_folded(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/é\n10.5555/É\n10.5555/e\u0301\n10.5555/É\n", proxy), proxy)
    assert agreeing(job) == [None, None, None, 2]


def test_rows_without_a_name_agree_with_none(proxy: DoiProxy) -> None:
    job = run(make_job("id,doi\n1,nothing\n2,nothing\n3,\n4,\n5,10/p54k\n6,10/p54k\n", proxy), proxy)
    assert agreeing(job) == [None] * 6
    assert job.duplicates == 0
    assert not Row.objects.filter(job=job, fingerprint__isnull=False).exists()  # a comparison takes these for names


def test_a_name_is_asked_once_however_often_it_is_there(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    before = len(standin.requests)
    text = "doi\n" + "".join(f"10.5555/D{n % 30}\n10.5555/d{n % 30}\n" for n in range(100))
    job = run(make_job(text, proxy), proxy, rows_in_chunk=150)
    records = [target for target in standin.requests[before:] if "/api/handles/" in target]
    assert len(records) == 30
    assert job.duplicates == 170


@pytest.mark.parametrize("seed", range(6))
def test_the_first_is_the_smallest_line_whoever_was_checked_first(proxy: DoiProxy, seed: int) -> None:
    choose = random.Random(seed)
    names = [f"10.5555/{choose.choice('aAbBcd')}{choose.randrange(2)}" for _ in range(32)] + ["nothing"] * 3
    choose.shuffle(names)
    job = make_job("doi\n" + "".join(f"{name}\n" for name in names), proxy)
    chunks = list(import_rows.read_into_rows(job.pk, rows_in_chunk=7))
    choose.shuffle(chunks)
    for chunk in chunks:
        assert check_chunk(chunk, proxy=proxy)
        assert_each_agrees_with_the_first_that_was_checked(job)


def test_four_workers_agree_on_the_first(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/w{n % 37}\n" for n in range(800)), proxy)
    chunks = list(import_rows.read_into_rows(job.pk, rows_in_chunk=40))[::-1]

    def work(chunk_id: int) -> None:
        try:
            check_chunk(chunk_id, proxy=proxy)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(work, chunks))
    job.refresh_from_db()
    assert (job.state, job.duplicates) == ("finished", 800 - 37)
    assert_each_agrees_with_the_first_that_was_checked(job)


def test_a_row_that_is_asked_again_is_counted_once(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/error-a\n10.5555/one\n10.5555/error-a\n10.5555/error-A\n", proxy), proxy)
    assert (agreeing(job), job.duplicates) == ([None, None, 1, 1], 2)
    retry.retry_job(job, proxy=proxy, now=NOW)
    assert (agreeing(job), job.duplicates) == ([None, None, 1, 1], 2)
    for chunk in undone(job):
        check_chunk(chunk, proxy=proxy)
    job.refresh_from_db()
    assert (agreeing(job), job.duplicates, job.done) == ([None, None, 1, 1], 2, 4)


def test_names_with_the_same_fingerprint_are_told_apart(proxy: DoiProxy) -> None:
    job = make_job("doi\n10.5555/a\n10.5555/b\n10.5555/c\n10.5555/a\n", proxy)
    first, second = import_rows.read_into_rows(job.pk, rows_in_chunk=2)
    check_chunk(first, proxy=proxy)
    Row.objects.filter(job=job, line=2).update(fingerprint=duplicates.compute_fingerprint("10.5555/c"))
    check_chunk(second, proxy=proxy)
    assert agreeing(job) == [None, None, None, 1]


@pytest.mark.parametrize("length", [2_000, 9_000])
def test_a_name_of_any_length_can_be_told_again(proxy: DoiProxy, length: int) -> None:
    shuffled = random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=length)  # what does not compress
    name = "10.5555/" + "".join(shuffled)
    job = run(make_job(f"doi\n{name}\n10.5555/one\n{name.upper()}\n", proxy), proxy)
    assert agreeing(job) == [None, None, 1]


def test_the_queries_do_not_grow_with_the_rows(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/q{n}\n" for n in range(400)), proxy)
    list(import_rows.read_into_rows(job.pk))

    def queries(lines: range) -> int:
        rows = list(Row.objects.filter(job=job, line__in=lines))
        for row in rows:
            row.doi = row.key = f"10.5555/q{row.line % 100}"
        with CaptureQueriesContext(connection) as captured:
            duplicates.mark_duplicates(job, rows)
        for row in rows:
            row.save()
        return len(captured)

    assert queries(range(301, 303)) == 2
    assert queries(range(303, 325)) == 2
    assert queries(range(1, 3)) == 4  # earlier lines of names that are there: the later ones move
    assert queries(range(3, 25)) == 4


def test_a_row_that_another_worker_made_a_duplicate_meanwhile_is_counted_once(
    proxy: DoiProxy, nowhere: DoiProxy
) -> None:
    names = [f"10.5555/r{number}" for number in range(1, 41)]
    names[2] = names[31] = "10.5555/same"
    job = make_job("doi\n" + "\n".join(names) + "\n", nowhere)
    first, second = import_rows.read_into_rows(job.pk, rows_in_chunk=20)
    check_chunk(second, proxy=nowhere)  # line 32 could not be asked, line 3 never was
    lifecycle.cancel_job(job, now=NOW)
    retry.retry_job(job, proxy=proxy, now=NOW)
    calls = 0

    def clock() -> datetime:
        nonlocal calls
        calls += 1
        if calls == 3:  # this worker has loaded line 32 by now, and the other one checks line 3
            check_chunk(first, proxy=proxy)
        return NOW

    check_chunk(second, proxy=proxy, clock=clock)
    job.refresh_from_db()
    agreeing = list(Row.objects.filter(job=job, same_as__isnull=False).values_list("line", "same_as"))
    assert (job.duplicates, agreeing) == (1, [(32, 3)])


def test_rows_are_the_same_by_what_they_come_to_and_not_by_what_was_cut(proxy_at: Callable[..., DoiProxy]) -> None:
    texts = [
        "DOI: 10.1016/j. cels.2017.11.014.",
        "doi: 10.1016/j. wneu.2019.08.190.",
        "10.1016/j.cels.2017.11.014",
        "10.1016/j. cels. 2017.11.014",
        "10.1016/j. none.2017.11.014",
        "10.1016/j. nine.2017.11.014",
        "10.60001/none",
        "10.60001/NONE",
    ]
    with sample_proxy_where({"10.1016/j.cels.2017.11.014", "10.1016/j.wneu.2019.08.190"}) as server:
        job = run(make_job(as_csv(texts), proxy_at(server.url), column="doi"), proxy_at(server.url))
    assert agreeing(job) == [None, None, 1, 1, None, None, None, 7]
    assert job.duplicates == 3


def test_a_row_that_stands_for_another_name_now_leaves_the_old_one_to_the_next(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/a\n10.5555/a\n10.5555/b\n10.5555/a\n", proxy), proxy)
    assert agreeing(job) == [None, 1, None, 1]
    row = Row.objects.get(job=job, line=1)
    row.doi = row.key = "10.5555/b"
    job.duplicates += duplicates.mark_duplicates(job, [row])
    row.save()
    assert (agreeing(job), job.duplicates) == ([None, None, 1, 2], 2)
