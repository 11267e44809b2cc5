"""kill -9 between the end of a job and the delivery of its event: the webhook still gets it, with the same id."""

import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from standardwebhooks.webhooks import Webhook as Verifier

from resolver.models import Delivery, Job
from resolver.services.accounts.owners import get_user_owner
from resolver.services.webhooks.registration import create_webhook
from tests.faults.conftest import upload, wait_until, worker
from tests.portal_processes import kill_group
from tests.webhook_receiver import receiving, say

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

IMPATIENT = "tests.faults.impatient"
WITHIN = 90  # seconds


def test_an_event_survives_a_worker_that_is_killed_over_it(
    environment: dict[str, str], settings: Any, tmp_path: Path
) -> None:
    settings.WEBHOOK_ALLOW_PRIVATE = True
    environment["WEBHOOK_ALLOW_PRIVATE"] = "1"
    ada = User.objects.create_user("ada")
    released = threading.Event()

    def hang(request: BaseHTTPRequestHandler) -> None:
        released.wait(WITHIN)
        request.close_connection = True

    with receiving() as receiver:
        receiver.answer = hang
        secret = create_webhook(ada, receiver.url, portal="https://portal.example/", now=timezone.now()).secret
        job = upload("doi\n10.5555/a\n", environment, owner=get_user_owner(ada))
        first, second = tmp_path / "first.log", tmp_path / "second.log"
        with worker(environment, first, app=IMPATIENT) as process:
            wait_until(lambda: bool(receiver.received), WITHIN, process, first)
            kill_group(process)
        assert Job.objects.get(pk=job.pk).state == "finished"
        assert Delivery.objects.get().delivered_at is None
        receiver.answer = say(204)
        released.set()
        with worker(environment, second, app=IMPATIENT) as process:
            wait_until(lambda: Delivery.objects.get().delivered_at is not None, WITHIN, process, second)
    assert len(receiver.received) >= 2
    assert {headers["webhook-id"] for headers, _ in receiver.received} == {Delivery.objects.get().message_id}
    for headers, body in receiver.received:
        told = Verifier(secret).verify(body, {name.lower(): value for name, value in headers.items()})
        assert (told["type"], told["data"]["id"]) == ("job.finished", str(job.pk))
