"""A lookup while the portal pauses for long: told at once, and nothing stored."""

import re
from typing import Any

import pytest
from django.test import Client

from resolver.models import Lookup
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.web.conftest import Look, html_of, newest, text_of


@pytest.fixture(autouse=True)
def _budget_of_its_own(settings: Any) -> None:
    """In the data folder of the test: a pause in Redis would hold for the tests after it."""
    settings.REDIS_URL = ""


def assert_told(response: Any) -> None:
    assert response.status_code == 503
    assert 30 <= int(response["Retry-After"]) <= 40
    said = r"Checks are paused until \d\d:\d\d:\d\d UTC\. Try again then\. Nothing was stored"
    assert re.search(said, text_of(response))


def test_a_lookup_is_told_until_when_nothing_is_asked_and_leaves_nothing(visitor: Client) -> None:
    proxy_from_settings().budget.pause(40)
    response = visitor.post("/lookups", {"text": "10.5555/<later>"})
    assert_told(response)
    assert 'name="text" value="10.5555/&lt;later&gt;"' in html_of(response)
    assert not Lookup.objects.exists()


def test_asking_again_is_told_so_too_and_what_is_there_stays(visitor: Client, look: Look) -> None:
    look("10.5555/one")
    found = newest()
    proxy_from_settings().budget.pause(40)
    response = visitor.post(f"/lookups/{found.pk}/again")
    assert_told(response)
    assert f'action="/lookups/{found.pk}/again"' in html_of(response)
    assert Lookup.objects.get() == found


def test_what_needs_no_question_is_answered_as_ever(look: Look) -> None:
    look("10.5555/one")
    proxy_from_settings().budget.pause(40)
    for text in ("10.5555/one", "nothing at all"):
        assert look(text).status_code == 200
    assert Lookup.objects.count() == 3
