"""The uploaded file again on the page of a list: the links, or why there is none."""

import pytest
from django.test import Client

from resolver.models import Draft, Job
from tests.web.conftest import run, text_of

pytestmark = pytest.mark.django_db


def test_a_pasted_list_has_no_file_and_the_page_says_so(visitor: Client) -> None:
    visitor.post("/lookups", {"text": "10.1000/182.\n10.1000/456\n"})
    visitor.post(f"/drafts/{Draft.objects.get().pk}", {})
    job = run(Job.objects.get())
    assert "You pasted this list, so there is no file." in text_of(visitor.get(f"/jobs/{job.pk}"))
    page = visitor.get(f"/jobs/{job.pk}/results.original")
    assert page.status_code == 409
    assert "You pasted this list, so there is no file." in text_of(page)
