"""Deliveries of events to webhooks, at least once each, by Standard Webhooks.

A worker holds a webhook while it delivers one event to it: no event is sent twice at once, and a slow receiver occupies
one worker. If the worker is killed, its lease expires, and the next sweep sends another message.
"""

import hmac
from base64 import b64decode, b64encode
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, Min, OuterRef, Q, QuerySet

from doi_reading import Message
from resolver import conf
from resolver.models import Delivery, Webhook
from resolver.proxy.public_addresses import ForbiddenAddress
from resolver.proxy.webhook_requests import EventUnanswered, post_event
from resolver.services.storage.batched_removal import remove_in_batches
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Clock, LeaseColumns
from resolver.services.webhooks.registration import PREFIX

# After the event. The pauses between attempts stay the same if the portal was down meanwhile.
TRIED_AT = tuple(timedelta(minutes=after) for after in (0, 1, 5, 30, 2 * 60, 8 * 60, 24 * 60))
HOLD = LeaseColumns("claim", "claimed_until", lasting=timedelta(minutes=1))  # longer than any attempt
MESSAGE = timedelta(seconds=30)  # for which no second message is sent
MOST_MESSAGES = 100  # sent together
KEPT = timedelta(days=30)


def reserve_due(now: datetime) -> list[str]:
    """Return webhooks with a due event and without a worker or a waiting message, for messages to be sent. Only one of
    each account, so that none occupies all workers: the one that has waited longest, so that none delays the others."""
    due = Min("deliveries__next_at", filter=Q(deliveries__next_at__lte=now))
    unattended = Webhook.objects.filter(HOLD.build_unattended_condition(now))
    free = unattended.filter(disabled_at=None).annotate(due=due).filter(due__isnull=False)
    busy = Webhook.objects.filter(account=OuterRef("account"), claimed_until__gte=now)
    found = free.exclude(Exists(busy)).order_by("due", "pk").values_list("account_id", "pk")[:MOST_MESSAGES]
    chosen = dict(reversed(list(found)))  # the longest waiting of each
    return [str(pk) for pk in chosen.values() if unattended.filter(pk=pk).update(claim="", claimed_until=now + MESSAGE)]


def deliver_next(webhook_id: str, *, clock: Clock = read_clock) -> Delivery | None:
    """Try the event of the webhook that has been due longest. Return it; None if there is none, or a worker has it."""
    now = clock()
    lease = HOLD.take(Webhook.objects.filter(pk=webhook_id, disabled_at=None), now)
    if lease is None:
        return None
    try:
        delivery = lease.row.deliveries.filter(next_at__lte=now).order_by("next_at", "pk").first()
        if delivery is not None:
            _try(lease.row, delivery, clock)
        return delivery
    finally:
        lease.give_back()


def _try(webhook: Webhook, delivery: Delivery, clock: Clock) -> None:
    began = clock()
    delivery.status, delivery.error = None, ""
    try:
        delivery.status = post_event(
            webhook.url,
            delivery.body.encode(),
            sign_headers(webhook, delivery, began),
            allow_private=settings.WEBHOOK_ALLOW_PRIVATE,
        )
    except (ForbiddenAddress, EventUnanswered) as error:
        delivery.error = error.reason
    delivery.attempts += 1
    now = clock()
    delivered = delivery.status is not None and 200 <= delivery.status < 300
    if delivered:
        delivery.delivered_at, delivery.next_at = now, None
    elif delivery.attempts < len(TRIED_AT):
        delivery.next_at = now + TRIED_AT[delivery.attempts] - TRIED_AT[delivery.attempts - 1]
    else:
        delivery.next_at = None
    if delivery.status is not None and not delivered:
        delivery.error = Message("the receiver answered with HTTP {status}", status=str(delivery.status))
    with transaction.atomic():
        if delivery.status == HTTPStatus.GONE:
            delivery.next_at = None
            Webhook.objects.filter(pk=webhook.pk).update(disabled_at=now)
            ended = Message("the receiver wants no more events (HTTP 410)")
            webhook.deliveries.filter(next_at__isnull=False).update(next_at=None, error=ended)
        columns = ("attempts", "next_at", "delivered_at", "status", "error")
        Delivery.objects.filter(pk=delivery.pk).update(**{name: getattr(delivery, name) for name in columns})


def sign_headers(webhook: Webhook, delivery: Delivery, now: datetime) -> dict[str, str]:
    """Return the headers of an attempt. The id is the same in each attempt."""
    message_id, timestamp = delivery.message_id, str(int(now.timestamp()))
    key = b64decode(webhook.secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{message_id}.{timestamp}.{delivery.body}".encode(), sha256).digest()
    return {
        "Content-Type": "application/json",
        "User-Agent": conf.user_agent(),
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{b64encode(signed).decode()}",
    }


def list_deliveries(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the webhook's deliveries, the newest first."""
    return webhook.deliveries.order_by("-created_at", "-id")


def prune_deliveries(now: datetime) -> None:
    """Remove old deliveries. Each has had all its attempts long before."""
    remove_in_batches(Delivery.objects.filter(created_at__lt=now - KEPT), "pk")
