"""The daily quotas of an account: answers say what is left, and a request beyond them is refused."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import Job, Lookup
from tests.api.conftest import Post, assert_problem
from tests.api.test_tokens import bearing, make_key

pytestmark = pytest.mark.django_db
LIST = "doi\n10.1000/182\n10.1000/1\n"


def test_an_upload_says_what_is_left_and_one_that_does_not_fit_is_refused(
    upload: Post, user: User, settings: Any
) -> None:
    settings.MAX_LISTS_PER_DAY, settings.MAX_ROWS_PER_DAY = 5, 3
    headers = bearing(make_key(user))
    first = upload(LIST, headers=headers)
    assert first.status_code == 202
    assert first.headers["RateLimit-Policy"] == '"lists";q=5;w=86400, "rows";q=3;w=86400'
    assert first.headers["RateLimit"].startswith('"lists";r=4;t=')
    assert '"rows";r=1;t=' in first.headers["RateLimit"]
    refused = upload(LIST, headers=headers)
    problem = assert_problem(refused, 429)
    assert problem["type"] == "/problems/quota-used-up"
    assert "Rows of lists that you can check today: 1 of 3. This list has 2." in problem["detail"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 86_400
    assert refused.headers["RateLimit"].startswith('"lists";r=4;t=')
    assert '"rows";r=1;t=' in refused.headers["RateLimit"]
    assert Job.objects.count() == 1


def test_an_upload_that_is_longer_than_the_quota_of_a_day_is_told_that_waiting_does_not_help(
    upload: Post, user: User, settings: Any
) -> None:
    settings.MAX_ROWS_PER_DAY = 1
    refused = upload(LIST, headers=bearing(make_key(user)))
    problem = assert_problem(refused, 400)
    assert problem["errors"] == {
        "file": ["Rows of lists that you can check in a day: 1. This list has 2. Check it in parts."]
    }
    assert "Retry-After" not in refused.headers


def test_an_upload_that_was_refused_may_be_sent_again_with_its_key(upload: Post, user: User, settings: Any) -> None:
    settings.MAX_ROWS_PER_DAY = 3
    headers = {**bearing(make_key(user)), "Idempotency-Key": "spring list"}
    upload(LIST, headers=bearing(make_key(user)))
    assert_problem(upload(LIST, headers=headers), 429)
    settings.MAX_ROWS_PER_DAY = 4
    job = upload(LIST, headers=headers).json()["id"]
    assert upload(LIST, headers=headers).json()["id"] == job  # and counts once
    assert Job.objects.count() == 2


def test_each_request_of_an_account_counts_by_whatever_login_and_says_what_is_left(
    post: Post, api: Client, user: User, settings: Any
) -> None:
    settings.MAX_REQUESTS_PER_DAY = 3
    key = bearing(make_key(user))
    assert api.get("/api/v1/jobs", headers=key).headers["RateLimit"].startswith('"requests";r=2;t=')
    looked_up = post("lookups", {"input": "10.5555/one"}, headers=bearing(make_key(user)))
    assert looked_up.headers["RateLimit-Policy"] == '"requests";q=3;w=86400, "dois";q=6000;w=60'
    api.force_login(user)
    assert api.get("/api/v1/jobs").headers["RateLimit"].startswith('"requests";r=0;t=')
    refused = post("lookups", {"input": "10.5555/two"}, headers=key)
    assert "Requests that you can send in a day: 3." in assert_problem(refused, 429)["detail"]
    assert refused.headers["RateLimit"].startswith('"requests";r=0;t=')
    assert Lookup.objects.count() == 1


def test_a_caller_without_an_account_has_no_quota(api: Client, settings: Any) -> None:
    settings.MAX_REQUESTS_PER_DAY = 1
    for _ in range(2):
        assert "RateLimit" not in api.get("/api/v1/jobs").headers
