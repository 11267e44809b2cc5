"""The table of rows: the columns that its owner chooses, its order, its search, and lists with a row for each DOI."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from resolver.services.results import row_search
from tests.web.conftest import Look, html_of, run, text_of

LIST = "id,Title,Journal,DOI\n1,Apes,Zoo,10.5555/b\n2,Bees,Field,nothing\n3,Cats,Home,10.5555/a; 10.5555/missing\n"


@pytest.fixture
def job(upload: Look) -> Job:
    upload(LIST)
    return run(Job.objects.get())


def lines(page: Any) -> list[int]:
    return [row.line for row, *_ in page.context["rows"]]


def test_the_owner_chooses_which_columns_the_table_shows(job: Job, visitor: Client, stranger: Client):
    place = f"/jobs/{job.pk}/rows"
    assert "Apes Zoo" in text_of(visitor.get(place))
    chosen = {"column": ["0", "2", "x", "9999999999999999999"], "query": "?sort=outcome"}
    answer = visitor.post(f"/jobs/{job.pk}/columns", chosen)
    assert (answer.status_code, answer["Location"]) == (302, f"{place}?sort=outcome")
    said = text_of(visitor.get(place))
    assert "10.5555/b 1 Zoo" in said
    assert "Apes" not in said
    assert stranger.post(f"/jobs/{job.pk}/columns", {"column": "1"}).status_code == 404


def test_the_way_back_after_a_choice_stays_within_the_portal(job: Job, visitor: Client):
    answer = visitor.post(f"/jobs/{job.pk}/columns", {"query": "//evil.example"})
    assert answer["Location"] == f"/jobs/{job.pk}/rows"


def test_the_headings_sort_the_rows_both_ways(job: Job, visitor: Client):
    place = f"/jobs/{job.pk}/rows"
    page = visitor.get(f"{place}?sort=outcome")
    assert lines(page) == [2, 1, 3]
    assert '<th scope="col" aria-sort="ascending">' in html_of(page)
    assert f'href="{place}?sort=outcome&amp;order=down"' in html_of(page)
    assert lines(visitor.get(f"{place}?sort=outcome&order=down")) == [3, 1, 2]
    assert lines(visitor.get(f"{place}?sort=colour")) == [1, 2, 3]
    assert lines(visitor.get(f"{place}?sort=outcome&after=1")) == [3]


def test_the_links_that_sort_stand_above_the_table_too_for_a_phone_hides_its_head(job: Job, visitor: Client):
    page = html_of(visitor.get(f"/jobs/{job.pk}/rows?sort=agency&q=10.5555"))
    above = page[page.index('<nav class="sorts') : page.index('<table class="cards')]
    place = f"/jobs/{job.pk}/rows?q=10.5555"
    assert re.findall(r'href="([^"]*)"', above.replace("&amp;", "&")) == [
        place,
        f"{place}&sort=outcome",
        f"{place}&sort=agency&order=down",
        f"{place}&sort=problem",
    ]
    assert above.count('aria-current="true"') == 1


def test_a_search_that_stopped_says_so_and_goes_on(job: Job, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    assert lines(visitor.get(f"/jobs/{job.pk}/rows?q=cats")) == [3]
    monkeypatch.setattr(row_search, "_FIRST_WINDOW", 1)
    monkeypatch.setattr(row_search.TimedSearch.__init__, "__defaults__", (-1,))
    page = visitor.get(f"/jobs/{job.pk}/rows?q=cats")
    assert "No match so far. The list is long, so we stopped the search at row 2. Search on" in text_of(page)
    assert 'href="?q=cats&amp;after=1"' in html_of(page)
    answer = visitor.get(f"/api/v1/jobs/{job.pk}/rows?q=cats").json()
    assert answer["results"] == []
    for _ in range(2):
        answer = visitor.get(answer["next"]).json()
    assert [row["row"] for row in answer["results"]] == [4]


def test_rows_in_which_another_doi_is_not_registered_are_counted_and_found(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows?problem=other-not-registered")
    assert lines(page) == [3]
    assert "Second DOI not registered" in text_of(page)


def test_a_draft_is_split_if_its_box_is_ticked(upload: Look, visitor: Client):
    draft = visitor.post("/jobs/new", {"file": SimpleUploadedFile("list.csv", LIST.encode())})["Location"]
    assert "One DOI per row" in text_of(visitor.get(draft))
    visitor.post(draft, {"split": "on"})
    job = run(Job.objects.get())
    assert [(row.row, row.part) for row in job.rows.order_by("line")] == [(2, 1), (3, 1), (4, 1), (4, 2)]
    assert "Row 4.2" in text_of(visitor.get(f"/jobs/{job.pk}/rows"))
    assert "Row 4.2" in text_of(visitor.get(f"/jobs/{job.pk}/rows/4"))
    assert "row 4.2 of list.csv" in html_of(visitor.get(f"/jobs/{job.pk}/rows/4"))


def test_a_title_above_the_header_is_told_and_the_header_row_can_be_changed(visitor: Client):
    text = b"Loans of May\n\nid,DOI\n1,10.5555/a\n"
    draft = visitor.post("/jobs/new", {"file": SimpleUploadedFile("list.csv", text)})["Location"]
    page = visitor.get(draft)
    assert "The column names are in row 3. The rows above it are left out." in text_of(page)
    assert 'placeholder="detected: 3"' in html_of(page)
    assert "4 rows." in text_of(visitor.get(f"{draft}?header_row=0"))
    assert visitor.get(f"{draft}?header_row=2").status_code == 422
    assert visitor.get(f"{draft}?header_row=1001").status_code == 422
    visitor.post(draft, {"header_row": "3"})
    assert Job.objects.get().header == ["id", "DOI"]


def test_a_column_that_would_be_empty_for_all_rows_is_not_there(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.5555/good\nnothing\n")
    job = run(Job.objects.get())
    for query, columns in (("?outcome=resolved", {"Agency"}), ("?outcome=invalid", {"What to do"})):
        page = html_of(visitor.get(f"/jobs/{job.pk}/rows{query}"))
        shown = set(re.findall(r'<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]+)', page))
        assert shown & {"Agency", "What to do"} == columns
