"""GET agencies: the Registration Agencies by the names that Which RA gives."""

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
PATH = "/api/v1/agencies"


@pytest.mark.clause("R6")
def test_each_agency_has_its_name_title_addresses_and_prefixes(api: Client) -> None:
    answer = api.get(PATH)
    assert (answer.status_code, set(answer.json())) == (200, {"next", "previous", "results"})
    assert {one["name"]: one for one in answer.json()["results"]}["Crossref"] == {
        "name": "Crossref",
        "title": "Crossref",
        "home": "https://www.crossref.org/",
        "report": "https://support.crossref.org/hc/en-us/requests/new",
        "examples": ["10.1038", "10.1109", "10.1371"],
        "name_seen": True,
    }
    assert not answer.cookies


@pytest.mark.clause("R6")
def test_names_that_were_seen_in_no_answer_say_so(api: Client) -> None:
    results = api.get(PATH).json()["results"]
    assert [one["name"] for one in results if not one["name_seen"]] == ["BSI", "HAND"]


def test_it_can_be_read_and_nothing_else(api: Client, settings: Any) -> None:
    assert api.post(PATH).status_code == 405
    settings.DOIPORTAL_OPEN = False
    assert api.get(PATH).status_code == 401
