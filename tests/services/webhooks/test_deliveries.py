"""Events are delivered at least once, signed, and tried again for a day."""

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from resolver.models import Delivery, Job, Webhook
from resolver.proxy import webhook_requests
from resolver.services.accounts.owners import get_user_owner
from resolver.services.jobs import lifecycle
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.webhooks import deliveries, events
from resolver.services.webhooks.registration import create_webhook
from tests.meanwhile import another_connection
from tests.services.conftest import make_job, run
from tests.stored_list import remove_deleted_lists
from tests.webhook_receiver import Receiver, receiving, say

pytestmark = pytest.mark.django_db
LIST = "doi\n10.1000/182\n"


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    with receiving() as server:
        yield server


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password="a long enough word")


@pytest.fixture
def webhook(receiver: Receiver, ada: User) -> Webhook:
    return create_webhook(ada, receiver.url, portal="https://portal.example/", now=timezone.now())


def try_next(webhook: Webhook, later: timedelta = timedelta(0)) -> Delivery | None:
    return deliveries.deliver_next(str(webhook.pk), clock=lambda: timezone.now() + later)


def test_the_end_of_a_job_is_delivered_and_verifies(
    webhook: Webhook, receiver: Receiver, ada: User, proxy: DoiProxy
) -> None:
    job = run(make_job(LIST, proxy, owner=get_user_owner(ada)), proxy)
    assert deliveries.reserve_due(timezone.now()) == [str(webhook.pk)]
    delivery = try_next(webhook)
    assert delivery is not None
    assert (delivery.status, delivery.attempts, delivery.next_at) == (204, 1, None)
    headers, body = receiver.received[0]
    told = Verifier(webhook.secret).verify(body, {name.lower(): value for name, value in headers.items()})
    assert told["type"] == "job.finished"
    assert (told["data"]["id"], told["data"]["state"]) == (str(job.pk), "finished")
    assert told["data"]["page"] == f"https://portal.example/jobs/{job.pk}"
    assert try_next(webhook) is None


def test_a_cancelled_job_and_a_failed_one_have_events_of_their_own(
    webhook: Webhook, ada: User, proxy: DoiProxy
) -> None:
    owner = get_user_owner(ada)
    lifecycle.cancel_job(make_job(LIST, proxy, owner=owner), now=timezone.now())
    broken = make_job("a,doi\n1,10.1000/182\n", proxy, owner=owner)
    lifecycle.stored_uploads.delete_upload(broken.upload)
    assert run(broken, proxy).state == "failed"
    told = Delivery.objects.order_by("created_at").values_list("event", flat=True)
    assert list(told) == ["job.cancelled", "job.failed"]


def test_only_the_webhook_of_the_job_its_events_and_its_account_are_told(
    webhook: Webhook, receiver: Receiver, ada: User, proxy: DoiProxy
) -> None:
    def make(account: User, *wanted: str) -> Webhook:
        return create_webhook(
            account, receiver.url, portal="https://p.example", now=timezone.now(), events=wanted or ("job.cancelled",)
        )

    other, _deaf = make(ada), make(ada, "job.failed")
    make(User.objects.create_user("bob", password="a long enough word"))
    for only in (None, other.pk):
        job = make_job(LIST, proxy, owner=get_user_owner(ada), only_webhook=only)
        lifecycle.cancel_job(job, now=timezone.now())
    told = Delivery.objects.order_by("created_at").values_list("webhook", flat=True)
    assert sorted(map(str, told)) == sorted(map(str, [webhook.pk, other.pk, other.pk]))


def test_a_failed_attempt_is_repeated_seven_times_in_a_day_with_the_same_id(
    webhook: Webhook, receiver: Receiver
) -> None:
    events.record_test(webhook, timezone.now())
    receiver.answer = say(500)
    later, pauses = timedelta(0), []
    while True:
        now = timezone.now() + later
        delivery = deliveries.deliver_next(str(webhook.pk), clock=lambda now=now: now)
        assert delivery is not None
        if delivery.next_at is None:
            break
        pauses.append((delivery.next_at - now).total_seconds() / 60)
        assert try_next(webhook, later) is None
        later += delivery.next_at - now + timedelta(seconds=1)
    assert pauses == [1, 4, 25, 90, 360, 960]
    assert len({headers["webhook-id"] for headers, _ in receiver.received}) == 1
    assert len({headers["webhook-timestamp"] for headers, _ in receiver.received}) == len(receiver.received) == 7
    assert Delivery.objects.get().error == "the receiver answered with HTTP 500"


def test_410_disables_the_webhook(webhook: Webhook, receiver: Receiver, ada: User, proxy: DoiProxy) -> None:
    for _ in range(2):
        events.record_test(webhook, timezone.now())
    receiver.answer = say(410)
    try_next(webhook)
    webhook.refresh_from_db()
    assert webhook.disabled_at is not None
    assert not Delivery.objects.filter(next_at__isnull=False).exists()
    lifecycle.cancel_job(make_job(LIST, proxy, owner=get_user_owner(ada)), now=timezone.now())
    assert Delivery.objects.count() == 2


def test_a_redirect_is_a_failure_and_not_followed(webhook: Webhook, receiver: Receiver) -> None:
    events.record_test(webhook, timezone.now())
    receiver.answer = say(302, Location=receiver.url)
    delivery = try_next(webhook)
    assert delivery is not None
    assert (delivery.status, len(receiver.received)) == (302, 1)
    assert delivery.next_at is not None


def test_an_attempt_at_a_slow_receiver_ends(
    webhook: Webhook, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for _ in range(2000):
            request.wfile.write(b"X: y\r\n")
            request.wfile.flush()
            time.sleep(0.05)

    monkeypatch.setattr(webhook_requests, "TIME_LIMIT", webhook_requests.TIME_LIMIT._replace(total=0.5))
    events.record_test(webhook, timezone.now())
    receiver.answer = drip
    began = time.monotonic()
    delivery = try_next(webhook)
    assert time.monotonic() - began < 30
    assert delivery is not None
    assert delivery.error == "the receiver didn't answer in time"


def test_a_long_answer_is_not_read(webhook: Webhook, receiver: Receiver) -> None:
    sent = []

    def pour(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        for _ in range(100):
            request.wfile.write(b"x" * 2**20)
            sent.append(1)

    events.record_test(webhook, timezone.now())
    receiver.answer = pour
    delivery = try_next(webhook)
    assert delivery is not None
    assert delivery.delivered_at is not None
    assert len(sent) < 50


def test_a_private_address_is_refused_at_the_delivery_too(webhook: Webhook, receiver: Receiver, settings: Any) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = False
    Webhook.objects.update(url=receiver.url.replace("http:", "https:"))
    events.record_test(webhook, timezone.now())
    delivery = try_next(webhook)
    assert delivery is not None
    assert delivery.error == "the server isn't on the public internet"
    assert receiver.received == []


def test_two_workers_do_not_deliver_to_one_webhook_at_once(webhook: Webhook, receiver: Receiver) -> None:
    seen = []

    def look(request: BaseHTTPRequestHandler) -> None:
        seen.append(len(receiver.received))
        say(204)(request)

    events.record_test(webhook, timezone.now())
    now = timezone.now()
    assert deliveries.HOLD.take(Webhook.objects.filter(pk=webhook.pk), now) is not None
    assert deliveries.reserve_due(now) == []
    assert try_next(webhook) is None
    receiver.answer = look
    after_its_end = timedelta(minutes=2)
    assert deliveries.reserve_due(now + after_its_end) == [str(webhook.pk)]
    assert try_next(webhook, after_its_end) is not None
    assert seen == [1]


def test_an_event_is_gone_if_the_transaction_of_the_end_fails(webhook: Webhook, ada: User, proxy: DoiProxy) -> None:
    job = make_job(LIST, proxy, owner=get_user_owner(ada))
    with transaction.atomic():
        lifecycle.cancel_job(job, now=timezone.now())
        transaction.set_rollback(True)
    assert Job.objects.get(pk=job.pk).state == "queued"
    assert not Delivery.objects.exists()


def test_old_deliveries_are_removed(webhook: Webhook) -> None:
    old = events.record_test(webhook, timezone.now() - timedelta(days=31))
    kept = events.record_test(webhook, timezone.now())
    deliveries.prune_deliveries(timezone.now())
    assert list(Delivery.objects.all()) == [kept]
    assert json.loads(old.body)["type"] == "webhook.test"


def test_a_receiver_that_never_answers_does_not_hold_up_the_others_of_its_account(
    receiver: Receiver, ada: User, webhook: Webhook
) -> None:
    """The older webhook has many events, and each comes due again; the younger one's has been due for longer."""
    younger = create_webhook(ada, receiver.url, portal="https://portal.example/", now=timezone.now())
    now = timezone.now()
    for _ in range(5):
        events.record_test(webhook, now - timedelta(minutes=1))
    events.record_test(younger, now - timedelta(minutes=2))
    assert deliveries.reserve_due(now) == [str(younger.pk)]
    assert try_next(younger) is not None
    assert deliveries.reserve_due(timezone.now()) == [str(webhook.pk)]


def test_a_webhook_that_is_switched_off_gets_nothing_more(webhook: Webhook, receiver: Receiver) -> None:
    events.record_test(webhook, timezone.now())
    Webhook.objects.filter(pk=webhook.pk).update(disabled_at=timezone.now())
    assert deliveries.reserve_due(timezone.now()) == []
    assert try_next(webhook) is None
    assert receiver.received == []


@pytest.mark.django_db(transaction=True)
def test_an_account_can_be_deleted_while_its_list_ends(webhook: Webhook, ada: User, proxy: DoiProxy) -> None:
    job = make_job(LIST, proxy, owner=get_user_owner(ada))
    with another_connection(lambda: User.objects.get(pk=ada.pk).delete()) as another:
        with transaction.atomic():  # as a worker ends a list
            Job.objects.filter(pk=job.pk).update(state="cancelled")
            another.begin()
            events.record_end(job.pk, timezone.now())
        another.get_result()
    remove_deleted_lists()
    assert not User.objects.exists()
    assert not Job.objects.exists()
    assert not Delivery.objects.exists()
