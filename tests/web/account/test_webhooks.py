"""The pages of webhooks: made, tried, deleted, and what was sent."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from doi_reading import Message
from resolver.models import Delivery, Webhook
from resolver.services.webhooks.events import record_test
from tests.web.conftest import html_of, text_of

pytestmark = pytest.mark.django_db

FORM = {"url": "https://192.0.3.1/events", "name": "Nightly", "events": ["job.finished", "job.failed"]}


@pytest.fixture
def ada() -> Client:
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    return client


def make(client: Client, **changed: Any) -> Any:
    return client.post("/webhooks", FORM | changed)


def test_the_secret_is_shown_once(ada: Client) -> None:
    page = make(ada)
    secret = Webhook.objects.get().secret
    assert secret in html_of(page)
    assert secret not in html_of(ada.get("/webhooks"))
    assert "https://192.0.3.1/events Nightly list finished, list failed" in text_of(ada.get("/webhooks"))
    assert secret not in html_of(ada.get(f"/webhooks/{Webhook.objects.get().pk}"))


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"url": ""}, "Enter the address to which events are sent."),
        ({"url": "https://localhost/x"}, "No events can be sent to this web address"),
        ({"url": "javascript:alert(1)"}, "No events can be sent to this web address"),
        ({"events": []}, "Select at least one event."),
        ({"events": ["webhook.test"]}, "valid choice"),
        ({"name": "x" * 101}, "at most 100"),
    ],
)
def test_a_form_with_a_mistake_says_it_and_makes_nothing(ada: Client, changed: dict[str, Any], sentence: str) -> None:
    page = make(ada, **changed)
    assert (page.status_code, Webhook.objects.count()) == (422, 0)
    assert sentence in text_of(page)


def test_a_test_waits_for_a_worker_and_stands_among_the_deliveries(ada: Client) -> None:
    make(ada)
    webhook = Webhook.objects.get()
    page = ada.post(f"/webhooks/{webhook.pk}/test", follow=True)
    assert "A test is on its way." in text_of(page)
    assert Delivery.objects.get().event == "webhook.test"
    assert "waiting" in text_of(page)


def test_only_a_page_with_a_waiting_delivery_offers_to_refresh_it(ada: Client) -> None:
    make(ada)
    webhook = Webhook.objects.get()
    address = f"/webhooks/{webhook.pk}"
    assert 'href="">Refresh' not in html_of(ada.get(address))
    record_test(webhook, timezone.now())
    assert 'href="">Refresh' in html_of(ada.get(address))
    Delivery.objects.update(next_at=None, delivered_at=timezone.now())
    assert 'href="">Refresh' not in html_of(ada.get(address))


def test_each_delivery_says_what_came_of_it(ada: Client) -> None:
    make(ada)
    webhook, now = Webhook.objects.get(), timezone.now()
    for columns in (
        {"delivered_at": now, "next_at": None, "attempts": 1, "status": 204},
        {"next_at": now + timedelta(minutes=5), "attempts": 2, "error": Message("no answer in time")},
        {"next_at": None, "attempts": 7, "status": 500},
    ):
        Delivery.objects.filter(pk=record_test(webhook, now).pk).update(**columns)
    said = text_of(ada.get(f"/webhooks/{webhook.pk}"))
    for words in ("✓ delivered 1 none", "… waiting no answer in time 2", "✗ given up 7 none"):
        assert words in said


def test_a_webhook_that_its_receiver_switched_off_says_so(ada: Client) -> None:
    make(ada)
    Webhook.objects.update(disabled_at=timezone.now())
    assert "✗ switched off" in text_of(ada.get("/webhooks"))
    page = ada.get(f"/webhooks/{Webhook.objects.get().pk}")
    assert "The receiver wants no more events" in text_of(page)
    assert "Send a test" not in text_of(page)


def test_a_webhook_is_deleted_after_a_question(ada: Client) -> None:
    make(ada)
    address = f"/webhooks/{Webhook.objects.get().pk}/delete"
    assert "Delete this webhook? https://192.0.3.1/events" in text_of(ada.get(address))
    assert "The webhook is deleted." in text_of(ada.post(address, follow=True))
    assert not Webhook.objects.exists()


def test_hostile_texts_stay_text(ada: Client) -> None:
    make(ada, name="<script>alert(1)</script>\u202e", url="https://192.0.3.1/<script>")
    for address in ("/webhooks", f"/webhooks/{Webhook.objects.get().pk}"):
        assert "<script>alert" not in html_of(ada.get(address))


def test_the_account_page_leads_to_the_webhooks(ada: Client) -> None:
    assert 'href="/webhooks"' in html_of(ada.get("/account"))
