"""Watches, their runs and what changed, field by field."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resolver.api.serializers.fields import PageAddressField, TextOrNullField
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.lookups import OUTCOMES
from resolver.domain.report.triage import WATCHED_FAULTS
from resolver.models import Depth, Every, RunState, Watch, WatchChange, WatchRun
from resolver.services.watches.runs import find_newest_run

BROKE, WORKS = "newly-broken", "newly-working"


class ChannelsSerializer(serializers.Serializer[Watch]):
    """How you are notified of changes, besides the page and the feed."""

    mail = serializers.BooleanField(help_text="Whether a mail is sent to the confirmed address of your account.")
    webhook = serializers.UUIDField(
        source="webhook_id", allow_null=True, help_text="The id of the webhook that gets `watch.changed`; null: none."
    )


class WatchRunSerializer(serializers.Serializer[WatchRun]):
    """One check of a watched list."""

    job = serializers.UUIDField(
        source="job_id", allow_null=True, help_text="The job with its rows; null before it starts, and once removed."
    )
    state = serializers.ChoiceField(
        choices=RunState.values,
        help_text="The state. `settled`, `incomplete` and `failed` are the end. `waiting`: what is newly broken is "
        "checked again 24 hours after `checked_at`.",
    )
    started_at = serializers.DateTimeField(help_text="When it was due, UTC.")
    checked_at = serializers.DateTimeField(allow_null=True, help_text="When every row had been checked once, UTC.")
    settled_at = serializers.DateTimeField(allow_null=True, help_text="When it ended, UTC; null before that.")
    total = serializers.IntegerField(help_text="The number of rows.")
    unchecked = serializers.IntegerField(help_text="The number of rows that couldn't be checked.")
    broken = serializers.IntegerField(help_text="The number of rows that are broken.")
    newly_broken = serializers.IntegerField(help_text="The number of rows that broke: each was checked twice.")
    newly_working = serializers.IntegerField(help_text="The number of rows that work again.")
    error = TextOrNullField(help_text="Why the run failed; null if it didn't.")


class WatchSerializer(serializers.Serializer[Watch]):
    """A list that the portal checks again by itself."""

    id = serializers.UUIDField(help_text="The id of the watch.")
    job = serializers.UUIDField(source="job_id", help_text="The job whose list is checked.")
    name = serializers.CharField(help_text="The name that you gave the watch; may be empty.")
    every = serializers.ChoiceField(choices=Every.values, help_text="How often the list is checked.")
    depth = serializers.ChoiceField(
        choices=Depth.values,
        help_text="`existence`: whether each DOI is registered, 50 in a request. `full`: every record.",
    )
    compare = serializers.BooleanField(help_text="Whether each run compares title and author, too.")
    channels = ChannelsSerializer(source="*", help_text="How you are notified of changes.")
    paused = serializers.SerializerMethodField(help_text="Whether no runs are started.")
    created_at = serializers.DateTimeField(help_text="When it was made, UTC.")
    next_run_at = serializers.DateTimeField(source="next_at", help_text="When the next run is due, UTC.")
    last_run = serializers.SerializerMethodField(help_text="The newest run; null before the first.")
    page = PageAddressField("watch", help_text="The address of its web page.")
    feed = serializers.SerializerMethodField(
        help_text="The address of its Atom feed. Keep it secret: it needs no login."
    )

    def get_paused(self, watch: Watch) -> bool:
        """Return whether it is paused."""
        return watch.paused_at is not None

    @extend_schema_field(WatchRunSerializer(allow_null=True))
    def get_last_run(self, watch: Watch) -> Any:
        """Return the newest run."""
        run = find_newest_run(watch)
        return represent(WatchRunSerializer, run) if run else None

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_feed(self, watch: Watch) -> str:
        """Return the address, as the caller can reach it."""
        return str(self.context["request"].build_absolute_uri(reverse("watch-feed", args=[watch.feed_token])))


class WatchChangeSerializer(serializers.Serializer[WatchChange]):
    """A row that broke, or that works again."""

    change = serializers.SerializerMethodField(help_text="What happened.")
    at = serializers.DateTimeField(help_text="When the run that found it ended, UTC.")
    line = serializers.IntegerField(help_text="The number of the row of data, counted from 1.")
    row = serializers.IntegerField(
        allow_null=True, help_text="The number that a spreadsheet shows for the row; null in old jobs."
    )
    part = serializers.IntegerField(help_text="The number of its DOI in the cell, if the list is split; else 0.")
    input = serializers.CharField(help_text="The text that was checked.")
    doi = TextOrNullField(help_text="The DOI name that the text means; null if there is none.")
    outcome = serializers.ChoiceField(
        choices=[*OUTCOMES, *WATCHED_FAULTS],
        help_text="The outcome after the change, or the problem of an address that leads nowhere. `deleted`: its "
        "address is an agency's page for deleted DOIs. `other-work`: the DOI stands for another work.",
    )
    ra = TextOrNullField(help_text="The Registration Agency of the DOI or of its prefix; null if it isn't known.")
    suggestion = TextOrNullField(help_text="The registered DOI that was probably meant; null if there is none.")

    @extend_schema_field({"type": "string", "enum": [BROKE, WORKS]})
    def get_change(self, change: WatchChange) -> str:
        """Return the word."""
        return WORKS if change.works else BROKE
