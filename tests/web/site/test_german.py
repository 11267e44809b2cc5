"""On a German page numbers and dates are a German reader's, and addresses and lengths of bars a program's."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation

from doi_reading import Message
from resolver.domain.report.change import Change
from resolver.models import Job, Lookup, Row, State
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.sheets.errors import UnreadableFile
from resolver.web.comparisons.page_context import build_headline
from resolver.web.wording.label_filters import column_label
from tests.web.conftest import Look, html_of, newest, run, text_of

ROWS = 1200


@pytest.fixture
def visitor() -> Client:
    return Client(HTTP_ACCEPT_LANGUAGE="de")


@pytest.fixture
def long(upload: Look) -> Job:
    """A list with places, and counts, of four digits: one row in three is not to be found."""
    upload("DOI\n10.5555/a\n10.5555/missing\nnothing\n")
    job = run(Job.objects.get())
    row = Row.objects.get(job=job, line=2)
    Row.objects.bulk_create(
        Row(job=job, line=line, input=row.input, doi=row.doi, outcome=row.outcome) for line in range(4, ROWS + 1)
    )
    counts = {"outcome": {"resolved": 1, "not-found": ROWS - 2, "invalid": 1}, "problem": {"no-doi": 1}, "ra": {}}
    Job.objects.filter(pk=job.pk).update(total=ROWS, done=ROWS, counts=counts)
    return job


def test_pages_of_a_long_list_lead_on_by_numbers_without_separators(long: Job, visitor: Client):
    page = visitor.get(f"/jobs/{long.pk}/rows", {"after": 1100})
    markup = html_of(page)
    assert {"after=1140", "before=1101"} <= set(re.findall(r"(?:after|before)=[^\"&]+", markup))
    assert f'href="/jobs/{long.pk}/rows/1101"' in markup
    assert not re.search(r"""(?:href|action|value|id|for)="[^"]*\d\.\d{3}\b""", markup)
    assert "1.200" in text_of(page)


def test_bars_have_lengths_that_a_browser_reads(long: Job, visitor: Client):
    page = visitor.get(f"/jobs/{long.pk}")
    rects = "".join(re.findall(r"<rect[^>]*>", html_of(page)))
    lengths = re.findall(r' (?:x|width|height)="([^"]+)"', rects)
    assert len(lengths) > 3
    assert not [length for length in lengths if not re.fullmatch(r"[0-9]+(\.[0-9]+)?%?", length)]
    assert "1.199 nicht." in text_of(page)


def test_a_day_is_written_as_germans_write_it_and_as_programs_read_it(look: Look, visitor: Client):
    look("10.1000/182")
    Lookup.objects.update(created_at=datetime(2026, 3, 1, 9, 5, tzinfo=UTC))
    page = visitor.get("/history")
    assert "01.03.2026, 09:05" in text_of(page)
    assert 'datetime="2026-03-01T09:05:00+00:00"' in html_of(page)


def test_what_is_stored_stays_english_whoever_asks(look: Look):
    page = look("10.1000/182.")
    assert "Der Name endet" in text_of(page)
    assert newest().problems[0]["message"].startswith("The name ends in")


def test_why_a_row_could_not_be_asked_for_is_told_in_german(upload: Look, visitor: Client):
    upload("DOI\n10.5555/error\n")
    job = run(Job.objects.get())
    assert "Prüfung nicht möglich: Antwortcode 2" in text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))
    assert "Couldn't check: response code 2" in job.rows.get().messages


def test_a_sentence_that_an_earlier_version_stored_is_shown_as_it_was(upload: Look, visitor: Client):
    upload("DOI\n10.5555/error\n")
    job = run(Job.objects.get())
    Row.objects.update(messages="Could not ask: it was raining.")
    assert "Could not ask: it was raining." in text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))


def test_the_line_that_fails_a_list_is_told_in_german(upload: Look, visitor: Client):
    upload("DOI\n10.1000/182\n")
    reason = UnreadableFile(Message("There is a NUL character. Remove it, or export the table again."), 1200)
    Job.objects.update(state=State.FAILED, error=str(reason))
    job = Job.objects.get()
    assert job.error.startswith("Line 1200: There is a NUL character.")
    assert "Zeile 1200: Hier steht ein NUL-Zeichen." in text_of(visitor.get(f"/jobs/{job.pk}"))


def test_a_refused_file_is_refused_in_german(visitor: Client):
    page = visitor.post("/jobs/new", {"file": SimpleUploadedFile("list.pdf", b"%PDF-1.7\n")})
    assert (page.status_code, "Das ist ein PDF-Dokument." in text_of(page)) == (422, True)


def test_who_has_to_wait_is_told_so_in_german(visitor: Client, settings: Any):
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after this one
    proxy_from_settings().budget.pause(40)
    page = visitor.post("/lookups", {"text": "10.1000/182"})
    assert page.status_code == 503
    assert "In Ihrem Verlauf wurde nichts gespeichert." in text_of(page)


def test_numbers_in_sentences_have_a_readers_separators():
    with translation.override("de"):
        assert build_headline({Change.BROKEN: 1200}, by_line=True).text == "1.200 Zeilen sind neu defekt"


@pytest.mark.parametrize(
    ("name", "shown"), [("column 12", "Spalte 12"), ("column x", "column x"), ("column 01", "column 01")]
)
def test_a_column_without_a_name_is_counted_in_german(name: str, shown: str):
    with translation.override("de"):
        assert column_label(name) == shown
