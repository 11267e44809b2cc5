"""Lookups of several texts in one request."""

from contextlib import ExitStack
from typing import Any

import pytest
from django.test import Client

from resolver.models import Lookup
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.waiting_places import BATCH_PLACES, PROXY_PLACES
from resolver.standin.server import SampleProxyServer
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db


def results(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200, response.content
    found: list[dict[str, Any]] = response.json()["results"]
    return found


def test_each_text_has_its_lookup_in_order_and_in_the_history(post: Post, api: Client) -> None:
    texts = ["10.5555/one", "nothing", "10.5555/missing", "10.5555/ONE", "https://doi.org/10.5555/b#y"]
    found = results(post("lookups", {"inputs": texts}))
    assert [(one["input"], one["status"]) for one in found] == [(text, 201) for text in texts]
    assert [one["lookup"]["outcome"] for one in found] == ["resolved", "invalid", "not-found", "resolved", "resolved"]
    assert found[0]["lookup"]["ra"] == "Crossref"
    assert all("problem" not in one for one in found)
    history = api.get("/api/v1/lookups").json()["results"]
    assert [one["input"] for one in history] == texts[::-1]
    assert api.get(f"/api/v1/lookups/{found[2]['lookup']['id']}").json() == found[2]["lookup"]


def test_several_are_looked_up_as_one_is(post: Post) -> None:
    texts = [
        "10.5555/one",
        "10.1000/182.",
        "10.5555/alias",
        "10.5555/deleted",
        "10.5555/novalues",
        "10/p54k",
        "10.5555/a and 10.5555/b",
    ]
    together = [one["lookup"] for one in results(post("lookups", {"inputs": texts}))]
    for text, one in zip(texts, together, strict=True):
        alone = post("lookups", {"input": text}).json()
        for changing in ("id", "created_at", "page", "cached", "answered_at"):
            del one[changing], alone[changing]
        assert one == alone, text


def test_a_name_that_stands_there_often_is_requested_once(post: Post, standin: SampleProxyServer) -> None:
    standin.reset()
    results(post("lookups", {"inputs": ["10.5555/often", "doi:10.5555/OFTEN", "https://doi.org/10.5555/often"] * 30}))
    assert len([target for target in standin.requests if "often" in target.lower()]) == 2  # the record, and Which RA


def test_while_all_requests_pause_known_names_have_lookups_and_the_others_an_error(post: Post) -> None:
    results(post("lookups", {"inputs": ["10.5555/known"]}))
    proxy_from_settings().budget.pause(100)
    found = results(post("lookups", {"inputs": ["10.5555/known", "10.5555/unknown", "nothing"]}))
    assert [one["status"] for one in found] == [201, 503, 201]
    assert found[1]["problem"]["type"] == "/problems/proxy-pauses"
    assert "lookup" not in found[1]
    assert set(Lookup.objects.values_list("input", flat=True)) == {"10.5555/known", "nothing"}


def test_a_request_that_the_server_runs_again_stores_nothing(post: Post) -> None:
    attempt = RequestRun()
    token = ATTEMPT.set(attempt)
    try:
        with ExitStack() as places:
            for _ in range(BATCH_PLACES):
                places.enter_context(PROXY_PLACES.keep_place(is_batch=True))
                places.enter_context(PROXY_PLACES.take_place())
            assert_problem(post("lookups", {"inputs": ["10.5555/turned-back", "nothing"]}), 503)
    finally:
        ATTEMPT.reset(token)
    assert attempt.turned_back
    assert not Lookup.objects.exists()


def test_a_text_that_is_too_long_has_its_own_error(post: Post, settings: Any) -> None:
    settings.MAX_CELL = 20
    found = results(post("lookups", {"inputs": ["10.5555/one", "10.5555/" + "x" * 20]}))
    assert [one["status"] for one in found] == [201, 400]
    assert found[1]["problem"] == post("lookups", {"input": "10.5555/" + "x" * 20}).json()
    assert Lookup.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "input"),
        ({"input": "10.1000/182", "inputs": ["10.1000/182"]}, "input"),
        ({"inputs": []}, "inputs"),
        ({"inputs": ["x"] * 101}, "inputs"),
        ({"inputs": "10.1000/182"}, "inputs"),
        ({"inputs": ["10.1000/182", 182]}, "inputs"),
        ({"inputs": {"0": "10.1000/182"}}, "inputs"),
        ({"input": "10.1000/182", "checked_within": -1}, "checked_within"),
        ({"input": "10.1000/182", "checked_within": "soon"}, "checked_within"),
        ({"input": "10.1000/182", "checked_within": 10**30}, "checked_within"),
    ],
)
def test_a_body_with_a_wrong_member_is_refused(post: Post, body: dict[str, Any], field: str) -> None:
    assert field in assert_problem(post("lookups", body), 400)["errors"]
    assert not Lookup.objects.exists()
