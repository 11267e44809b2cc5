"""The tick of the preview that searches for missing DOIs."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.web.conftest import send_file, text_of

pytestmark = pytest.mark.django_db

LIST = (
    "doi,Title,Author\n10.1000/182,A handbook of DOI names,Norman\n" + ",The birds of the northern wetlands,Ardea\n" * 2
)
BIBTEX = "@article{a, title={The birds of the northern wetlands}, author={Ardea, Eva}, year=2001}\n"


def preview(visitor: Client, text: str, name: str = "list.csv") -> str:
    taken = visitor.post("/jobs/new", {"file": SimpleUploadedFile(name, text.encode())})
    return text_of(visitor.get(taken["Location"]))


def test_the_preview_names_the_hosts_the_rows_and_the_time_before_anything_is_sent(visitor: Client) -> None:
    said = preview(visitor, LIST)
    assert "We send title, author, journal and year of these rows, or the whole reference, to" in said
    assert "2 rows here have no DOI." in said
    assert "The search takes" in said


def test_of_a_long_table_the_number_is_an_estimate(visitor: Client) -> None:
    said = preview(visitor, LIST + ",One more title of some length,Ardea\n" * 147)
    assert "About 148 rows have no DOI." in said


@pytest.mark.parametrize(
    ("ticks", "searches"), [({"search": "on"}, True), ({}, False), ({"search": "on", "quick": "on"}, False)]
)
def test_a_list_searches_only_with_the_tick_and_not_in_a_quick_check(
    visitor: Client, ticks: dict[str, str], searches: bool
) -> None:
    send_file(visitor, LIST, title_column="2", **ticks)
    assert Job.objects.get().layout["search"] is searches


def test_without_the_operators_leave_there_is_no_tick(visitor: Client, settings: Any) -> None:
    settings.SEARCH = False
    assert "Search for missing DOIs" not in preview(visitor, LIST)
    assert send_file(visitor, LIST, search="on", title_column="2").status_code == 302
    assert Job.objects.get().layout["search"] is False


def test_a_bibliography_without_any_doi_is_refused_unless_it_is_searched(visitor: Client) -> None:
    refused = send_file(visitor, BIBTEX, "refs.bib")
    assert refused.status_code == 422
    assert "Tick this, and we search for them." in text_of(refused)
    fields = ["doi", "url", "ee", "note", "howpublished"]
    assert send_file(visitor, BIBTEX, "refs.bib", search="on", fields_read=fields).status_code == 302
    job = Job.objects.get()
    assert (job.layout["search"], job.layout["all_records"], job.total) == (True, True, 1)
