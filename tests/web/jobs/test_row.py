"""One row of a list has the same page as a lookup: verdict, what to do next, suggestion, problems, forms to copy."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from resolver.models import Job, Row
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import Look, html_of, newest, run, text_of

CELLS = [
    "10.5555/a\u200bb",
    "https://doi.org/10.5555/good#x",
    "10.5555/alias-r",
    "10.5555/unsafe-r",
    "10.5555/html-r",
    "",
]


@pytest.fixture
def job(upload: Look) -> Job:
    upload("n,DOI\n" + "".join(f"{n},{cell}\n" for n, cell in enumerate(CELLS)))
    return run(Job.objects.get())


def test_the_suggestion_says_what_was_changed_and_why(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows/1")
    said = text_of(page)
    assert "Use this DOI 10.5555/ab We removed an invisible character (zero width space)." in said
    assert 'data-copy="10.5555/ab" aria-label="Copy DOI"' in html_of(page)


def test_a_link_at_fault_is_answered_with_the_right_one_to_copy(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows/2")
    said = text_of(page)
    assert "Row 3: This link is cut short, and we found the whole DOI" in said
    assert "A browser drops “#x”, which belongs to the DOI." in said


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (3, "the record of the main DOI (10.5555/target-r). Store the main DOI instead."),
        (4, "We show it as text, not as a link: javascript:alert(1)."),
    ],
)
def test_problems_of_the_record_are_told_with_their_details(job: Job, visitor: Client, line: int, sentence: str):
    page = visitor.get(f"/jobs/{job.pk}/rows/{line}")
    assert sentence in text_of(page)
    assert 'href="javascript:' not in html_of(page)


def test_a_row_that_could_not_be_asked_can_be_looked_up_and_leads_to_its_list(job: Job, visitor: Client):
    page = visitor.get(f"/jobs/{job.pk}/rows/5")
    fresh = '<input type="hidden" name="fresh" value="1">'
    assert f'name="text" value="10.5555/html-r">{fresh}<button>Check again' in html_of(page)
    assert re.search(rf'href="/jobs/{job.pk}">Go to the list', html_of(page))


@pytest.mark.clause("P8")
def test_what_a_person_checks_again_is_asked_past_all_stores(visitor: Client, standin: SampleProxyServer):
    def ask(address: str, **form: str) -> list[str]:
        before = len(standin.requests)
        visitor.post(address, form)
        return [target for target in standin.requests[before:] if "/handles/" in target]

    assert ask("/lookups", text="10.5555/re-check") == ["/api/handles/10.5555/re-check"]
    assert ask("/lookups", text="10.5555/re-check") == []
    anew = ["/api/handles/10.5555/re-check?auth=true"]
    assert ask("/lookups", text="10.5555/re-check", fresh="1") == anew
    assert ask(f"/lookups/{newest().pk}/again") == anew


def test_an_empty_row_says_so(job: Job, visitor: Client):
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/6"))
    assert "There’s nothing in this cell" in said
    assert "If the work has a DOI, enter it." in said


def test_a_row_that_was_not_asked_yet_waits(job: Job, visitor: Client):
    Row.objects.filter(job=job, line=1).update(outcome="", suggestion="", problem_codes=(), checked_at=None, proxy="")
    said = text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert "Row 2: Not checked yet" in said
    assert "we haven’t checked this row yet" in said
    assert "When we checked" not in said


@pytest.mark.parametrize("name", ["Title", "dc.title", "Titre", "Título", "ARTICLE_TITLE", "Название", "标题", "शीर्षक"])
def test_a_registered_row_with_a_title_is_not_said_to_be_right(upload: Look, visitor: Client, name: str):
    upload(f"{name},DOI\nA work,10.5555/good\n,10.5555/fine\n")
    job = run(Job.objects.get())
    titled, untitled = (text_of(visitor.get(f"/jobs/{job.pk}/rows/{line}")) for line in (1, 2))
    assert "We didn’t compare it with your title." in titled
    assert "your title" not in untitled
    assert [advice for _row, advice, *_ in visitor.get(f"/jobs/{job.pk}/rows").context["rows"]] == [None, None]


@pytest.mark.parametrize("name", ["Journal title", "Title ID", "Subtitle", "n"])
def test_a_column_of_another_name_has_no_titles(upload: Look, visitor: Client, name: str):
    upload(f"{name},DOI\nA work,10.5555/good\n")
    assert "your title" not in text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}/rows/1"))


def test_a_reference_with_a_title_is_not_said_to_be_right(upload: Look, visitor: Client):
    upload("TY  - JOUR\nTI  - A work\nDO  - 10.5555/good\nER  - \n", "list.ris")
    said = text_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}/rows/1"))
    assert "We didn’t compare it with your title." in said


def enter(visitor: Client, job: Job, line: int, doi: str, query: str = "") -> HttpResponse:
    page = html_of(visitor.get(f"/jobs/{job.pk}/rows/{line}{query}"))
    form = page.partition(f'action="/jobs/{job.pk}/review/{line}"')[2].partition("</form>")[0]
    sent = dict(re.findall(r'<input type="hidden" name="(row|back|seen|proposal)" value="([^"]*)"', form))
    return visitor.post(f"/jobs/{job.pk}/review/{line}", {**sent, "doi": doi, "decision": "accepted"})


def test_the_doi_that_a_person_found_is_entered_on_the_page_of_the_row(job: Job, visitor: Client) -> None:
    answer = enter(visitor, job, 6, "https://doi.org/10.5555/found", "?group=empty")
    assert answer["Location"] == f"/jobs/{job.pk}/rows/6?group=empty"
    said = text_of(visitor.get(answer["Location"]))
    assert "Row 7: 10.5555/found chosen." in said
    assert "Decided on" in said
    assert "Undo this decision" in said
    assert enter(visitor, job, 6, "10.5555/better").status_code == 302
    assert Row.objects.get(job=job, line=6).decided_doi == "10.5555/better"


def test_the_registered_dois_of_a_row_are_chosen_on_its_page_and_the_decision_is_undone(
    upload: Look, visitor: Client
) -> None:
    upload("DOI\n10.5555/good; 10.5555/fine\n")
    job = run(Job.objects.get())
    page = html_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert re.findall(r'name="choice" value="([^"]*)"', page) == ["10.5555/good", "10.5555/fine", "keep", ""]
    chosen = {"row": "", "seen": "", "proposal": "10.5555/good", "choice": "10.5555/fine", "decision": "accepted"}
    said = text_of(visitor.get(visitor.post(f"/jobs/{job.pk}/review/1", chosen)["Location"]))
    assert "10.5555/fine" in said
    seen = Row.objects.get(job=job).decided_at
    assert seen is not None
    undone = visitor.post(f"/jobs/{job.pk}/review/1", {"row": "", "seen": seen.isoformat(), "decision": ""})
    assert undone["Location"] == f"/jobs/{job.pk}/rows/1"
    assert Row.objects.get(job=job).correction == "review"


def test_why_an_entered_doi_cannot_be_used_is_said_in_the_review_at_that_row(job: Job, visitor: Client) -> None:
    answer = enter(visitor, job, 6, "10.5555/missing-x")
    assert answer.status_code == 422
    [card] = [card for card in answer.context["cards"] if card.error]
    assert (card.row.line, card.entered) == (6, "10.5555/missing-x")
    assert not Row.objects.get(job=job, line=6).decision


def test_a_row_whose_doi_works_has_no_field_for_another(upload: Look, visitor: Client) -> None:
    upload("DOI\n10.5555/good\n")
    assert 'name="doi"' not in html_of(visitor.get(f"/jobs/{run(Job.objects.get()).pk}/rows/1"))


def test_where_to_go_on_after_a_doi_was_entered_is_within_the_portal(job: Job, visitor: Client) -> None:
    sent = {"row": "@evil.example/", "seen": "", "proposal": "", "doi": "10.5555/found", "decision": "accepted"}
    assert visitor.post(f"/jobs/{job.pk}/review/6", sent)["Location"] == f"/jobs/{job.pk}/rows/6"
