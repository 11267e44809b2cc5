"""The results of a job, row for row."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import callers_job
from resolver.api.pagination import LineOrder
from resolver.api.requests import filters
from resolver.api.serializers import RowSerializer
from resolver.services import history


class Rows(APIView):
    """The rows of a job in line order, filtered by outcome, problem and ra; also while it runs."""

    def get(self, request: Request, pk: UUID) -> Response:
        """Rows that nobody has asked yet have an empty outcome."""
        found = history.rows(callers_job(request, pk), q=request.query_params.get("q", ""), **filters(request))
        pages = LineOrder()
        items = pages.paginate_queryset(found, request, self)
        return pages.get_paginated_response(RowSerializer(items, many=True).data)
