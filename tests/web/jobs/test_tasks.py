"""The files by task under *Files*, their language, and the rows of a task on a page."""

import csv
import io
from typing import Any

import pytest
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, run, text_of

LIST = "Titel,doi\nEins,10.5555/one\nZwei,10.5555/missing\nDrei,https://doi.org/10.5555/b#y\nVier,10.5555/nourl\n"
GERMAN = {"headers": {"Accept-Language": "de"}}


@pytest.fixture
def job(upload: Look) -> Job:
    upload(LIST)
    return run(Job.objects.latest("created_at"))


def show(visitor: Client, job: Job, address: str = "", **options: Any) -> str:
    return html_of(visitor.get(f"/jobs/{job.pk}{address}", **options))


def problems(visitor: Client, job: Job, **options: Any) -> list[str]:
    response: Any = visitor.get(f"/jobs/{job.pk}/results.csv?task=back", **options)
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    return [line[3] for line in csv.reader(io.StringIO(text, newline=""))]


def test_the_page_offers_a_file_for_the_source_and_one_to_decide(visitor: Client, job: Job) -> None:
    page = show(visitor, job, "/files")
    assert "For the source (2 rows)" in page
    assert "Needs your decision (1 row)" in page
    for query in ("task=back", "task=decide"):
        for form in ("csv", "xlsx", "jsonl"):
            assert f'href="/jobs/{job.pk}/results.{form}?{query}"' in page
        assert f'href="/jobs/{job.pk}/results.csv?{query}&amp;delimiter=%3B"' in show(
            visitor, job, "/files?delimiter=%3B"
        )
    assert "needs cleaning up</th>" not in page


def test_a_file_without_rows_is_not_offered(visitor: Client, upload: Look) -> None:
    upload("doi\n10.5555/one\n10.1000/182.\n")
    page = show(visitor, run(Job.objects.latest("created_at")), "/files")
    assert "All rows, with corrected DOIs" in page
    assert "For the source" not in page
    assert "your decision (" not in page


def test_the_sentences_for_the_source_are_in_the_language_of_the_reader(visitor: Client, job: Job) -> None:
    assert problems(visitor, job)[1:] == [
        "This DOI isn't registered. Please send the right one, or register it.",
        "This DOI is registered, but its record has no web address. Please add it.",
    ]
    assert problems(visitor, job, **GERMAN) == [
        "problem",
        "Diese DOI ist nicht registriert. Bitte senden Sie die richtige, oder registrieren Sie sie.",
        "Diese DOI ist registriert, aber ihr Datensatz hat keine Webadresse. Bitte ergänzen Sie sie.",
    ]


def test_the_names_of_the_files_are_german_on_a_german_page(visitor: Client, job: Job) -> None:
    page = show(visitor, job, "/files", **GERMAN)
    assert "Für die Quelle (2 Zeilen)" in page
    assert "Sie entscheiden (1 Zeile)" in page


@pytest.mark.parametrize("code", ["another-work", "odd", "%00", "BACK"])
def test_there_is_no_file_of_an_unknown_task(visitor: Client, job: Job, code: str) -> None:
    assert visitor.get(f"/jobs/{job.pk}/results.csv?task={code}").status_code == 422


def test_the_rows_of_a_task_have_a_page(visitor: Client, job: Job) -> None:
    page = show(visitor, job, "/rows?task=back")
    assert "2 of 4 rows" in page
    assert "Go back to the source" in page
    assert "10.5555/one" not in page
    assert f'href="/jobs/{job.pk}/results.csv?task=back"' in page
    assert "task=back&amp;corrected=1" not in page


def test_an_unknown_task_has_no_rows(visitor: Client, job: Job) -> None:
    page = show(visitor, job, "/rows?task=odd")
    assert "10.5555/one" not in page


def test_the_rows_of_what_was_corrected_show_the_cell_the_doi_in_its_place_and_why(
    visitor: Client, upload: Look
) -> None:
    upload("doi\n10.1000/182.\n10.5555/one\n")
    found = run(Job.objects.latest("created_at"))
    assert f'href="/jobs/{found.pk}/rows?task=corrected">See what changed</a>' in show(visitor, found)
    said = text_of(visitor.get(f"/jobs/{found.pk}/rows?task=corrected"))
    assert "In your file Now Why Row 2 10.1000/182. 10.1000/182 Punctuation at the end Suggested" in said


def test_the_download_of_what_is_ready_says_that_it_has_all_rows_and_which_nobody_has_checked(
    visitor: Client, upload: Look
) -> None:
    upload("n;doi\n1;10.1000/182.\n2;10.5555/one\n3;10.5555/missing\n")
    found = run(Job.objects.latest("created_at"))
    said = text_of(visitor.get(f"/jobs/{found.pk}"))
    assert "Ready to import. The file has all 3 rows; 2 of them are ready." in said
    assert "1 suggestion in it isn’t checked by a person. Check suggestions" in said
    assert "Only the 2 ready rows (CSV)" in said
    assert f'href="/jobs/{found.pk}/results.csv?task=ready&amp;delimiter=%3B"' in show(visitor, found)


def test_a_list_that_is_ready_as_it_is_offers_no_part_of_it(visitor: Client, upload: Look) -> None:
    upload("doi\n10.5555/one\n")
    said = text_of(visitor.get(f"/jobs/{run(Job.objects.latest('created_at')).pk}"))
    assert "Ready to import. No DOI needs correcting." in said
    assert "ready row" not in said
    assert "by a person" not in said


def test_rows_of_two_tasks_are_told_where_the_numbers_show_them(visitor: Client, upload: Look) -> None:
    said = "Some rows are in two of these groups."
    for text, overlaps in (
        ("doi\n10.5555/nourl; 10.1000/182\n", True),
        ("doi\n10.5555/nourl\n10.5555/missing\n", False),
    ):
        upload(text)
        job = run(Job.objects.latest("created_at"))
        assert (said in text_of(visitor.get(f"/jobs/{job.pk}"))) is overlaps, text
