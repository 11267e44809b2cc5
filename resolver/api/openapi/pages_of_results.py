"""The pages of results that lists return, and other answers that no serializer writes, for the OpenAPI document."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from resolver.api.serializers.agencies import AgencySerializer
from resolver.api.serializers.host_checks import CheckedHostSerializer, HostCheckSerializer
from resolver.api.serializers.jobs import JobSerializer, RowSerializer
from resolver.api.serializers.lookups import InspectionSerializer, LookupSerializer
from resolver.api.serializers.watches import WatchChangeSerializer, WatchSerializer
from resolver.api.serializers.webhooks import DeliverySerializer, WebhookSerializer


class ResultsPageSerializer(serializers.Serializer[Any]):
    """A page of results."""

    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last.")
    previous = serializers.URLField(allow_null=True, help_text="The address of the page before; null on the first.")


class LookupPageSerializer(ResultsPageSerializer):
    """A page of lookups."""

    results = LookupSerializer(many=True, help_text="The lookups, newest first.")


class JobPageSerializer(ResultsPageSerializer):
    """A page of jobs."""

    results = JobSerializer(many=True, help_text="The jobs, newest first.")


class RowPageSerializer(ResultsPageSerializer):
    """A page of rows."""

    results = RowSerializer(many=True, help_text="The rows, in line order.")


class CheckedHostPageSerializer(ResultsPageSerializer):
    """A page of hosts, and the check."""

    check = HostCheckSerializer(allow_null=True, help_text="The check; null if nobody has started one.")
    results = CheckedHostSerializer(many=True, help_text="The hosts, those with the most rows first.")


class WebhookPageSerializer(ResultsPageSerializer):
    """A page of webhooks."""

    results = WebhookSerializer(many=True, help_text="The webhooks, newest first.")


class DeliveryPageSerializer(ResultsPageSerializer):
    """A page of deliveries."""

    results = DeliverySerializer(many=True, help_text="The deliveries, newest first.")


class WatchPageSerializer(ResultsPageSerializer):
    """A page of watches."""

    results = WatchSerializer(many=True, help_text="The watches, newest first.")


class WatchChangePageSerializer(ResultsPageSerializer):
    """A page of changes."""

    results = WatchChangeSerializer(many=True, help_text="The changes, newest first.")


class AgencyPageSerializer(ResultsPageSerializer):
    """All agencies, on one page."""

    results = AgencySerializer(many=True, help_text="The agencies, by name.")


class InspectionsSerializer(serializers.Serializer[Any]):
    """The texts as they were read."""

    results = InspectionSerializer(many=True, help_text="An inspection for each text, in your order.")


@extend_schema_field({"$ref": "#/components/schemas/Error"})
class ErrorField(serializers.DictField):
    """An error, as problem details."""


class LookupResultSerializer(serializers.Serializer[Any]):
    """What came of one of several texts."""

    input = serializers.CharField(help_text="The text as you sent it.")
    status = serializers.IntegerField(help_text="201 if the lookup is stored, else the status of the error.")
    lookup = LookupSerializer(required=False, help_text="The stored lookup.")
    problem = ErrorField(required=False, help_text="The error, as a request with this text alone has it.")


class LookupResultsSerializer(serializers.Serializer[Any]):
    """A result for each text."""

    results = LookupResultSerializer(many=True, help_text="The results, in the order of your texts.")


class ChangedRowsSerializer(serializers.Serializer[Any]):
    """The result of a decision about several rows."""

    changed = serializers.IntegerField(help_text="The number of rows that changed.")
