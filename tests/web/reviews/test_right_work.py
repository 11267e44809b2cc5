"""A row with one DOI asks one thing, whether it is the right work: without JavaScript too."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from resolver.domain.report.correction import Correction
from resolver.models import Job, Row
from resolver.standin.server import SampleProxyServer
from tests.web.conftest import html_of, run, send_file

LIST = "doi,title,author,year\n10.5555/two,A quite different title,Nobody,1850\n"


@pytest.fixture
def job(visitor: Client, settings: Any, standin: SampleProxyServer) -> Job:
    settings.METADATA_SERVICE_URL = standin.url
    send_file(visitor, LIST, compare="on", title_column="2", author_column="3", year_column="4")
    return run(Job.objects.get())


def forms_of(page: Any) -> list[dict[str, str]]:
    """The fields of the forms of the page's only row, as they are sent by Enter in a field."""
    card = html_of(page).partition("data-review-row")[2].partition("</section>")[0]
    fields = r'name="(\w+)"\s+value="([^"]*)"'
    forms = re.findall(r"<form.*?</form>", card, re.DOTALL)
    return [dict(reversed(re.findall(fields, form))) for form in forms]


def test_it_has_two_answers_and_no_choice_of_dois(visitor: Client, job: Job) -> None:
    page = visitor.get(reverse("job-review", args=[job.pk]))
    assert 'type="radio"' not in html_of(page)
    answer, _ = forms_of(page)
    visitor.post(reverse("job-review-row", args=[job.pk, 1]), answer)
    row = Row.objects.get(job=job)
    assert (row.correction, row.decided_doi) == (Correction.ACCEPTED, "10.5555/two")


def test_another_doi_is_entered_in_a_form_of_its_own(visitor: Client, job: Job) -> None:
    _, other = forms_of(visitor.get(reverse("job-review", args=[job.pk])))
    address = reverse("job-review-row", args=[job.pk, 1])
    refused = visitor.post(address, {**other, "doi": "nothing"})
    assert refused.status_code == 422
    assert re.search(r'<details class="another"\s+open>', html_of(refused))
    visitor.post(address, {**other, "doi": "10.5555/three"})
    row = Row.objects.get(job=job)
    assert (row.correction, row.decided_doi) == (Correction.EDITED, "10.5555/three")
