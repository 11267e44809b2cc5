"""Webhooks and their deliveries, field by field."""

from typing import Any

from rest_framework import serializers

from resolver.api.serializers.fields import TextOrNullField
from resolver.models import Delivery, Webhook, WebhookEvent
from resolver.services.webhooks.registration import EVENTS


class WebhookSerializer(serializers.Serializer[Webhook]):
    """An address to which the portal sends events."""

    id = serializers.UUIDField(help_text="The id of the webhook.")
    name = serializers.CharField(help_text="The name that you gave it; may be empty.")
    url = serializers.CharField(help_text="The address to which events are sent.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=[str(event) for event in EVENTS]), help_text="The events that it gets."
    )
    created_at = serializers.DateTimeField(help_text="When it was made, UTC.")
    disabled_at = serializers.DateTimeField(
        allow_null=True, help_text="When its receiver answered 410 and so switched it off, UTC; null if it didn't."
    )


class NewWebhookSerializer(WebhookSerializer):
    """A webhook that was just made, with its secret."""

    secret = serializers.CharField(help_text="The secret that signs each event. It is shown only in this answer.")


class DeliverySerializer(serializers.Serializer[Delivery]):
    """An event that was sent to a webhook, or will be."""

    id = serializers.SerializerMethodField(help_text="The `webhook-id`, the same in each attempt.")
    event = serializers.ChoiceField(choices=WebhookEvent.values, help_text="The type of the event.")
    created_at = serializers.DateTimeField(help_text="When it happened, UTC.")
    attempts = serializers.IntegerField(help_text="How often it was sent.")
    next_at = serializers.DateTimeField(
        allow_null=True, help_text="When it is sent next, UTC; null if it was delivered or given up."
    )
    delivered_at = serializers.DateTimeField(
        allow_null=True, help_text="When the receiver took it (2xx), UTC; null if it hasn't."
    )
    status = serializers.IntegerField(
        allow_null=True, help_text="The HTTP status of the last answer; null if there was none."
    )
    error = TextOrNullField(help_text="Why the last attempt failed; null if it didn't.")

    def get_id(self, delivery: Any) -> str:
        """Return the id as the receiver gets it."""
        return str(delivery.message_id)
