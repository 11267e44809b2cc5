"""The Registration Agencies, by the names that Which RA gives (R6)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from resolver.api.openapi.operations import operation
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.pagination import ResultsPageSerializer
from resolver.api.serializers.kept_serializers import represent_all
from resolver.domain.agencies.agency_contacts import CONTACTS


class AgencySerializer(serializers.Serializer[Any]):
    """A Registration Agency, and where to report a DOI to it."""

    name = serializers.CharField(help_text="The name as Which RA gives it, and as it stands in results.")
    title = serializers.CharField(help_text="The agency's own name.")
    home = serializers.URLField(help_text="The home page of the agency.")
    report = serializers.URLField(
        source="address",
        help_text="Where to report a DOI; the DOI Foundation's list if no page of the agency is known.",
    )
    examples = serializers.ListField(
        child=serializers.CharField(), help_text="Some prefixes of DOIs at this agency. A DOI may have moved since."
    )
    name_seen = serializers.BooleanField(
        source="seen", help_text="Whether this name has been seen in an answer of Which RA."
    )


class AgencyPageSerializer(ResultsPageSerializer):
    """All agencies, on one page."""

    results = AgencySerializer(many=True, help_text="The agencies, by name.")


class AgencyContacts(TaggedView):
    """What is known of each agency, without a request to the proxy."""

    @operation(
        "listAgencies",
        "Agencies",
        "List the Registration Agencies",
        answer=AgencyPageSerializer,
        says="All agencies that results usually name, on one page.",
        tagged=True,
    )
    def get(self, request: Request) -> Response:
        """Return all agencies on one page: there are about a dozen."""
        results = represent_all(AgencySerializer, CONTACTS.values())
        return Response({"next": None, "previous": None, "results": results})
