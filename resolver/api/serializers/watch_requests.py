"""The bodies of requests about watches, field by field."""

from rest_framework import serializers

from resolver.api.serializers.requests import StrictSerializer, StringField, WordField
from resolver.models import Depth, Every
from resolver.services.jobs.lifecycle import NAME_LENGTH


class ChannelsRequestSerializer(StrictSerializer):
    """How you want to be notified of changes."""

    mail = serializers.BooleanField(required=False, help_text="Send a mail to the confirmed address of your account.")
    webhook = serializers.UUIDField(
        required=False, allow_null=True, help_text="The id of a webhook that gets `watch.changed`; null: none."
    )


class WatchRequestSerializer(StrictSerializer):
    """A list to be checked again by itself."""

    job = serializers.UUIDField(help_text="The job whose list is checked.")
    name = StringField(default="", allow_blank=True, max_length=NAME_LENGTH, help_text="A name, for your own use.")
    every = WordField(choices=Every.values, default=Every.WEEK, help_text="How often it is checked.")
    depth = WordField(
        choices=Depth.values,
        default=Depth.EXISTENCE,
        help_text="`existence`: whether each DOI is registered, 50 in a request. `full`: every record.",
    )
    compare = serializers.BooleanField(
        default=None, allow_null=True, help_text="Whether each run compares title and author; null: as the job does."
    )
    channels = ChannelsRequestSerializer(default=dict, help_text="How you want to be notified of changes.")


class WatchChangesRequestSerializer(StrictSerializer):
    """What you may change in a watch."""

    name = StringField(required=False, allow_blank=True, max_length=NAME_LENGTH, help_text="A name, for your own use.")
    every = WordField(choices=Every.values, required=False, help_text="How often it is checked.")
    depth = WordField(choices=Depth.values, required=False, help_text="What is checked.")
    compare = serializers.BooleanField(required=False, help_text="Whether each run compares title and author.")
    channels = ChannelsRequestSerializer(required=False, help_text="How you want to be notified of changes.")
    paused = serializers.BooleanField(required=False, help_text="Whether no runs are started.")
