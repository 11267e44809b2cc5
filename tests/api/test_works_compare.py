"""Comparing rows with the works of their DOIs, over REST."""

from typing import Any

import pytest
from django.test import Client

from resolver.standin.server import SampleProxyServer
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db

RECORD = {
    "title": "Carbon storage in tropical soils",
    "author": [{"family": "Miller", "given": "Anna"}],
    "issued": {"date-parts": [[2016]]},
}
ROW = {"title": "Carbon storage in tropical soils", "authors": "Miller, A.", "year": 2016}


@pytest.fixture(autouse=True)
def _service(settings: Any, standin: SampleProxyServer) -> None:
    settings.METADATA_SERVICE_URL = standin.url


def compare(post: Post, *items: Any) -> list[dict[str, Any]]:
    answer = post("works/compare", {"items": items})
    assert answer.status_code == 200, answer.content
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


def test_a_given_record_is_compared_without_a_request(post: Post, settings: Any, standin: SampleProxyServer) -> None:
    settings.METADATA = False
    standin.reset()
    other = {"title": "Birds of the coast", "authors": ["Sato, Ken", "Okafor, B."], "year": "1999"}
    same, different = compare(post, {"row": ROW, "record": RECORD}, {"row": other, "record": RECORD})
    assert (same["verdict"], same["reasons"]) == ("same", [])
    assert same["fields"][0] == {
        "name": "title",
        "row": "Carbon storage in tropical soils",
        "registered": "Carbon storage in tropical soils",
        "status": "equal",
    }
    assert (different["verdict"], different["reasons"]) == ("different", ["other-title", "other-authors", "other-year"])
    assert standin.requests == []


def test_dois_are_asked_in_one_list_of_their_agency(post: Post, standin: SampleProxyServer) -> None:
    names = [f"10.5555/compared-{number}" for number in range(5)]
    items = [{"row": {"title": f"Sample title of {name}"}, "doi": name} for name in names]
    items += [{"row": {"title": "Sample title of 10.5438/bv9z-dc66"}, "doi": "10.5438/BV9Z-dc66"}]
    assert [found["verdict"] for found in compare(post, *items)] == ["same"] * 6
    assert len([target for target in standin.requests if target.startswith("/works?")]) == 1
    standin.reset()
    assert compare(post, items[0])[0]["verdict"] == "same"
    assert standin.requests == []


def test_what_is_not_registered_or_gives_nothing_can_not_be_told(post: Post) -> None:
    found = compare(post, *({"row": ROW, "doi": name} for name in ("10.5555/missing-1", "10.5555/unknownwork-1")))
    assert [(one["verdict"], one["reasons"]) for one in found] == [("cannot-tell", ["no-metadata"])] * 2


def test_a_service_that_is_down_is_no_verdict(post: Post, settings: Any) -> None:
    settings.METADATA_SERVICE_URL, settings.DOI_PROXY_ATTEMPTS = "http://127.0.0.1:9", 1
    assert compare(post, {"row": ROW, "doi": "10.5555/compared-away"}) == [
        {"verdict": "could-not-ask", "reasons": [], "fields": []}
    ]


def test_a_portal_that_requests_no_metadata_says_so(post: Post, settings: Any) -> None:
    settings.METADATA = False
    problem = assert_problem(post("works/compare", {"items": [{"row": ROW, "doi": "10.5555/a"}]}), 400)
    assert "items" in problem["errors"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"items": []},
        {"items": [{"row": ROW}]},
        {"items": [{"row": ROW, "doi": "10.1/a", "record": RECORD}]},
        {"items": [{"row": ROW, "record": []}]},
        {"items": [{"row": {"titel": "x"}, "record": RECORD}]},
        {"items": [{"row": {"authors": {"a": 1}}, "record": RECORD}]},
        {"items": [{"row": {"year": True}, "record": RECORD}]},
        {"items": [{"row": ROW, "record": RECORD}] * 51},
    ],
)
def test_a_body_that_cannot_be_compared_is_refused(post: Post, body: Any) -> None:
    assert_problem(post("works/compare", body), 400)


def test_hostile_records_cost_little_and_break_nothing(api: Client, post: Post) -> None:
    odd = [{}, {"title": 3}, {"title": ["x"] * 9000, "author": [[]] * 9000}, {"author": "x", "relation": {"a": "b"}}]
    assert len(compare(post, *({"row": ROW, "record": record} for record in odd))) == len(odd)
