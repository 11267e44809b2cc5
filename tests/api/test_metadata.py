"""What a DOI of a lookup stands for."""

from typing import Any

import pytest
from django.test import Client

from resolver.models import Lookup
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.api.conftest import Post, assert_problem
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import RawServer

pytestmark = pytest.mark.django_db
FIELDS = (
    "doi given reason message title first_author is_editor authors year container publisher type names_doi agency "
    "source received_at cached sample"
)


def look_up(post: Post, text: str) -> str:
    return f"/api/v1/lookups/{post('lookups', {'input': text}).json()['id']}/metadata"


def test_the_metadata_of_a_registered_doi(post: Post, api: Client) -> None:
    place = look_up(post, "10.5555/described")
    found = api.get(place).json()
    assert " ".join(found) == FIELDS
    assert found | {"first_author": "", "year": 0, "authors": 0, "source": "", "received_at": ""} == {
        "doi": "10.5555/described",
        "given": True,
        "reason": None,
        "message": None,
        "title": "Sample title of 10.5555/described",
        "first_author": "",
        "is_editor": False,
        "authors": 0,
        "year": 0,
        "container": "Journal of Sample Data",
        "publisher": "Sample Publisher",
        "type": "article-journal",
        "names_doi": "10.5555/described",
        "agency": "Crossref",
        "source": "",
        "received_at": "",
        "cached": False,
        "sample": False,
    }
    assert found["first_author"].endswith(", Ada")
    assert 1990 <= found["year"] <= 2025
    assert found["received_at"].endswith("Z")
    again = api.get(place).json()
    assert (again["cached"], again["received_at"]) == (True, found["received_at"])
    assert api.get(f"{place}?fresh=1").json()["cached"] is False


def test_that_there_is_none_is_an_answer(post: Post, api: Client) -> None:
    found = api.get(look_up(post, "10.5555/unknownwork-api"))
    assert (found.status_code, found.json()["given"], found.json()["title"]) == (200, False, None)
    assert (found.json()["reason"], found.json()["agency"]) == ("not-available", "Crossref")
    assert found.json()["message"] == "Its agency has no metadata for this DOI."


def test_the_metadata_of_the_suggestion_the_main_doi_and_other_dois(post: Post, api: Client) -> None:
    suggested = look_up(post, "10.5555/a\u200bb")
    assert api.get(f"{suggested}?doi=10.5555/AB").json()["title"] == "Sample title of 10.5555/AB"
    alias = look_up(post, "10.5555/alias-api")
    assert api.get(alias).json()["names_doi"] == "10.5555/target-api"
    assert api.get(f"{alias}?doi=10.5555/target-api").json()["given"]
    several = look_up(post, "10.5555/one-api and 10.5555/two-api")
    assert api.get(f"{several}?doi=10.5555/two-api").json()["given"]


def test_odd_metadata_comes_as_plain_text(post: Post, api: Client) -> None:
    found = api.get(look_up(post, "10.5555/oddwork-api")).json()
    assert found["title"] == "H2O & E. coli, p < 0.05 <script>alert(1)</script>"
    assert (found["first_author"], found["year"], found["container"]) == ("The Sample Consortium", 2019, None)


@pytest.mark.parametrize("text", ["10.5555/missing-api", "no name at all", "10.5555/a\u200bb"])
def test_a_doi_that_is_not_registered_stands_for_nothing(text: str, post: Post, api: Client) -> None:
    assert assert_problem(api.get(look_up(post, text)), 409)["type"] == "/problems/not-registered"


@pytest.mark.parametrize(
    ("query", "field"), [("doi=10.5555/foreign", "doi"), ("doi=", "doi"), ("fresh=maybe", "fresh"), ("x=1", "x")]
)
def test_a_doi_that_is_not_of_the_lookup_is_refused(query: str, field: str, post: Post, api: Client) -> None:
    problem = assert_problem(api.get(f"{look_up(post, '10.5555/own-api')}?{query}"), 400)
    assert list(problem["errors"]) == [field]


def test_another_callers_lookup_has_none(post: Post, other: Client) -> None:
    assert_problem(other.get(look_up(post, "10.5555/mine")), 404)


def test_a_failure_is_503_and_says_nothing_about_the_doi(post: Post, api: Client, settings: Any) -> None:
    place = look_up(post, "10.5555/failing-api")
    with RawServer(lambda request: raw.reset) as server:
        settings.DOI_PROXY_URL = server.url
        problem = assert_problem(api.get(place), 503)
    assert problem["type"] == "/problems/metadata-away"
    assert "connection" in problem["detail"]


def test_during_a_long_pause_it_says_when_to_come_again(post: Post, api: Client, settings: Any) -> None:
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after it
    place = look_up(post, "10.5555/paused-api")
    proxy_from_settings().budget.pause(40)
    response = api.get(place)
    assert assert_problem(response, 503)["type"] == "/problems/proxy-pauses"
    assert 30 <= int(response.headers["Retry-After"]) <= 40
    assert "history" not in response.json()["detail"]
    assert Lookup.objects.count() == 1
