"""Rows with the same DOI on the pages of a list."""

from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, run, text_of


def test_the_list_counts_them_and_leads_to_them(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n10.1000/1\nhttps://doi.org/10.1000/182\n")
    job = run(Job.objects.get())
    page = visitor.get(f"/jobs/{job.pk}")
    assert "1 row repeats a DOI" in text_of(page)
    assert f'href="/jobs/{job.pk}/rows?duplicates=1"' in html_of(page)
    page = visitor.get(f"/jobs/{job.pk}/rows?duplicates=1")
    assert [row.line for row in page.context["page"].items] == [3]
    assert "same DOI as row 2" in text_of(page)
    assert "Same DOI as an earlier row ✕ (remove this filter)" in text_of(page)
    assert "Same DOI as in row 2." in text_of(visitor.get(f"/jobs/{job.pk}/rows/3"))
    assert "same DOI" not in text_of(visitor.get(f"/jobs/{job.pk}/rows/1"))


def test_a_list_without_any_says_nothing_of_it(upload: Look, visitor: Client):
    upload("doi\n10.1000/182\n10.1000/1\n")
    job = run(Job.objects.get())
    assert "repeat" not in text_of(visitor.get(f"/jobs/{job.pk}"))
    assert "No rows match" in text_of(visitor.get(f"/jobs/{job.pk}/rows?duplicates=1"))
