"""Requests that ask about too many DOIs in a minute."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import Lookup
from tests.api.conftest import Post, assert_problem, run
from tests.api.test_tokens import bearing, make_key

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _limit(settings: Any) -> None:
    settings.API_DOIS_PER_MINUTE = 5


def test_lookups_say_what_is_left_and_then_when_to_try_again(post: Post) -> None:
    first = post("lookups", {"input": "10.5555/one"})
    assert first.headers["RateLimit-Policy"] == '"dois";q=5;w=60'
    assert first.headers["RateLimit"].startswith('"dois";r=4;t=')
    assert post("lookups", {"inputs": ["10.5555/one"] * 4}).headers["RateLimit"].startswith('"dois";r=0;t=')
    refused = post("lookups", {"input": "10.5555/one"})
    assert "5 DOIs a minute, and 0 are left" in assert_problem(refused, 429)["detail"]
    assert refused.json()["type"] == "/problems/too-many-dois"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit"].startswith('"dois";r=0;t=')
    assert Lookup.objects.count() == 5


def test_more_than_a_minute_allows_is_told_and_not_to_be_tried_again(post: Post) -> None:
    refused = post("lookups", {"inputs": ["10.5555/one"] * 6})
    assert "5 DOIs a minute" in assert_problem(refused, 400)["errors"]["inputs"][0]
    assert "Retry-After" not in refused.headers


def test_each_token_each_account_and_each_address_has_its_own_count(post: Post, user: User, other: Client) -> None:
    keys = [make_key(user), make_key(user)]
    other.force_login(user)
    token = other.get("/").cookies.get("csrftoken") or other.cookies.get("csrftoken")
    callers: list[dict[str, Any]] = [
        {"headers": bearing(keys[0])},
        {"headers": bearing(keys[1])},
        {"client": other, "headers": {"X-CSRFToken": token.value if token else ""}},
        {"REMOTE_ADDR": "192.0.2.1"},
        {"REMOTE_ADDR": "2001:db8:1:2::1"},
    ]
    for caller in callers:
        left = post("lookups", {"inputs": ["10.5555/one"] * 5}, **caller)
        assert left.headers["RateLimit"].startswith('"dois";r=0;'), caller
    assert_problem(post("lookups", {"input": "10.5555/one"}, headers=bearing(keys[0])), 429)
    assert_problem(post("lookups", {"input": "10.5555/one"}, REMOTE_ADDR="2001:db8:1:2:ffff::9"), 429)


def test_metadata_counts_and_inspections_and_lists_do_not(post: Post, api: Client, upload: Callable[..., Any]) -> None:
    lookup = post("lookups", {"input": "10.5555/one"}).json()
    described = api.get(f"/api/v1/lookups/{lookup['id']}/metadata")
    assert described.headers["RateLimit"].startswith('"dois";r=3;')
    for free in (post("inspections", {"inputs": ["10.5555/one"] * 100}), upload("doi\n" + "10.5555/a\n" * 100)):
        assert free.status_code in (200, 202)
        assert "RateLimit" not in free.headers
    assert post("lookups", {"input": "10.5555/one"}).headers["RateLimit"].startswith('"dois";r=2;')


def test_without_a_limit_no_header_promises_one(post: Post, settings: Any) -> None:
    settings.API_DOIS_PER_MINUTE = 0
    assert "RateLimit" not in post("lookups", {"inputs": ["10.5555/one"] * 100}).headers


def test_a_doi_that_a_decision_enters_counts(post: Post, api: Client, upload: Callable[..., Any]) -> None:
    job = upload("doi\n10.5555/a\n").json()["id"]
    run(job)
    sent = json.dumps({"decision": "edited", "doi": "10.1000/182"})
    decided = api.patch(f"/api/v1/jobs/{job}/rows/1", sent, content_type="application/json")
    assert (decided.status_code, decided.headers["RateLimit"].split(";t")[0]) == (200, '"dois";r=4')
