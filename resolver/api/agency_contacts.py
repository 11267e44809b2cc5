"""The Registration Agencies, by the names that Which RA gives (R6)."""

from rest_framework.request import Request
from rest_framework.response import Response

from resolver.api.openapi.operations import operation
from resolver.api.openapi.pages_of_results import AgencyPageSerializer
from resolver.api.protocol.etags import TaggedView
from resolver.api.serializers.agencies import AgencySerializer
from resolver.domain.agencies.agency_contacts import CONTACTS


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
        results = AgencySerializer(CONTACTS.values(), many=True).data
        return Response({"next": None, "previous": None, "results": results})
