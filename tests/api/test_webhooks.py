"""Webhooks over REST: made, listed, deleted; and what a receiver gets."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import standardwebhooks
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import Delivery, Job, Webhook
from resolver.services.webhooks.deliveries import deliver_next
from tests.api.conftest import Post, assert_problem, run
from tests.api.schema_client import SchemaClient
from tests.api.test_tokens import make_key
from tests.webhook_receiver import Receiver, receiving, say

pytestmark = pytest.mark.django_db

LIST = b"doi\n10.5555/a\n"
ADDRESS = "https://192.0.3.1/events"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as server:
        yield server


@pytest.fixture
def program(user: User) -> Client:
    """A program with a token of the account."""
    return SchemaClient(headers={"Authorization": f"Bearer {make_key(user)}"})


def make(program: Client, url: str = ADDRESS, **members: Any) -> Any:
    return program.post("/api/v1/webhooks", {"url": url, **members}, "application/json")


def test_the_secret_is_shown_once(program: Client) -> None:
    made = make(program, name="Nightly")
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    shown = program.get(made.headers["Location"]).json()
    assert shown == {name: value for name, value in made.json().items() if name != "secret"}
    assert shown["events"] == ["job.finished", "job.failed", "job.cancelled", "watch.changed"]
    assert program.get("/api/v1/webhooks").json()["results"] == [shown]


@pytest.mark.parametrize(
    "events", [{"job.failed": False}, "job.failed", [], ["job.failed", "job.none"], [["job.failed"]]]
)
def test_events_that_are_no_list_of_them_are_refused(program: Client, events: Any) -> None:
    assert list(assert_problem(make(program, events=events), 400)["errors"]) == ["events"]


def test_a_receiver_gets_the_job_and_can_verify_it(program: Client, receiver: Receiver) -> None:
    secret = make(program, receiver.url).json()["secret"]
    job = program.post("/api/v1/jobs", LIST, "text/csv").json()
    run(job["id"])
    webhook = Webhook.objects.get()
    assert deliver_next(str(webhook.pk))
    ((headers, body),) = receiver.received
    event = standardwebhooks.Webhook(secret).verify(body, headers)
    assert event["type"] == "job.finished"
    assert event["data"] == program.get(f"/api/v1/jobs/{job['id']}").json()
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(secret).verify(body.replace(b"finished", b"finishes"), headers)
    (delivery,) = program.get(f"/api/v1/webhooks/{webhook.pk}/deliveries").json()["results"]
    assert (delivery["id"], delivery["status"], delivery["attempts"]) == (headers["webhook-id"], 204, 1)
    assert delivery["delivered_at"]


def test_a_failed_delivery_says_why_and_when_it_comes_again(program: Client, receiver: Receiver) -> None:
    receiver.answer = say(500)
    make(program, receiver.url)
    job = program.post("/api/v1/jobs", LIST, "text/csv").json()
    program.post(f"/api/v1/jobs/{job['id']}/cancel")
    webhook = Webhook.objects.get()
    assert deliver_next(str(webhook.pk))
    (delivery,) = program.get(f"/api/v1/webhooks/{webhook.pk}/deliveries").json()["results"]
    assert (delivery["event"], delivery["status"], delivery["delivered_at"]) == ("job.cancelled", 500, None)
    assert "500" in delivery["error"]
    assert delivery["next_at"] > timezone.now().isoformat()


@pytest.mark.parametrize("as_body", [False, True])
def test_a_job_may_name_the_only_webhook_that_hears_of_it(program: Client, upload: Post, as_body: bool) -> None:
    chosen, other = make(program).json()["id"], make(program).json()["id"]
    if as_body:
        job = program.post(f"/api/v1/jobs?webhook={chosen}", LIST, "text/csv").json()
    else:
        job = upload(LIST, client=program, webhook=chosen).json()
    run(job["id"])
    assert [str(pk) for pk in Delivery.objects.values_list("webhook", flat=True)] == [chosen]
    assert other != chosen


def test_a_job_with_a_webhook_of_somebody_else_is_refused(program: Client, upload: Post) -> None:
    mine = make(program).json()["id"]
    stranger = SchemaClient(headers={"Authorization": f"Bearer {make_key(User.objects.create_user('eve'))}"})
    nobodys = "1b70c640-d26d-4de1-8a5c-f14836c6c08c"
    for caller, webhook in ((stranger, mine), (SchemaClient(), mine), (program, nobodys)):
        refused = caller.post(f"/api/v1/jobs?webhook={webhook}", LIST, "text/csv")
        assert "webhook" in assert_problem(refused, 400)["errors"]
    assert not Job.objects.exists()


def test_a_webhook_hears_only_what_it_wants(program: Client) -> None:
    make(program, events=["job.failed"])
    run(program.post("/api/v1/jobs", LIST, "text/csv").json()["id"])
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "url"),
        ({"url": "https://localhost/x"}, "url"),
        ({"url": "https://127.0.0.1/x"}, "url"),
        ({"url": "https://[::1]/x"}, "url"),
        ({"url": "ftp://192.0.3.1/x"}, "url"),
        ({"url": "no URL"}, "url"),
        ({"url": 5}, "url"),
        ({"url": ADDRESS, "events": []}, "events"),
        ({"url": ADDRESS, "events": ["webhook.test"]}, "events"),
        ({"url": ADDRESS, "events": "job.finished"}, "events"),
        ({"url": ADDRESS, "name": "x" * 101}, "name"),
        ({"url": ADDRESS, "name": 0}, "name"),
        ({"url": ADDRESS, "secret": "whsec_mine"}, "secret"),
    ],
)
def test_a_wrong_member_is_refused(program: Client, body: dict[str, Any], field: str) -> None:
    refused = program.post("/api/v1/webhooks", json.dumps(body), "application/json")
    assert field in assert_problem(refused, 400)["errors"]
    assert not Webhook.objects.exists()


def test_an_account_has_a_bounded_number(program: Client) -> None:
    for _ in range(20):
        assert make(program).status_code == 201
    assert assert_problem(make(program), 409)["type"] == "/problems/too-many-webhooks"


def test_without_an_account_there_are_none(api: Client) -> None:
    assert api.get("/api/v1/webhooks").json()["results"] == []
    assert_problem(make(api), 401)


def test_a_deleted_webhook_is_gone_with_its_deliveries(program: Client) -> None:
    address = make(program).headers["Location"]
    run(program.post("/api/v1/jobs", LIST, "text/csv").json()["id"])
    assert Delivery.objects.exists()
    assert program.delete(address).status_code == 204
    assert_problem(program.get(address), 404)
    assert not Delivery.objects.exists()


def test_a_repeated_request_makes_one_webhook_and_shows_its_secret_again(program: Client) -> None:
    key = {"Idempotency-Key": "k"}
    first, again = (
        program.post("/api/v1/webhooks", {"url": ADDRESS}, "application/json", headers=key) for _ in range(2)
    )
    assert first.json() == again.json()
    assert Webhook.objects.count() == 1


def test_a_job_cannot_name_a_webhook_that_is_switched_off(program: Client) -> None:
    made = program.post("/api/v1/webhooks", json.dumps({"url": ADDRESS}), "application/json").json()
    Webhook.objects.update(disabled_at=timezone.now())
    refused = program.post(f"/api/v1/jobs?webhook={made['id']}", b"10.5555/a\n", "text/csv")
    assert "webhook" in assert_problem(refused, 400)["errors"]
