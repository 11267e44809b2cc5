"""The Registration Agencies, by the names that Which RA gives (R6)."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.serializers import AgencySerializer
from resolver.domain.tables.agency_contacts import CONTACTS


class Agencies(APIView):
    """What is known of each agency; nothing is asked and nothing is stored."""

    def get(self, request: Request) -> Response:
        """All of them on one page: a dozen and one."""
        return Response(
            {"next": None, "previous": None, "results": AgencySerializer(CONTACTS.values(), many=True).data}
        )
