"""A file from upload to results."""

import dataclasses
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import IntegrityError, connection

from resolver import conf
from resolver.models import Chunk, Delivery, Job, Row, State, Watch, Webhook
from resolver.services.accounts.owners import get_user_owner
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.jobs.create import NewList, create_job
from resolver.services.jobs.job_search import find_jobs
from resolver.services.lookups.report_messages import SAMPLE_DATA
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import JobChanged, iterate_results
from resolver.services.storage import batched_removal
from resolver.services.turns.check import LEAST_CHECKED_NAMES, check_chunk
from resolver.services.uploads import stored_uploads
from resolver.services.watches.runs import advance_watches
from resolver.services.webhooks.registration import EVENTS
from resolver.sheets.errors import UnreadableFile
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db(transaction=True)

TABLE = 'title,doi,note\r\n"A ""quoted""\ntitle",10.5555/one,=1+1\r\nSecond,10.5555/missing,\r\nThird,,-\r\n'


def uploaded() -> list[Path]:
    return list(conf.uploads_dir().iterdir())


@pytest.mark.clause("B2")
def test_every_row_comes_back_in_order_with_its_cells(proxy: DoiProxy) -> None:
    job = run(make_job(TABLE, proxy), proxy)
    assert (job.state, job.total, job.done, job.column) == ("finished", 3, 3, "doi")
    rows = list(iterate_results(job))
    assert [row.line for row in rows] == [1, 2, 3]
    assert [list(row.cells) for row in rows] == [
        ['A "quoted"\ntitle', "10.5555/one", "=1+1"],
        ["Second", "10.5555/missing", ""],
        ["Third", "", "-"],
    ]
    assert [row.outcome for row in rows] == ["resolved", "not-found", "invalid"]
    assert rows[0].urls == ["https://example.org/landing/one"]
    assert rows[0].ra == "Crossref"
    assert rows[0].url == "https://doi.org/10.5555/one"
    assert rows[0].proxy == proxy.base_url
    assert rows[0].checked_at is not None
    assert job.header == ["title", "doi", "note"]


def test_counts_by_outcome_problem_and_agency(proxy: DoiProxy) -> None:
    job = run(make_job(TABLE, proxy), proxy)
    assert job.counts["outcome"] == {"resolved": 1, "not-found": 1, "invalid": 1}
    assert job.counts["ra"] == {"Crossref": 1}
    assert job.counts["problem"]["empty"] == 1


def test_repeated_names_are_asked_once_and_each_row_answered(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n" + "10.5555/a\n10.5555/A\n" * 600, proxy), proxy)
    assert job.counts["outcome"] == {"resolved": 1200}
    assert Row.objects.filter(job=job).count() == 1200
    assert Row.objects.filter(job=job, doi="10.5555/A").count() == 600


def test_quick_asks_which_ra_only(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/plain\n10.5555/missing\nnothing\n", proxy, quick=True), proxy)
    rows = list(iterate_results(job))
    assert [row.outcome for row in rows] == ["registered", "not-found", "invalid"]
    assert [row.urls for row in rows] == [[], [], []]


def test_a_job_that_goes_on_at_the_sample_proxy_says_so(proxy: DoiProxy, nowhere: DoiProxy) -> None:
    job = make_job("doi\n10.5555/1\n", nowhere)
    assert (job.proxy, job.sample) == (nowhere.base_url, False)
    finished = run(job, dataclasses.replace(proxy, sample=True))
    assert (finished.proxy, finished.sample) == (proxy.base_url, True)


def test_what_a_text_may_mean_and_could_not_be_asked_is_told(nowhere: DoiProxy) -> None:
    (row,) = iterate_results(run(make_job("doi\n10.5555/a\u200bb\n", nowhere), nowhere))
    assert (row.outcome, row.suggestion) == ("invalid", "")
    assert "We couldn't check the other possible DOIs" in row.messages


def test_sample_data_say_so_in_every_row_that_somebody_was_asked_for(proxy_at: Any, proxy: DoiProxy) -> None:
    sample = proxy_at(proxy.base_url, sample=True)
    job = run(make_job("doi\nhello\n10.5555/plain\n", sample), sample)
    hello, name = iterate_results(job)
    assert job.sample
    assert (hello.proxy, SAMPLE_DATA in hello.messages) == ("", False)
    assert (name.proxy, SAMPLE_DATA in name.messages) == (proxy.base_url, True)


def test_nothing_there_gives_only_could_not_ask(nowhere: DoiProxy) -> None:
    job = run(make_job("doi\n10.5555/plain\n10.5555/missing\n10.5555/x.\n", nowhere), nowhere)
    assert job.state == "finished"
    assert job.counts["outcome"] == {"unreachable": 3}
    quick = run(make_job("doi\n10.5555/plain\n", nowhere, quick=True), nowhere)
    assert quick.counts["outcome"] == {"unreachable": 1}


def test_the_same_idempotency_key_is_the_same_job_for_one_owner(proxy: DoiProxy) -> None:
    def create(owner: str) -> tuple[Job, bool]:
        file = ContentFile(b"doi\n10.5555/a\n")
        return create_job(file, NewList(owner=owner, filename="a.csv"), proxy=proxy, now=NOW, idempotency_key="k" * 300)

    first, new = create("user:1")
    again, again_new = create("user:1")
    other, other_new = create("user:2")
    assert (new, again_new, other_new) == (True, False, True)
    assert first.pk == again.pk != other.pk
    assert len(uploaded()) == 2


def test_a_list_that_the_database_refuses_is_no_earlier_list_and_leaves_nothing(proxy: DoiProxy) -> None:
    """Not for its key: so there is no earlier one to return."""

    def fail(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('INSERT INTO "resolver_job"'):
            raise IntegrityError("violates a constraint")
        return execute(sql, *rest)

    make_job("doi\n10.5555/a\n", proxy)
    for key in ("", "k"):
        new = NewList(owner="user:1", filename="a.csv")
        with connection.execute_wrapper(fail), pytest.raises(IntegrityError):
            create_job(ContentFile(b"doi\n10.5555/b\n"), new, proxy=proxy, now=NOW, idempotency_key=key)
    assert len(uploaded()) == 1


def test_a_file_that_is_too_large_is_refused_and_leaves_nothing(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    with pytest.raises(stored_uploads.UploadTooLarge, match="limit of 10 bytes"):
        make_job("doi\n10.5555/plain\n", proxy)
    assert uploaded() == []
    assert not Job.objects.exists()


def test_a_file_that_cannot_be_read_is_refused_and_leaves_nothing(proxy: DoiProxy) -> None:
    with pytest.raises(UnreadableFile):
        make_job(b"%PDF-1.7 ...", proxy)
    assert uploaded() == []
    assert not Job.objects.exists()


def test_a_line_that_cannot_be_read_fails_the_job_and_keeps_the_rows_before_it(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "10.5555/a\n" * 700, proxy)
    with stored_uploads.get_upload_path(job.upload).open("ab") as file:
        file.write(b'"10.5555/b\n')
    chunks = list(import_rows.read_into_rows(job.pk))
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error.startswith("Line ")
    assert job.finished_at is not None
    assert job.total == Row.objects.filter(job=job).count() == 700
    assert check_chunk(chunks[0], proxy=proxy) is False
    assert [row.outcome for row in iterate_results(job)] == [""] * 700


@pytest.mark.clause("S7")
def test_a_text_past_the_bound_is_an_error_of_its_row_and_the_job_goes_on(proxy: DoiProxy, settings: Any) -> None:
    settings.MAX_CELL = 20
    job = run(make_job(f"doi\n10.5555/{'x' * 12}\n10.5555/{'x' * 13}\n10.5555/plain\n", proxy), proxy)
    assert job.state == "finished"
    rows = list(iterate_results(job))
    assert [row.outcome for row in rows] == ["resolved", "invalid", "resolved"]
    assert (rows[1].problem_codes, rows[1].doi, rows[1].suggestion) == (("too-long",), "", "")
    assert "20" in rows[1].messages


def test_an_upload_that_is_gone_fails_the_job(proxy: DoiProxy) -> None:
    job = make_job(TABLE, proxy)
    stored_uploads.delete_upload(job.upload)
    assert list(import_rows.read_into_rows(job.pk)) == []
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "The uploaded file is no longer available.")


def test_cancelling_leaves_what_was_not_asked_without_an_outcome(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(220)), proxy)
    chunks = list(import_rows.read_into_rows(job.pk, rows_in_chunk=100))
    assert check_chunk(chunks[0], proxy=proxy)
    assert lifecycle.cancel_job(job, now=NOW)
    assert not lifecycle.cancel_job(job, now=NOW)
    assert not check_chunk(chunks[1], proxy=proxy)
    outcomes = [row.outcome for row in iterate_results(job)]
    assert (outcomes.count("resolved"), outcomes.count("")) == (100, 120)
    assert (job.state, job.done, job.finished_at) == ("cancelled", 100, NOW)


def test_a_job_cancelled_while_a_chunk_is_checked_stops_between_batches(proxy: DoiProxy) -> None:
    proxy = dataclasses.replace(proxy, config=dataclasses.replace(proxy.config, rate=LEAST_CHECKED_NAMES))
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(500)), proxy)
    [chunk] = import_rows.read_into_rows(job.pk)

    calls = iter(range(10_000))

    def clock() -> datetime:
        if next(calls) == 3:  # after the first batches
            lifecycle.cancel_job(job, now=NOW)
        return NOW

    assert not check_chunk(chunk, proxy=proxy, clock=clock)
    done = Row.objects.filter(job=job).exclude(outcome="").count()
    job.refresh_from_db()
    assert 0 < done < 500
    assert (job.state, job.done) == ("cancelled", done)
    assert Chunk.objects.get(pk=chunk).claimed_until is None


def test_a_deleted_job_is_gone_with_its_rows_and_file(proxy: DoiProxy) -> None:
    job = run(make_job(TABLE, proxy), proxy)
    lifecycle.delete_job(job)
    assert not Job.objects.exists()
    assert not Row.objects.exists()
    assert not Chunk.objects.exists()
    assert uploaded() == []


def test_of_a_long_job_some_rows_are_removed_at_a_time_and_nobody_sees_half_of_it(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_removal, "ITEMS_PER_TRANSACTION", 3)
    job = run(make_job("".join(f"10.1000/{number}\n" for number in range(10)), proxy), proxy)
    seen: list[tuple[int, bool, int]] = []

    def look(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('DELETE FROM "resolver_row"'):
            seen.append((len(connection.atomic_blocks), find_jobs(job.owner).exists(), Row.objects.count()))
        return execute(sql, *rest)

    with connection.execute_wrapper(look):
        lifecycle.delete_job(job)
    assert [left for _, _, left in seen][:4] == [10, 7, 4, 1]
    assert not any(visible for _, visible, _ in seen)
    assert {blocks for blocks, _, _ in seen[:4]} == {1}, "a transaction each"
    assert not Job.objects.exists()


def test_the_deletion_of_a_running_job_tells_no_webhook_that_it_ended(proxy: DoiProxy) -> None:
    ada = User.objects.create_user("ada")
    Webhook.objects.create(account=ada, url="https://192.0.2.1/", events=list(EVENTS), secret="s", created_at=NOW)
    told, deleted = (make_job("10.1000/182\n", proxy, owner=get_user_owner(ada)) for _ in range(2))
    lifecycle.disown_job(deleted)
    for job in (told, deleted):
        run(job, proxy)
    deleted.refresh_from_db()
    assert deleted.state == State.CANCELLED
    assert [json.loads(each.body)["data"]["id"] for each in Delivery.objects.all()] == [str(told.pk)]


def test_a_download_breaks_off_where_its_job_is_being_deleted(proxy: DoiProxy) -> None:
    job = run(make_job("10.1000/1\n10.1000/2\n", proxy), proxy)
    lines = iterate_results(job)
    lifecycle.disown_job(job)
    with pytest.raises(JobChanged):
        list(lines)


def test_the_watches_of_a_job_end_as_soon_as_it_is_deleted(proxy: DoiProxy) -> None:
    job = run(make_job("10.1000/1\n", proxy), proxy)
    watched = {"owner": job.owner, "every": "day", "depth": "full", "portal": "", "language": "en"}
    Watch.objects.create(job=job, created_at=NOW, first_at=NOW, next_at=NOW, **watched)
    lifecycle.disown_job(job)
    assert list(advance_watches(NOW, proxy=proxy)) == []
    assert Job.objects.count() == 1
    lifecycle.delete_job(job)
    assert not Watch.objects.exists()


def test_a_job_deleted_while_it_is_read_stops_the_reader(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "10.5555/a\n" * 2200, proxy)
    reader = import_rows.read_into_rows(job.pk)
    first = next(reader)
    lifecycle.delete_job(job)
    assert list(reader) == []
    assert not check_chunk(first, proxy=proxy)
    assert not Row.objects.exists()


def test_two_readers_of_one_job_do_not_read_it_twice(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "10.5555/a\n" * 2200, proxy)
    first = import_rows.read_into_rows(job.pk, clock=lambda: NOW)
    next(first)
    assert list(import_rows.read_into_rows(job.pk, clock=lambda: NOW)) == []
    assert len(list(first)) == 2
    assert Row.objects.filter(job=job).count() == 2200


def test_a_reader_goes_on_where_a_dead_one_stopped(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/{n}\n" for n in range(2200)), proxy)
    dead = import_rows.read_into_rows(job.pk, clock=lambda: NOW)
    next(dead)
    later = NOW + timedelta(seconds=60)
    assert len(list(import_rows.read_into_rows(job.pk, clock=lambda: later))) == 2
    assert list(dead) == []  # it finds its claim gone
    job.refresh_from_db()
    assert job.state == State.CHECKING
    lines = Row.objects.filter(job=job).order_by("line").values_list("line", "input")
    assert list(lines) == [(n + 1, f"10.5555/{n}") for n in range(2200)]


def test_results_are_refused_while_the_job_runs(proxy: DoiProxy) -> None:
    with pytest.raises(lifecycle.JobStillRunning):
        iterate_results(make_job(TABLE, proxy))


def test_a_chunk_checked_twice_counts_once(proxy: DoiProxy) -> None:
    job = make_job(TABLE, proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    assert check_chunk(chunk, proxy=proxy)
    assert not check_chunk(chunk, proxy=proxy)
    job.refresh_from_db()
    assert (job.done, job.state) == (3, "finished")


def test_a_held_chunk_is_left_alone_until_its_claim_runs_out(proxy: DoiProxy) -> None:
    job = make_job(TABLE, proxy)
    [chunk] = import_rows.read_into_rows(job.pk)
    Chunk.objects.filter(pk=chunk).update(claim="somebody", claimed_until=NOW + timedelta(seconds=5))
    assert not check_chunk(chunk, proxy=proxy, clock=lambda: NOW)
    assert check_chunk(chunk, proxy=proxy, clock=lambda: NOW + timedelta(seconds=6))


@pytest.mark.clause("S8")
def test_nul_and_lone_surrogates_in_a_file_come_back(proxy: DoiProxy) -> None:
    job = run(make_job("doi,x\n10.5555/a,one\n10.5555/b\x1a,\x1a0000\n", proxy), proxy)
    assert [list(row.cells) for row in iterate_results(job)][1] == ["10.5555/b\x1a", "\x1a0000"]


def test_suggestions_of_rows_have_been_tried(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.1000/182.\n10.5555/missing.\n10.1000 /182\n10/p54k\n10.5555/error.\n", proxy), proxy)
    rows = list(iterate_results(job))
    assert [(row.outcome, row.suggestion) for row in rows] == [
        ("not-found", "10.1000/182"),
        ("not-found", ""),
        ("invalid", "10.1000/182"),
        ("invalid", "10.1021/JACS.5C01100"),
        ("proxy-error", ""),
    ]
    assert rows[1].prefix_ra == "Crossref"


def test_quick_and_full_agree_on_what_exists(proxy: DoiProxy) -> None:
    text = "doi\n10.1000/182\n10.1000/182.\n10.5555/novalues\n10.5555/alias\n10.5555/missing\n10/p54k\nnone\n"
    outcomes = {}
    for quick in (False, True):
        job = run(make_job(text, proxy, quick=quick), proxy)
        outcomes[quick] = [(row.outcome, row.suggestion) for row in iterate_results(job)]
    absent = {"not-found", "invalid"}
    assert [row for row in outcomes[True] if row[0] in absent] == [row for row in outcomes[False] if row[0] in absent]
    assert {row[0] for row in outcomes[True]} == {"registered", "not-found", "invalid"}
