"""The uploaded file again on the page of a list: the links, or why there is none."""

import pytest
from django.test import Client
from django.utils import timezone

from resolver.models import Draft, Job
from resolver.services.reviews.decisions import Decider, decide_row
from tests.web.conftest import Look, run, text_of

pytestmark = pytest.mark.django_db

TABLE = "id,DOI\n1,10.1000/182.\n2,doi:10.1000/182\n3,10.5555/alias-1\n"


def download(client: Client, job: Job, query: str = "") -> str:
    return b"".join(client.get(f"/jobs/{job.pk}/results.original{query}")).decode()


def test_a_pasted_list_has_no_file_and_the_page_says_so(visitor: Client) -> None:
    visitor.post("/lookups", {"text": "10.1000/182.\n10.1000/456\n"})
    visitor.post(f"/drafts/{Draft.objects.get().pk}", {})
    job = run(Job.objects.get())
    assert "You pasted this list, so there is no file." in text_of(visitor.get(f"/jobs/{job.pk}/files"))
    page = visitor.get(f"/jobs/{job.pk}/results.original")
    assert page.status_code == 409
    assert "You pasted this list, so there is no file." in text_of(page)


def test_a_table_comes_back_with_what_was_accepted_and_with_all_safe_corrections(visitor: Client, upload: Look) -> None:
    upload(TABLE, "vendor.csv")
    job = run(Job.objects.get())
    page = text_of(visitor.get(f"/jobs/{job.pk}/files"))
    assert "Download vendor.csv with all 2 safe corrections" in page
    assert "you accepted" not in page
    assert download(visitor, job) == TABLE
    decide_row(job, 1, "accepted", by=Decider("ada", timezone.now()))
    assert "Only with the correction you accepted" in text_of(visitor.get(f"/jobs/{job.pk}/files"))
    assert download(visitor, job) == TABLE.replace("10.1000/182.", "10.1000/182")
    assert download(visitor, job, "?accept=suggested") == TABLE.replace("182.", "182").replace("doi:", "")
    assert download(visitor, job, "?columns=1").splitlines()[0] == "id,DOI,corrected_doi,correction"


def test_with_nothing_to_write_there_is_one_link_and_that_for_two_columns(visitor: Client, upload: Look) -> None:
    upload("DOI\n10.1000/182\n", "vendor.csv")
    page = visitor.get(f"/jobs/{run(Job.objects.get()).pk}/files")
    assert page.content.count(b"/results.original") == 2
    assert b"/by-hand.csv" not in page.content


def test_a_cell_that_can_not_hold_its_doi_is_told_with_its_row(visitor: Client, upload: Look) -> None:
    upload("id,DOI\n1,info:doi/10.1000/182 a\n", "vendor.csv")
    job = run(Job.objects.get())
    _, line = b"".join(visitor.get(f"/jobs/{job.pk}/by-hand.csv?accept=suggested")).decode().splitlines()
    assert line == (
        "2,,DOI,info:doi/10.1000/182 a,10.1000/182,The DOI is in a urn: or info: address. Change it by hand."
    )


def test_whoever_has_the_link_of_a_shared_list_gets_the_table_and_no_one_else(
    visitor: Client, stranger: Client, upload: Look
) -> None:
    upload(TABLE, "vendor.csv")
    job = run(Job.objects.get())
    for name in ("results.original?accept=suggested", "by-hand.csv"):
        assert stranger.get(f"/jobs/{job.pk}/{name}").status_code == 404
    visitor.post(f"/jobs/{job.pk}/share")
    job.refresh_from_db()
    stranger.get(f"/shared/{job.share_token}")
    assert download(stranger, job) == TABLE
