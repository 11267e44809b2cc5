"""Checked again, and compared: the page, its filters, its file; nobody else's lists."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.formats import date_format

from resolver import tasks
from resolver.models import Comparison, Job, Row, Watch, WatchRun
from resolver.services.comparisons import compare
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW
from tests.services.records_that_change import AFTER, BEFORE, LIST, records
from tests.web.conftest import Look, html_of, run, text_of


@pytest.fixture
def changing(settings: Any, tmp_path: Path) -> Iterator[SampleProxyServer]:
    with SampleProxyServer(records(tmp_path, BEFORE)) as server:
        settings.DOI_PROXY_URL = server.url
        yield server


@pytest.fixture
def first(changing: SampleProxyServer, upload: Look) -> Job:
    upload(LIST)
    return run(Job.objects.get())


def run_again(visitor: Client, job: Job) -> Job:
    """Press the button on the page of the list, and check."""
    place = visitor.post(f"/jobs/{job.pk}/again")["Location"]
    return run(Job.objects.get(pk=place.rpartition("/")[2]))


@pytest.fixture
def second(first: Job, changing: SampleProxyServer, visitor: Client, tmp_path: Path) -> Job:
    """Made by the button."""
    changing.know(records(tmp_path, AFTER))
    response = visitor.post(f"/jobs/{first.pk}/again")
    job = Job.objects.get(rerun_of=first)
    assert response["Location"] == f"/jobs/{job.pk}"
    return run(job)


@pytest.fixture
def address(first: Job, second: Job) -> str:
    return f"/jobs/{first.pk}/compare/{second.pk}"


def test_the_page_of_the_second_run_offers_the_comparison_with_the_first(
    first: Job, second: Job, visitor: Client, address: str
) -> None:
    page = visitor.get(f"/jobs/{second.pk}/follow")
    assert "Compare with the run from" in text_of(page)
    assert f'href="/jobs/{second.pk}/compare/{first.pk}"' in html_of(page)
    assert visitor.get(f"/jobs/{second.pk}/compare/{first.pk}")["Location"] == address  # told from then to now
    assert "Another run of the list from" in text_of(visitor.get("/jobs"))


def test_the_runs_of_one_minute_differ_by_their_seconds_and_those_of_a_watch_are_named(
    first: Job, second: Job, visitor: Client
) -> None:
    third = run_again(visitor, second)
    watch = Watch.objects.create(owner=first.owner, job=first, every="day", created_at=NOW, next_at=NOW, first_at=NOW)
    WatchRun.objects.create(watch=watch, job=second, started_at=NOW)
    minute = NOW.replace(second=0, microsecond=0)
    for seconds, one in enumerate((first, second, third)):
        quick = one == second
        Job.objects.filter(pk=one.pk).update(created_at=minute + timedelta(seconds=seconds), quick=quick)
    said = text_of(visitor.get(f"/jobs/{third.pk}/follow"))
    when = date_format(minute, "DATETIME_FORMAT")
    assert f"Compare with the run from {when}:01 (quick, run of a watch)" in said
    assert f"Other runs to compare with: {when}:00 " in said
    Job.objects.filter(pk=first.pk).update(created_at=minute - timedelta(hours=1))
    assert ":01 (quick, run of a watch)" in text_of(visitor.get(f"/jobs/{third.pk}/compare/{second.pk}", follow=True))


def test_a_run_from_another_page_than_the_newest_is_compared_with_that_page(
    first: Job, second: Job, visitor: Client
) -> None:
    third = run_again(visitor, first)
    page = html_of(visitor.get(f"/jobs/{third.pk}/follow"))
    assert f'class="button" href="/jobs/{third.pk}/compare/{first.pk}"' in page
    chosen = visitor.get(f"/jobs/{third.pk}/compare")
    assert chosen["Location"] == f"/jobs/{third.pk}/compare/{first.pk}"
    assert f'href="/jobs/{third.pk}/compare"' in html_of(visitor.get("/jobs"))


def test_the_comparison_says_what_is_newly_broken_and_what_else_changed(visitor: Client, address: str) -> None:
    page = visitor.get(address)
    said = text_of(page)
    assert "<title>1 row is newly broken: list.csv" in html_of(page)
    for words in (
        "We compared two runs of the same file row by row: 7 rows",
        "Newly working",
        "Web address changed",
        "Agency changed",
    ):
        assert words in said
    assert "https://oldnew" not in said
    html = html_of(page)
    assert 'https://<u class="differs">old</u>.example/3' in html
    assert 'https://<u class="differs">new</u>.example/3' in html
    assert "Agency: DataCite" in said
    assert "10.77/stays" not in said


def test_one_kind_is_shown_alone_and_taken_away(visitor: Client, address: str) -> None:
    said = text_of(visitor.get(f"{address}?kind=newly-broken"))
    assert "10.77/breaks" in said
    assert "10.77/mended" not in said
    lines = b"".join(visitor.get(f"{address}/changes.csv?kind=newly-broken")).decode("utf-8-sig").splitlines()  # type: ignore[arg-type] # a streamed answer is iterated over
    assert lines[0].startswith("change,row_before,row_after,input,doi,outcome_before,outcome_after")
    assert lines[1].startswith("newly-broken,2,2,10.77/breaks,10.77/breaks,resolved,not-found,Crossref,,https://old")
    assert len(lines) == 2
    download = visitor.get(f"{address}/changes.csv?delimiter=;")
    assert download["Content-Disposition"] == 'attachment; filename="list-changes.csv"'
    whole = b"".join(download)  # type: ignore[arg-type] # likewise
    assert whole.count(b"\r\n") == 5
    assert b"change;row_before" in whole


def test_the_file_names_the_part_of_a_cell_where_each_doi_has_a_row(
    changing: SampleProxyServer, upload: Look, visitor: Client, tmp_path: Path
) -> None:
    stays = {"10.5555/stays": ("Crossref", "https://old.example/1")}
    changing.know(records(tmp_path, {**stays, "10.5555/moves": ("Crossref", "https://old.example/2")}))
    upload("id,DOI\n1,10.5555/stays; 10.5555/moves\n", split="on")
    before = run(Job.objects.get())
    changing.know(records(tmp_path, {**stays, "10.5555/moves": ("Crossref", "https://new.example/2")}))
    visitor.post(f"/jobs/{before.pk}/again")
    after = run(Job.objects.get(rerun_of=before))
    file = visitor.get(f"/jobs/{before.pk}/compare/{after.pk}/changes.csv")
    lines = b"".join(file).decode("utf-8-sig").splitlines()  # type: ignore[arg-type] # likewise
    assert lines[0].startswith("change,row_before,row_after,part_before,part_after,input,doi,outcome_before")
    assert lines[1].startswith("address-changed,2,2,2,2,10.5555/moves,10.5555/moves,resolved")


def test_the_page_of_a_comparison_under_way_polls_itself_until_its_end(
    first: Job, second: Job, address: str, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "SMALL_ROWS", 1)
    assert f'<div id="progress" hx-get="{address}" hx-trigger="every 3s"' in html_of(visitor.get(address))
    running = visitor.get(address, headers={"HX-Request": "true"})
    assert running["HX-Reselect"] == "#progress"
    tasks.compare(Comparison.objects.get().pk)
    ended = visitor.get(address, headers={"HX-Request": "true"})
    assert (ended["HX-Reselect"], ended["HX-Retarget"]) == ("#main > *", "#live")
    assert '<div id="announcement" hx-swap-oob="innerHTML"><p>1 row is newly broken</p></div>' in html_of(ended)
    assert "hx-" not in html_of(visitor.get(address))
    visitor.post(f"/jobs/{first.pk}/delete")
    assert visitor.get(address, headers={"HX-Request": "true"}).status_code == 286


def test_odd_kinds_and_places_are_no_fault_of_the_portal(visitor: Client, address: str) -> None:
    for query in ("kind=unchanged", "kind=%00", "kind=only-after", "after=x", "after=99999999999", "before=0"):
        assert visitor.get(f"{address}?{query}").status_code == 200


def test_a_long_list_of_changes_has_pages(first: Job, visitor: Client, upload: Look) -> None:
    upload("".join(f"10.77/{number}\n" for number in range(60)), name="other.txt")
    other = run(Job.objects.exclude(pk=first.pk).get())
    page = f"/jobs/{first.pk}/compare/{other.pk}?kind=only-after"
    said = html_of(visitor.get(page))
    assert "10.77/49" in said
    assert "10.77/50" not in said
    assert f"kind=only-after&amp;after={2 * 50 + 1}#rows" in said
    said = html_of(visitor.get(f"{page}&after={2 * 50 + 1}"))
    assert "10.77/59" in said
    assert 'rel="next"' not in said
    assert "10.77/0<" in html_of(visitor.get(f"{page}&before={2 * 51 + 1}"))


def test_nothing_that_changed_is_said_in_one_look(first: Job, visitor: Client) -> None:
    visitor.post(f"/jobs/{first.pk}/again")
    same = run(Job.objects.get(rerun_of=first))
    said = text_of(visitor.get(f"/jobs/{first.pk}/compare/{same.pk}"))
    assert "No changes" in said
    assert "All differences" not in said


def test_where_only_answers_are_missing_the_rows_are_to_be_looked_at_and_nothing_is_said_to_differ(
    visitor: Client, first: Job
) -> None:
    visitor.post(f"/jobs/{first.pk}/again")
    second = run(Job.objects.get(rerun_of=first))
    Row.objects.filter(job__in=(first, second), line=2).update(outcome="unreachable", urls=[], ra="")
    page = visitor.get(f"/jobs/{first.pk}/compare/{second.pk}")
    said = text_of(page)
    assert "Rows to review" in said
    assert "Not checked in either list." in said
    assert "All differences" not in said
    assert f'<rect width="{100 // 7}%"' in html_of(page), "of all rows"


def test_while_one_runs_there_is_nothing_to_compare_and_no_third_run(first: Job, visitor: Client) -> None:
    visitor.post(f"/jobs/{first.pk}/again")
    running = Job.objects.get(rerun_of=first)
    page = visitor.get(f"/jobs/{first.pk}/compare/{running.pk}")
    assert page.status_code == 409
    assert "We’re still checking one of these lists" in text_of(page)
    assert visitor.post(f"/jobs/{first.pk}/again")["Location"] == f"/jobs/{running.pk}"
    assert "Another run of this file is in progress" in text_of(visitor.get(f"/jobs/{first.pk}/follow"))


def test_long_lists_are_compared_by_a_worker_while_the_page_says_so(
    visitor: Client, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "SMALL_ROWS", 1)
    page = visitor.get(address)
    assert "Comparing" in text_of(page)
    assert 'role="status"' in html_of(page)
    assert 'class="button" href="">Refresh</a>' in html_of(page)
    assert visitor.get(f"{address}/changes.csv")["Location"] == address
    tasks.compare(Comparison.objects.get().pk)
    assert "1 row is newly broken" in text_of(visitor.get(address))


def test_a_list_that_was_taken_up_again_is_compared_anew(visitor: Client, address: str, second: Job) -> None:
    visitor.get(address)
    Row.objects.filter(job=second, line=5).update(outcome="not-found", urls=[])
    Job.objects.filter(pk=second.pk).update(finished_at=second.created_at)
    assert "2 rows are newly broken" in text_of(visitor.get(address))


def test_another_list_is_chosen_from_a_select(first: Job, visitor: Client, upload: Look) -> None:
    upload("10.77/breaks\n", name="other.txt")
    other = run(Job.objects.exclude(pk=first.pk).get())
    assert f'<option value="{other.pk}">other.txt' in html_of(visitor.get(f"/jobs/{first.pk}/follow"))
    page = visitor.get(f"/jobs/{first.pk}/compare?with={other.pk}", follow=True)
    assert "two lists by DOI name. 1 name is in both" in text_of(page)
    assert "Each DOI counts once, under the first change that applies." in text_of(page)
    for odd in ("", "x", str(first.pk), "%00"):
        page = visitor.get(f"/jobs/{first.pk}/compare?with={odd}", follow=True)
        assert "Choose a list to compare with." in text_of(page)


def test_nobody_elses_lists_are_checked_again_or_compared(
    first: Job, address: str, visitor: Client, stranger: Client, upload: Look
) -> None:
    upload("10.77/breaks\n", client=stranger)
    theirs = Job.objects.latest("created_at")
    assert stranger.post(f"/jobs/{first.pk}/again").status_code == 404
    for path in (address, f"{address}/changes.csv", f"/jobs/{first.pk}/compare?with={theirs.pk}"):
        assert stranger.get(path).status_code == 404
    assert stranger.get(f"/jobs/{theirs.pk}/compare/{first.pk}").status_code == 404
    assert "Choose a list" in text_of(stranger.get(f"/jobs/{theirs.pk}/compare?with={first.pk}", follow=True))
    assert visitor.get(f"/jobs/{first.pk}/compare/{first.pk}").status_code == 404


def test_another_run_beyond_the_quota_of_the_day_is_refused_with_a_sentence(
    visitor: Client, upload: Look, settings: Any
) -> None:
    visitor.force_login(User.objects.create_user("ada"))
    upload(LIST)
    job = run(Job.objects.get())
    settings.MAX_LISTS_PER_DAY = 1
    visitor.post(f"/jobs/{job.pk}/again")
    first = run(Job.objects.get(rerun_of=job))
    page = visitor.post(f"/jobs/{first.pk}/again", follow=True)
    assert "Lists that you can check in a day: 1. All are used up. Try again after midnight (UTC)." in text_of(page)
    assert Job.objects.count() == 2
