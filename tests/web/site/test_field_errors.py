"""A field with an error is described by it, for people who hear the page."""

import re

import pytest
from django.test import Client

from resolver.models import Job
from tests.web.conftest import Look, html_of, run

LONG = "x" * 1001


@pytest.mark.parametrize("address", ["/history?q={long}", "/jobs?q={long}", "/jobs/{job}/rows?q={long}"])
def test_what_describes_a_field_is_on_the_page(upload: Look, visitor: Client, address: str) -> None:
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    page = html_of(visitor.get(address.format(long=LONG, job=job.pk)))
    described = {name for names in re.findall(r'aria-describedby="([^"]+)"', page) for name in names.split()}
    assert "id_q_error" in described
    assert described <= set(re.findall(r' id="([^"]+)"', page))
