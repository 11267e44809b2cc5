"""The webhooks of an account: created, listed, deleted."""

import secrets
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from resolver.models import Webhook, WebhookEvent
from resolver.proxy.webhook_requests import check_url
from resolver.services.storage.batched_removal import lock_rows

EVENTS = (WebhookEvent.FINISHED, WebhookEvent.FAILED, WebhookEvent.CANCELLED, WebhookEvent.CHANGED)
PREFIX = "whsec_"  # of a secret (Standard Webhooks)
MOST_WEBHOOKS = 20  # of one account


class TooManyWebhooks(ValueError):
    """The account has MOST_WEBHOOKS webhooks."""


def create_webhook(
    account: User,
    url: str,
    *,
    portal: str,
    now: datetime,
    events: Sequence[str] = EVENTS,
    name: str = "",
    webhook_id: UUID | None = None,
) -> Webhook:
    """Store a webhook with a new secret. `portal`: the address of this portal, for the addresses in events. An earlier
    one with that `webhook_id`, of a killed request, is returned unchanged. Raises ForbiddenAddress and TooManyWebhooks.
    """
    if webhook_id and (earlier := Webhook.objects.filter(pk=webhook_id).first()):
        return earlier
    if Webhook.objects.filter(account=account).count() >= MOST_WEBHOOKS:  # before the lookup of the host
        raise TooManyWebhooks
    checked = check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=account.pk)
        if Webhook.objects.filter(account=account).count() >= MOST_WEBHOOKS:
            raise TooManyWebhooks
        return Webhook.objects.create(
            id=webhook_id or uuid4(),
            account=account,
            name=name,
            url=checked,
            events=list(dict.fromkeys(map(str, events))),
            secret=PREFIX + b64encode(secrets.token_bytes(nbytes=32)).decode(),
            portal=portal.rstrip("/"),
            created_at=now,
        )


def list_webhooks(account: User) -> QuerySet[Webhook]:
    """Return the account's webhooks, the newest first; disabled ones too."""
    return Webhook.objects.filter(account=account).order_by("-created_at", "-id")


def delete_webhook(webhook: Webhook) -> None:
    """Remove the webhook with its deliveries, also those that are still due."""
    with transaction.atomic():
        lock_rows(webhook.watches.all())  # first, in the order of a worker that stores their changes
        lock_rows(Webhook.objects.filter(pk=webhook.pk))
        webhook.delete()
