"""A list's name and note on its pages."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, text_of

LIST = "doi\n10.1000/182\n"


def named(upload: Look, visitor: Client, name: str, note: str = "", file: str = "list.csv") -> Job:
    upload(LIST, name=file)
    job = Job.objects.latest("created_at")
    response = visitor.post(f"/jobs/{job.pk}/describe", {"name": name, "note": note})
    assert response.status_code == 302
    job.refresh_from_db()
    return job


def test_both_are_given_before_it_starts(visitor: Client):
    taken = visitor.post("/jobs/new", {"file": SimpleUploadedFile("a.csv", LIST.encode())})
    form = {"name": "Spring", "note": "for Ada\r\nand Grace"}
    page = visitor.post(taken["Location"], form, follow=True)
    said = text_of(page)
    assert "for Ada and Grace" in said
    assert "a.csv · 1 row" in said
    assert '<h1 class="anywhere">Spring</h1>' in html_of(page)
    assert Job.objects.get().note == "for Ada\nand Grace"


def test_they_are_changed_later_and_shown_in_the_lists(upload: Look, visitor: Client):
    upload(LIST, name="a.csv")
    job = Job.objects.get()
    assert f'href="/jobs/{job.pk}/describe"' in html_of(visitor.get(f"/jobs/{job.pk}"))
    visitor.post(f"/jobs/{job.pk}/describe", {"name": "Autumn", "note": "<b>not yet</b>"})
    assert 'value="Autumn"' in html_of(visitor.get(f"/jobs/{job.pk}/describe"))
    page = visitor.get("/jobs")
    assert all(words in text_of(page) for words in ("Autumn", "a.csv", "<b>not yet</b>"))
    assert "<b>not yet" not in html_of(page)
    for address in (f"/jobs/{job.pk}/rows", f"/jobs/{job.pk}/delete"):
        assert "Autumn" in text_of(visitor.get(address))


def test_lists_are_searched_by_name_and_file(upload: Look, visitor: Client):
    named(upload, visitor, "Spring")
    named(upload, visitor, "", file="summer.csv")
    said = text_of(visitor.get("/jobs?q=SPRI"))
    assert "1 matching list, newest first" in said
    assert "summer.csv" not in said
    assert "summer.csv" in text_of(visitor.get("/jobs?q=Summer"))
    assert "No lists match this search." in text_of(visitor.get("/jobs?q=winter"))


@pytest.mark.parametrize(("field", "most"), [("name", 200), ("note", 2000)])
def test_a_text_that_is_too_long_is_refused_and_stays_to_be_shortened(
    upload: Look, visitor: Client, field: str, most: int
):
    job = named(upload, visitor, "before")
    response = visitor.post(f"/jobs/{job.pk}/describe", {"name": "x", "note": "y", field: "z" * (most + 1)})
    assert response.status_code == 422
    assert f"The limit is {most}" in text_of(response)
    assert "z" * (most + 1) in html_of(response)
    job.refresh_from_db()
    assert job.name == "before"


def test_a_line_break_counts_as_one_character(upload: Look, visitor: Client):
    job = named(upload, visitor, "x", note="\r\n".join(["y"] * 1000))
    assert len(job.note) == 1999


def test_an_odd_name_harms_nothing(upload: Look, visitor: Client):
    job = named(upload, visitor, "\u202e<script>")
    page = html_of(visitor.get(f"/jobs/{job.pk}"))
    assert "\u202e" not in page
    assert "<script>" not in page
    assert visitor.post(f"/jobs/{job.pk}/describe", {"name": "a\x00"}).status_code == 422


def test_another_persons_list_cannot_be_named(upload: Look, visitor: Client, look: Look, stranger: Client):
    job = named(upload, visitor, "mine")
    look("10.1000/1", stranger)
    assert stranger.get(f"/jobs/{job.pk}/describe").status_code == 404
    assert stranger.post(f"/jobs/{job.pk}/describe", {"name": "yours"}).status_code == 404
    assert "mine" not in text_of(stranger.get("/jobs?q=mine")).partition("newest")[2]
