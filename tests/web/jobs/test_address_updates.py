"""Files and texts for those who can correct the addresses of a list's DOIs."""

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job, Row
from resolver.services.results import address_updates
from tests.stored_list import StoredList
from tests.web.conftest import Look, html_of, run, store_list, text_of

LIST = """DOI,Target
10.1000/182,https://www.doi.org/other.html
10.5555/one,https://new.example/1
10.5555/two,new.example/2 x
10.5555/missing,https://new.example/3
nothing,https://new.example/4
10.5555/error-1,https://new.example/5
10.5555/ONE,https://new.example/1
10.5555/three,https://new.example/6
10.5555/three,https://new.example/7
"""
WRONG = [
    ["10.1000/182", "https://www.doi.org/other.html"],
    ["10.5555/one", "https://new.example/1"],
    ["10.5555/two", "https://new.example/2 x"],
]


@pytest.fixture(scope="module")
def stored_list(module_portal: Path) -> StoredList:
    return store_list(LIST, expected="2")


@pytest.fixture
def job(stored_list: StoredList, visitor: Client) -> Job:
    return stored_list.give_to(visitor)


def body(answer: Any) -> str:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content).decode("utf-8-sig")


def table(answer: Any) -> list[list[str]]:
    return list(csv.reader(io.StringIO(body(answer), newline="")))


def test_the_file_has_each_registered_doi_to_correct_with_its_expected_address(job: Job, visitor: Client) -> None:
    answer = visitor.get(f"/jobs/{job.pk}/address-updates.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="list-address-updates.csv"'
    assert table(answer) == [["DOI", "URL"], *WRONG]


def test_the_file_of_a_prefix_has_no_other(job: Job, visitor: Client) -> None:
    assert table(visitor.get(f"/jobs/{job.pk}/address-updates.csv?prefix=10.1000"))[1:] == WRONG[:1]
    assert table(visitor.get(f"/jobs/{job.pk}/address-updates.csv?prefix=10.100"))[1:] == []


@pytest.mark.parametrize("prefix", ["%00", "10.5555%00", "10.%ef%bc%91", "11.5", "10.5555/a"])
def test_what_is_no_prefix_has_no_file(job: Job, visitor: Client, prefix: str) -> None:
    assert visitor.get(f"/jobs/{job.pk}/address-updates.csv?prefix={prefix}").status_code == 404


def test_the_page_lists_prefixes_and_agencies_with_their_rows(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}/addresses")
    assert page.context["prefixes"] == [("10.5555", 2), ("10.1000", 1)]
    assert [(name, rows) for name, _both, rows in page.context["agencies"]] == [("Crossref", 3), ("Public", 1)]
    assert f'href="/jobs/{job.pk}/addresses"' in html_of(visitor.get(f"/jobs/{job.pk}"))


def test_the_page_says_where_the_dois_of_its_file_lead_and_which_have_no_record_to_correct(
    job: Job, visitor: Client
) -> None:
    Row.objects.filter(job=job, line=3).update(address="no-address", outcome="no-url")
    said = text_of(visitor.get(f"/jobs/{job.pk}/addresses"))
    assert "1 leads to another site · 1 leads to another page of the expected site · 1 leads nowhere." in said
    assert "1 more isn’t registered, so it is only in the texts. Download 3 DOIs as CSV" in said


def test_names_that_are_not_registered_have_texts_and_no_file(upload: Look, visitor: Client) -> None:
    upload("DOI,Target\n10.5555/missing,https://new.example/3\n", expected="2")
    said = text_of(visitor.get(f"/jobs/{run(Job.objects.latest('created_at')).pk}/addresses"))
    assert "Texts for the Registration Agencies" in said
    assert "as CSV" not in said


def test_the_page_begins_with_the_rows_that_lead_to_another_site(job: Job, visitor: Client) -> None:
    page = visitor.get(f"/jobs/{job.pk}/addresses")
    shown = [(row.number, expected.host) for row, expected, _found in page.context["rows"]]
    assert shown[:2] == [("3", "new.example"), ("4", "new.example")]
    assert f"{len(shown)} rows don’t lead where you expect." in text_of(page)
    assert "View all" not in text_of(page)
    assert "<strong>new.<wbr>example</strong>" in html_of(page)


def test_the_text_for_an_agency_says_what_was_found_and_expected(job: Job, visitor: Client) -> None:
    url = Row.objects.get(job=job, line=2).urls[0]
    page = visitor.get(f"/jobs/{job.pk}/addresses/agency?ra=Crossref")
    text = body(visitor.get(f"/jobs/{job.pk}/addresses/agency.txt?ra=Crossref"))
    assert page.context["text"].text == text
    assert f"10.5555/one\n  Found: {url}\n  Expected: https://new.example/1\n" in text
    assert "Please register them:\n\n10.5555/missing\n  Expected: https://new.example/3\n" in text
    assert "10.1000/182" not in text
    assert "https://support.crossref.org/hc/en-us/requests/new" in text_of(page)


def test_a_long_text_says_how_many_it_lists(job: Job, visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address_updates, "MOST_DOIS_IN_TEXT", 2)
    text = body(visitor.get(f"/jobs/{job.pk}/addresses/agency.txt?ra=Crossref"))
    assert text.endswith("\n\nThis text lists 2 of 3 DOIs.\n")


def test_an_address_of_a_stranger_adds_no_lines_to_the_text(job: Job, visitor: Client) -> None:
    Row.objects.filter(job=job, line=2).update(urls=["https://x.example/\n10.5555/forged\u202e"])
    assert "\n10.5555/forged" not in body(visitor.get(f"/jobs/{job.pk}/addresses/agency.txt?ra=Crossref"))


def test_rows_with_a_suggestion_or_a_contradiction_are_left_out_and_counted(job: Job, visitor: Client) -> None:
    Row.objects.filter(job=job, line=4).update(suggestion="10.5555/other")
    page = visitor.get(f"/jobs/{job.pk}/addresses")
    assert page.context["prefixes"] == [("10.5555", 2), ("10.1000", 1)]
    assert "1 DOI is left out, because your list has different expected web addresses for it." in text_of(page)
    assert "1 row is left out, because its DOI is probably mistyped." in text_of(page)
    assert table(visitor.get(f"/jobs/{job.pk}/address-updates.csv"))[1:] == WRONG


def test_an_expected_address_that_is_found_contradicts_another(upload: Look, visitor: Client) -> None:
    upload("DOI,Target\n10.1000/182,http://www.doi.org/hb.html\n10.1000/182,https://new.example/\n", expected="2")
    job = run(Job.objects.latest("created_at"))
    assert set(Row.objects.filter(job=job).values_list("address", flat=True)) == {"same", "other-host"}
    assert table(visitor.get(f"/jobs/{job.pk}/address-updates.csv"))[1:] == []


def test_the_address_of_an_alias_is_corrected_once_at_its_main_doi(job: Job, visitor: Client) -> None:
    Row.objects.filter(job=job, line=3).update(alias_of="10.5555/one", cells=["10.5555/two", "https://new.example/1"])
    assert table(visitor.get(f"/jobs/{job.pk}/address-updates.csv"))[1:] == WRONG[:2]
    assert visitor.get(f"/jobs/{job.pk}/addresses").context["prefixes"] == [("10.5555", 1), ("10.1000", 1)]


def test_the_text_has_the_day_of_the_oldest_answer(job: Job, visitor: Client) -> None:
    Row.objects.filter(job=job, line=4).update(answered_at=datetime(2026, 1, 2, tzinfo=UTC))
    assert "Checked on 2026-01-02 (UTC)" in body(visitor.get(f"/jobs/{job.pk}/addresses/agency.txt?ra=Crossref"))
    assert "2026-01-02" not in body(visitor.get(f"/jobs/{job.pk}/addresses/agency.txt?ra=Public"))


def test_an_agency_without_rows_has_no_text(job: Job, visitor: Client) -> None:
    assert visitor.get(f"/jobs/{job.pk}/addresses/agency?ra=DataCite").status_code == 404
    assert visitor.get(f"/jobs/{job.pk}/addresses/agency.txt").status_code == 404


@pytest.mark.parametrize("end", ["addresses", "address-updates.csv", "addresses/agency?ra=Crossref"])
def test_a_list_without_expected_addresses_says_so(upload: Look, visitor: Client, end: str) -> None:
    upload(LIST)
    answer = visitor.get(f"/jobs/{run(Job.objects.latest('created_at')).pk}/{end}")
    assert answer.status_code == 409
    assert "no column with expected web addresses" in text_of(answer)


def test_files_wait_for_the_end(upload: Look, visitor: Client) -> None:
    upload(LIST, expected="2")
    assert visitor.get(f"/jobs/{Job.objects.latest('created_at').pk}/address-updates.csv").status_code == 409
