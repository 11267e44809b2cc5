"""The report of a list on one page: what it says, and what it costs."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from doi_reading import CATALOGUE
from resolver.models import Job
from resolver.services.reviews.decisions import Decider, decide_row
from resolver.web.reports.printable_report import MOST_PROBLEMS, build_report_context
from tests.web.conftest import Look, html_of, run, text_of


@pytest.fixture
def job(upload: Look) -> Job:
    upload("DOI\n10.1000/182\n10.5555/missing\nnothing\n10.5555/error-1\n")
    return run(Job.objects.get())


def test_a_report_says_what_was_checked_where_and_with_what_result(job: Job, visitor: Client) -> None:
    said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
    assert "1 of 4 rows is ready to import. 2 aren’t." in said
    assert "4 of 4 rows checked" in said
    assert job.filename in said
    assert job.proxy in said
    assert "No DOI found" in said
    assert "We didn’t check whether the landing page opens." in said


def test_each_task_with_rows_has_a_line_with_its_number(job: Job, visitor: Client) -> None:
    said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
    for line in (
        "Go back to the source (1 not registered · 1 without a DOI) 2 (50%)",
        "Couldn’t be checked 1 (25%)",
        "Ready to import 1 (25%)",
    ):
        assert line in said
    assert "Need your decision" not in said


def test_decisions_change_the_report(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.5555/one and 10.5555/two\n")
    job = run(Job.objects.get())
    assert "Need your decision" in text_of(visitor.get(f"/jobs/{job.pk}/report"))
    decide_row(job, 1, "rejected", by=Decider("ada", timezone.now()))
    said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
    assert "Need your decision" not in said
    assert "Go back to the source (1 rejected) 1 (100%)" in said
    assert "1 row was decided by a person." in said


def test_a_list_that_is_being_checked_has_no_report_yet(job: Job, visitor: Client) -> None:
    Job.objects.update(state="checking")
    refused = visitor.get(f"/jobs/{job.pk}/report")
    assert refused.status_code == 409
    assert "We’re still checking this list." in text_of(refused)


def test_a_visitor_gets_the_report_only_if_the_list_is_shared(job: Job, visitor: Client, stranger: Client) -> None:
    assert stranger.get(f"/jobs/{job.pk}/report").status_code == 404
    visitor.post(f"/jobs/{job.pk}/share")
    stranger.get(f"/shared/{Job.objects.get().share_token}")
    assert stranger.get(f"/jobs/{job.pk}/report").status_code == 200


def test_a_report_of_sample_data_says_so(job: Job, visitor: Client) -> None:
    for sample in (True, False):
        Job.objects.update(sample=sample)
        said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
        assert ("these results come from the sample proxy" in said) is sample


def test_a_quick_check_claims_no_more_than_it_asked(job: Job, visitor: Client) -> None:
    Job.objects.update(quick=True)
    said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
    assert "This quick check doesn’t find missing web addresses or deleted DOIs." in said
    assert "landing page" not in said


def test_ten_problems_are_shown_and_the_others_are_counted() -> None:
    counts = {"outcome": {"invalid": 50}, "problem": dict.fromkeys(list(CATALOGUE)[:13], 5), "ra": {}}
    context: Any = build_report_context(Job(total=50, done=50, counts=counts))
    assert len(context["problems"]) == MOST_PROBLEMS
    assert context["other_problems"] == 3


def test_a_list_that_was_stopped_says_how_many_rows_were_not_checked(job: Job, visitor: Client) -> None:
    Job.objects.update(state="cancelled", total=1000)
    said = text_of(visitor.get(f"/jobs/{job.pk}/report"))
    assert "4 of 1,000 rows checked" in said
    assert "Not checked 997 (more than 99%)" in said


def test_a_million_rows_take_as_many_queries_as_one(job: Job, visitor: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert visitor.get(f"/jobs/{job.pk}/report").status_code == 200
        return len(captured)

    few = queries()
    many = {
        "outcome": {"resolved": 999_999, "invalid": 1},
        "problem": dict.fromkeys(CATALOGUE, 9),
        "ra": {f"Agency {number}": 5_000 for number in range(200)},
    }
    Job.objects.update(total=1_000_000, done=1_000_000, counts=many)
    assert queries() == few <= 3


def test_names_in_a_report_are_text(job: Job, visitor: Client) -> None:
    Job.objects.update(name="<script>alert(1)</script>" + "x" * 300, filename="<b>\u202e.csv")
    page = html_of(visitor.get(f"/jobs/{job.pk}/report"))
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "x" * 121 not in page
