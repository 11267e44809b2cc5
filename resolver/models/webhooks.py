"""Webhooks: addresses to which the portal sends events, and the deliveries of these events."""

import uuid

from django.conf import settings
from django.db import models

from resolver.models.fields import ExactTextField, JsonTextField, MessageField


class WebhookEvent(models.TextChoices):
    """An event that a webhook may get. The last is sent by a person who tries the webhook out."""

    FINISHED = "job.finished"
    FAILED = "job.failed"
    CANCELLED = "job.cancelled"
    CHANGED = "watch.changed"
    TEST = "webhook.test"


class Webhook(models.Model):
    """An address of an account. A worker that holds the claim until `claimed_until` delivers to it; no other does."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    name = ExactTextField(blank=True, default="")
    url = models.TextField()
    events = JsonTextField(default=list)
    secret = models.CharField(max_length=100)  # it signs each delivery, so a hash would not do
    portal = models.TextField()  # the address of this portal as its person reaches it, without a final slash
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True, blank=True)  # when the receiver answered 410
    claim = models.CharField(max_length=36, blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)  # without a claim: a message to a worker waits

    class Meta:
        ordering = ("account", "-created_at")

    def __str__(self) -> str:
        return self.name or self.url


class Delivery(models.Model):
    """One event for one webhook, stored in the transaction that makes it true. `body` never changes, nor the id."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    event = models.CharField(max_length=20, choices=WebhookEvent.choices)
    body = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True, blank=True)  # None: delivered, or given up
    delivered_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)  # of the last answer
    error = MessageField(blank=True, default="")  # of the last attempt

    class Meta:
        ordering = ("webhook", "-created_at", "-id")
        indexes = (
            models.Index(fields=("webhook", "-created_at", "-id"), name="delivery_history"),
            models.Index(fields=("next_at",), condition=models.Q(next_at__isnull=False), name="delivery_due"),
        )

    def __str__(self) -> str:
        return f"{self.event}, attempts: {self.attempts}"

    @property
    def message_id(self) -> str:
        """The `webhook-id`, the same in each attempt."""
        return f"msg_{self.pk.hex}"
