"""The Registration Agencies, by the names that Which RA gives (R6)."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.domain.tables.agency_contacts import CONTACTS


class AgencySerializer(serializers.Serializer[Any]):
    """A Registration Agency; `name_seen`: whether the name has been seen in an answer of Which RA."""

    name = serializers.CharField()
    title = serializers.CharField()
    home = serializers.CharField()
    report = serializers.CharField(source="address")
    examples = serializers.ListField(child=serializers.CharField())
    name_seen = serializers.BooleanField(source="seen")


class AgencyContacts(APIView):
    """What is known of each agency, without a request to the proxy."""

    def get(self, request: Request) -> Response:
        """Return all agencies on one page: there are about a dozen."""
        results = AgencySerializer(CONTACTS.values(), many=True).data
        return Response({"next": None, "previous": None, "results": results})
