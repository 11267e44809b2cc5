"""Idempotency-Key: a request sent twice is done once. Over a real socket: tests/gateway_outside/test_retries.py."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver import conf
from resolver.models import Job, KeptAnswer, Lookup, Watch, Webhook
from resolver.services.http import idempotent_requests
from resolver.services.maintenance.cleanup import prune_all
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.api.conftest import Post, assert_problem, run
from tests.api.test_tokens import bearing, make_key

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n10.5555/missing\n"
KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}


def test_a_repeated_upload_gets_the_first_answer(upload: Post, api: Client) -> None:
    first, again = upload(LIST, headers=KEY), upload(LIST, headers=KEY)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert first.headers["Location"] == again.headers["Location"]
    assert (first.headers.get("Idempotent-Replayed"), again.headers.get("Idempotent-Replayed")) == (None, "true")
    assert upload(LIST).json()["id"] != first.json()["id"]
    assert len(api.get("/api/v1/jobs").json()["results"]) == 2
    assert len(list(conf.uploads_dir().iterdir())) == 2


def test_the_key_with_another_request_is_refused(upload: Post, post: Post, api: Client) -> None:
    upload(LIST, headers=KEY)
    for different in (
        upload(LIST + "x", headers=KEY),
        upload(LIST.replace("one", "two"), headers=KEY),
        upload(LIST, headers=KEY, quick="true"),
        upload(LIST, headers=KEY, column="doi"),
        upload(LIST, headers=KEY, checked_within="60"),
        upload(LIST, "other.csv", headers=KEY),
        api.post("/api/v1/jobs?filename=list.csv", LIST.encode(), "text/csv", headers=KEY),
        post("lookups", {"input": "10.5555/one"}, headers=KEY),
    ):
        assert assert_problem(different, 422)["type"] == "/problems/idempotency-key-reused"
    assert Job.objects.count() == 1


@pytest.mark.parametrize("query", ["", "?quick=1&name=Spring"])
def test_a_repeated_body_gets_the_first_answer(api: Client, query: str) -> None:
    first, again = (api.post(f"/api/v1/jobs{query}", LIST.encode(), "text/csv", headers=KEY) for _ in range(2))
    assert (first.status_code, again.json()) == (202, first.json())
    assert Job.objects.count() == 1
    assert_problem(api.post("/api/v1/jobs?quick=0", LIST.encode(), "text/csv", headers=KEY), 422)
    assert_problem(api.post(f"/api/v1/jobs{query}", LIST.encode() + b"x", "text/csv", headers=KEY), 422)


@pytest.mark.parametrize("body", [{"input": "10.5555/one"}, {"inputs": ["10.5555/one", "a lone \ud800 surrogate"]}])
def test_a_repeated_lookup_gets_the_first_answer(post: Post, body: dict[str, Any]) -> None:
    first, again = (post("lookups", body, headers=KEY) for _ in range(2))
    assert first.status_code == again.status_code
    assert first.json() == again.json()
    assert Lookup.objects.count() == len(body.get("inputs", ["one"]))


def test_a_key_is_its_owners(upload: Post, other: Client, user: User) -> None:
    ids = {upload(LIST, headers=KEY).json()["id"], upload(LIST, headers=KEY, client=other).json()["id"]}
    ids |= {upload(LIST, headers=KEY | bearing(make_key(user))).json()["id"] for _ in range(2)}  # one account
    assert len(ids) == Job.objects.count() == 3


def test_a_refused_request_leaves_its_key_to_the_corrected_one(upload: Post) -> None:
    assert_problem(upload(LIST, headers=KEY, column="nowhere"), 400)
    assert upload(LIST, headers=KEY, column="doi").status_code == 202


def test_after_an_error_of_ours_the_same_request_may_come_again_and_no_other(post: Post) -> None:
    post("lookups", {"input": "no DOI"})  # a session is stored with an answer
    proxy_from_settings().budget.pause(100)
    assert_problem(post("lookups", {"input": "10.5555/paused"}, headers=KEY), 503)
    assert_problem(post("lookups", {"input": "10.5555/other"}, headers=KEY), 422)
    assert_problem(post("lookups", {"input": "10.5555/paused"}, headers=KEY), 503)
    assert Lookup.objects.count() == 1


def test_while_the_first_is_under_way_the_second_waits_until_its_process_must_be_dead(post: Post) -> None:
    post("lookups", {"input": "10.5555/one"}, headers=KEY)
    now = timezone.now()
    KeptAnswer.objects.update(status=None, token="another process", until=now + timedelta(minutes=1))
    refused = post("lookups", {"input": "10.5555/one"}, headers=KEY)
    assert assert_problem(refused, 409)["type"] == "/problems/idempotency-key-under-way"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    KeptAnswer.objects.update(until=now - timedelta(seconds=1))
    assert post("lookups", {"input": "10.5555/one"}, headers=KEY).status_code == 201
    assert "Idempotent-Replayed" in post("lookups", {"input": "10.5555/one"}, headers=KEY).headers


@pytest.mark.parametrize("kind", ["lookup", "lookups", "watch", "webhook"])
def test_what_a_killed_process_had_stored_is_found_by_the_retry(
    post: Post, upload: Post, api: Client, user: User, settings: Any, kind: str
) -> None:
    """It was killed after it had stored the object, before it had kept the answer."""
    settings.WEBHOOK_ALLOW_PRIVATE = True
    api.defaults |= {"HTTP_AUTHORIZATION": f"Bearer {make_key(user)}"}
    path, body, model = {
        "lookup": ("lookups", {"input": "10.5555/one"}, Lookup),
        "lookups": ("lookups", {"inputs": ["10.5555/one", "a lone \ud800 surrogate", "10.5555/two"]}, Lookup),
        "watch": ("watches", {"job": str(run(upload(LIST).json()["id"]).pk), "every": "month"}, Watch),
        "webhook": ("webhooks", {"url": "http://127.0.0.1:9/"}, Webhook),
    }[kind]
    first = post(path, body, headers=KEY)
    stored = set(model.objects.values_list("pk", flat=True))
    assert (first.status_code in {200, 201}, bool(stored)) == (True, True), first.content
    KeptAnswer.objects.filter(body__gt=b"").update(status=None, until=timezone.now() - timedelta(seconds=1))
    again = post(path, body, headers=KEY)
    assert (again.status_code, again.headers.get("Idempotent-Replayed")) == (first.status_code, None)
    assert set(model.objects.values_list("pk", flat=True)) == stored
    assert again.json().get("id") == first.json().get("id")


def test_a_job_of_a_killed_process_is_found_by_the_retry(upload: Post) -> None:
    """It was killed after it had stored the job, before it had kept the answer."""
    first = upload(LIST, headers=KEY)
    KeptAnswer.objects.update(status=None, until=timezone.now() - timedelta(seconds=1))
    assert upload(LIST, headers=KEY).json()["id"] == first.json()["id"]
    assert Job.objects.count() == 1


def test_after_a_day_the_key_is_new(upload: Post) -> None:
    first = upload(LIST, headers=KEY).json()
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert upload("doi\n10.5555/other\n", headers=KEY).json()["id"] != first["id"]
    KeptAnswer.objects.update(created_at=timezone.now() - timedelta(days=1))
    prune_all(timezone.now())
    assert not KeptAnswer.objects.exists()


def test_a_key_has_a_bound(upload: Post) -> None:
    assert_problem(upload(LIST, headers={"Idempotency-Key": "k" * 256}), 400)
    assert upload(LIST, headers={"Idempotency-Key": "k" * 255}).status_code == 202


@pytest.mark.parametrize("key", ["", " "])
def test_a_key_that_is_empty_protects_nothing_and_is_refused(upload: Post, key: str) -> None:
    assert list(assert_problem(upload(LIST, headers={"Idempotency-Key": key}), 400)["errors"]) == ["Idempotency-Key"]
    assert not Job.objects.exists()


def test_a_request_that_took_too_long_takes_nothing_from_the_retry_that_took_over() -> None:
    now = timezone.now()
    first = idempotent_requests.begin_request("user:1", "key", "x" * 64, now=now)
    later = now + idempotent_requests.LEASE_COLUMNS.lasting + timedelta(seconds=1)
    second = idempotent_requests.begin_request("user:1", "key", "x" * 64, now=later)
    idempotent_requests.forget_request(first)
    idempotent_requests.free_request(first)
    idempotent_requests.keep_answer(first, status=500, location="", body=b"")
    stored = KeptAnswer.objects.get()
    assert (stored.status, stored.token) == (None, second.token)
    idempotent_requests.keep_answer(second, status=201, location="", body=b"")
    assert KeptAnswer.objects.get().status == 201
