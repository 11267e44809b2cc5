"""A list checked again: the same file, read in the same way, asked afresh."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from resolver.models import Job, Row, no_precheck
from resolver.services.comparisons import reruns
from resolver.services.jobs import import_rows, lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.turns import precheck
from resolver.services.turns.check import check_chunks
from resolver.services.uploads import stored_uploads
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run
from tests.services.records_that_change import AFTER, BEFORE, LIST, records

pytestmark = pytest.mark.django_db(transaction=True)
LATER = NOW + timedelta(days=1)


@pytest.fixture
def changing(tmp_path: Path) -> Iterator[SampleProxyServer]:
    with SampleProxyServer(records(tmp_path, BEFORE)) as server:
        yield server


def test_another_run_has_the_file_layout_column_and_name_of_the_first_and_asks_anew(proxy: DoiProxy) -> None:
    first = run(make_job("a,b\n1,10.1000/182\n", proxy, column="b", quick=True, name="Spring", note="n"), proxy)
    second = reruns.create_rerun(first, proxy=proxy, now=LATER)
    same = ("owner", "filename", "name", "note", "digest", "layout", "header", "column", "quick", "requested_column")
    assert all(getattr(first, name) == getattr(second, name) for name in same)
    assert (
        stored_uploads.get_upload_path(first.upload).read_bytes()
        == stored_uploads.get_upload_path(second.upload).read_bytes()
    )
    assert (second.rerun_of, second.fresh_since, second.state) == (first, LATER, "queued")
    run(second, proxy)
    third = reruns.create_rerun(second, proxy=proxy, now=LATER + timedelta(days=1))
    assert third.rerun_of == first
    assert set(reruns.find_other_runs(second)) == {first, third}


def test_what_was_stored_for_the_first_run_is_no_truth_for_the_second(
    changing: SampleProxyServer, proxy_at: Callable[..., DoiProxy], tmp_path: Path
) -> None:
    proxy = proxy_at(changing.url)
    first = run(make_job(LIST, proxy), proxy)
    changing.know(records(tmp_path, AFTER))
    later = Row.objects.latest("checked_at").checked_at + timedelta(microseconds=1)
    second = reruns.create_rerun(first, proxy=proxy, now=later)
    Job.objects.filter(pk=second.pk).update(prechecking=True, precheck=no_precheck())
    chunks = list(import_rows.read_into_rows(second.pk))
    precheck.precheck_chunks(second.pk, proxy=proxy)
    prechecked = Job.objects.get(pk=second.pk).precheck
    assert (prechecked["exist"], prechecked["ra"]) == (4, {"Crossref": 3, "DataCite": 1})
    check_chunks(chunks, proxy=proxy)
    outcomes = [list(Row.objects.filter(job=job).values_list("outcome", flat=True)) for job in (first, second)]
    assert outcomes[0][:2] == ["resolved", "not-found"]
    assert outcomes[1][:2] == ["not-found", "resolved"]
    assert list(Row.objects.filter(job=second, line=3).values_list("urls", flat=True)) == [["https://new.example/3"]]


def test_a_second_click_makes_no_second_run(proxy: DoiProxy) -> None:
    first = run(make_job("10.1000/182\n", proxy), proxy)
    second = reruns.create_rerun(first, proxy=proxy, now=LATER)
    with pytest.raises(lifecycle.JobStillRunning) as running:
        reruns.create_rerun(first, proxy=proxy, now=LATER)
    assert running.value.job == second
    assert Job.objects.count() == 2


def test_a_file_that_is_gone_cannot_be_checked_again(proxy: DoiProxy) -> None:
    first = run(make_job("10.1000/182\n", proxy), proxy)
    stored_uploads.delete_upload(first.upload)
    with pytest.raises(stored_uploads.FileIsGone):
        reruns.create_rerun(first, proxy=proxy, now=LATER)
    assert Job.objects.count() == 1


def test_the_same_file_uploaded_twice_is_a_run_too_but_nobody_elses_is(proxy: DoiProxy) -> None:
    first = make_job("10.1000/182\n", proxy)
    again, other = make_job("10.1000/182\n", proxy), make_job("10.1000/183\n", proxy)
    make_job("10.1000/182\n", proxy, owner="user:2")
    assert list(reruns.find_other_runs(first)) == [again]
    Job.objects.filter(pk=other.pk).update(state="finished")
    assert reruns.find_other_lists(first, 10) == [other]
    again.delete()
    assert list(reruns.find_other_runs(first)) == []


def test_rows_are_matched_by_line_only_where_the_file_is_read_in_the_same_way(proxy: DoiProxy) -> None:
    text = "a,b\n10.1/a,10.1/b\n"
    first, same = make_job(text, proxy), make_job(text, proxy)
    column, other = make_job(text, proxy, column="b"), make_job("a\n10.1/a\n", proxy)
    assert reruns.are_of_one_file(first, same)
    assert not reruns.are_of_one_file(first, column)
    assert not reruns.are_of_one_file(first, other)


def test_a_bibliographic_file_is_read_in_the_same_way_only_with_the_same_fields(proxy: DoiProxy) -> None:
    text = "TY  - JOUR\nUR  - https://doi.org/10.1000/182\nDO  - 10.1000/182\nER  - \n"
    first = run(make_job(text, proxy), proxy)
    again = reruns.create_rerun(first, proxy=proxy, now=LATER)
    fewer = make_job(text, proxy)
    fewer.layout = {**fewer.layout, "fields": ["DO"]}
    assert (again.layout, again.total) == (first.layout, 2)
    assert reruns.are_of_one_file(first, again)
    assert not reruns.are_of_one_file(first, fewer)


def test_the_run_to_compare_with_is_the_one_before_else_the_one_after(proxy: DoiProxy) -> None:
    made = [make_job("10.1000/182\n", proxy) for _ in range(4)]
    for days, job in enumerate(made):
        Job.objects.filter(pk=job.pk).update(created_at=NOW + timedelta(days=days), state="finished")
    first, second, third, last = Job.objects.order_by("created_at")
    assert reruns.choose_run_to_compare(reruns.find_other_runs(third), third) == second
    assert reruns.choose_run_to_compare(reruns.find_other_runs(first), first) == second
    Job.objects.filter(pk=third.pk).update(state="checking")
    assert reruns.choose_run_to_compare(reruns.find_other_runs(last), last) == second


def test_the_run_on_whose_page_check_again_was_chosen_comes_first(proxy: DoiProxy) -> None:
    first = run(make_job("10.1000/182\n", proxy), proxy)
    watched = run(reruns.create_rerun(first, proxy=proxy, now=LATER, background_key="w", quick=True), proxy)
    again = run(reruns.create_rerun(first, proxy=proxy, now=LATER + timedelta(minutes=1)), proxy)
    assert (watched.checked_from, again.checked_from) == (None, first.pk)

    def choose(job: Job) -> Job | None:
        return reruns.choose_run_to_compare(reruns.find_other_runs(job), job)

    assert choose(again) == first
    assert choose(first) == again, "the run that was started there, not the watch's"
    assert choose(watched) == first, "the only one before it"
    third = run(reruns.create_rerun(again, proxy=proxy, now=LATER + timedelta(minutes=2)), proxy)
    next_watched = run(
        reruns.create_rerun(first, proxy=proxy, now=LATER + timedelta(days=1), background_key="x"), proxy
    )
    assert choose(third) == again
    assert choose(next_watched) == watched, "the run of a watch is compared with the one before of it"
    first.delete()
    again.refresh_from_db()
    assert choose(again) in (watched, third), "a run that is gone can't be compared"


def test_no_key_that_somebody_sends_can_stand_for_another_run(proxy: DoiProxy) -> None:
    first = run(make_job("10.1000/182\n", proxy), proxy)
    foreign = run(make_job("10.1000/777\n", proxy, idempotency_key=f"again after {first.pk}"), proxy)
    assert reruns.create_rerun(first, proxy=proxy, now=LATER) != foreign


def test_what_was_accepted_once_may_be_larger_than_what_is_accepted_now(proxy: DoiProxy, settings: Any) -> None:
    first = run(make_job("10.1000/182\n", proxy), proxy)
    settings.MAX_UPLOAD_BYTES = 1
    assert reruns.create_rerun(first, proxy=proxy, now=LATER).digest == first.digest
