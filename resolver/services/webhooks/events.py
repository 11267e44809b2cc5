"""Events for webhooks, stored in the transaction that makes them true, so that no killed worker loses one."""

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from resolver.models import Delivery, Job, State, WatchRun, Webhook, WebhookEvent
from resolver.services.accounts.owners import find_account_id


class EventWriters:
    """The functions that write the bodies of events, for the address of the portal. The app sets both when it is loaded
    (resolver/apps.py), because they are in REST, which is above the services."""

    job: Callable[[Job, str], Mapping[str, Any]]
    change: Callable[[WatchRun, str], Mapping[str, Any]]


EVENT_WRITERS = EventWriters()
_OF_STATE = {
    State.FINISHED: WebhookEvent.FINISHED,
    State.FAILED: WebhookEvent.FAILED,
    State.CANCELLED: WebhookEvent.CANCELLED,
}


def record_end(job_id: uuid.UUID, now: datetime) -> None:
    """Store the end of a job for each webhook of its account with that event. Of a watch's run only changes are events.
    Call it in the transaction that ends the job."""
    job = Job.objects.get(pk=job_id)
    account = find_account_id(job.owner)
    if job.background or account is None:
        return
    event = _OF_STATE[State(job.state)]
    # Locked, so that none is deleted before its event is stored.
    found = Webhook.objects.select_for_update().filter(account_id=account, disabled_at=None)
    if job.only_webhook is not None:
        found = found.filter(pk=job.only_webhook)
    for webhook in found:
        if event in webhook.events:
            _store(webhook, event, EVENT_WRITERS.job(job, webhook.portal), now)


def record_change(run: WatchRun, now: datetime) -> None:
    """Store the changes of a run for its watch's webhook unless disabled, in the transaction that settles the run."""
    if run.watch.webhook_id is None:
        return
    webhook = Webhook.objects.select_for_update().filter(pk=run.watch.webhook_id, disabled_at=None).first()
    if webhook is not None:
        _store(webhook, WebhookEvent.CHANGED, EVENT_WRITERS.change(run, webhook.portal), now)


def record_test(webhook: Webhook, now: datetime) -> Delivery:
    """Store an event for a person who tests the webhook."""
    return _store(webhook, WebhookEvent.TEST, {"webhook": str(webhook.pk)}, now)


def _store(webhook: Webhook, event: WebhookEvent, content: Mapping[str, Any], now: datetime) -> Delivery:
    timestamp = now.astimezone(UTC).isoformat().replace("+00:00", "Z")
    body = json.dumps({"type": event, "timestamp": timestamp, "data": content}, cls=DjangoJSONEncoder)
    return Delivery.objects.create(webhook=webhook, event=event, body=body, created_at=now, next_at=now)
