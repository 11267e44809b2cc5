"""What a list of retractions says, on the page of a lookup and on that of a row."""

from pathlib import Path

import pytest
from django.test import Client

from resolver.models import Job, Row
from resolver.services.retractions.load import load_retractions
from tests.retraction_list import SAMPLE, build_list, event
from tests.services.conftest import NOW
from tests.web.conftest import Look, html_of, newest, run, text_of

SENTENCE = (
    "This work was retracted on 2018-09-20, as listed by Retraction Watch on 2026-03-01. The DOI itself is right. "
    "Listed: Retraction, 2018-09-20 (reasons: Duplication of Image, notice: https://doi.org/10.5555/notice-4); "
    "Expression of concern, 2018-02-01"
)


@pytest.fixture(autouse=True)
def _list(tmp_path: Path) -> None:
    hostile = event("10.5555/hostile", Reason="+<script>alert(1)</script>;+=HYPERLINK(1);", RetractionDOI="10.5555/<b>")
    others = [event("10.5555/other"), event("10.5555/target-e")]
    path = tmp_path / "list.csv"
    path.write_bytes(SAMPLE.read_bytes() + build_list([hostile, *others]).partition(b"\r\n")[2])
    load_retractions(str(path), now=NOW)


def test_a_lookup_names_all_events_and_links_their_notices(look: Look):
    page = look("10.5555/retracted-4")
    said = text_of(page)
    assert "Registered, but the work was retracted" in said
    assert SENTENCE in said
    assert "After publication Retraction 2018-09-20 Notice 10.5555/notice-4 Duplication of Image" in said
    assert 'href="https://doi.org/10.5555/notice-4"' in html_of(page)
    assert 'href="https://doi.org/10.5555/notice-3"' in html_of(page)


def test_a_row_says_the_same(upload: Look, visitor: Client):
    upload("DOI\n10.5555/retracted-4\n10.5555/alias-e\n10.5555/fine 10.5555/other\n")
    job = run(Job.objects.get())
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert SENTENCE in said
    assert "Read the notice, and decide whether you keep the work. Its DOI is right." in said
    alias = text_of(visitor.get(f"/jobs/{job.pk}/rows/2"))
    assert "This work was retracted on 2021-03-04" in alias
    assert "Retraction 2021-03-04 10.5555/target-e" in alias
    last = Row.objects.filter(job=job).order_by("line")[2]
    assert "The work of 10.5555/other was retracted on 2021-03-04" in text_of(
        visitor.get(f"/jobs/{job.pk}/rows/{last.line}")
    )


def test_a_retracted_row_is_reviewed_with_its_own_doi_as_the_proposal(upload: Look, visitor: Client):
    upload("DOI\n10.5555/retracted-1\n10.5555/concern-1\n")
    job = run(Job.objects.get())
    review = visitor.get(f"/jobs/{job.pk}/review")
    said = text_of(review)
    assert "Retracted work" in said
    assert "10.5555/retracted-1" in said
    assert "10.5555/concern-1" not in said


def test_what_the_list_says_is_shown_as_text(look: Look):
    page = look("10.5555/hostile")
    assert "<script>alert" not in html_of(page)
    assert "<script>alert(1)</script>, =HYPERLINK(1)" in text_of(page)
    assert 'href="https://doi.org/10.5555/%3Cb%3E"' in html_of(page)


def test_of_a_work_that_is_not_listed_nothing_is_said(look: Look):
    page = look("10.5555/fine")
    assert "After publication" not in text_of(page)
    assert "retract" not in text_of(page).lower()
    assert newest().retractions == []


def test_a_concern_is_shown_and_asks_for_no_decision(look: Look):
    said = text_of(look("10.5555/concern-1"))
    assert "This DOI works, but there is an expression of concern" in said
    assert "Use this DOI" in said
