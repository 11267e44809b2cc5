"""The results of a job, row for row."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import callers_job
from resolver.api.pagination import LineOrder
from resolver.api.requests import filters, yes_or_no
from resolver.api.serializers import RowSerializer
from resolver.services import history


class Rows(APIView):
    """The rows of a job in line order, filtered by outcome, problem, ra and duplicates; also while it runs."""

    def get(self, request: Request, pk: UUID) -> Response:
        """Rows that nobody has asked yet have an empty outcome."""
        job = callers_job(request, pk)
        text, duplicates = request.query_params.get("q", ""), yes_or_no(request, "duplicates")
        found = history.rows(job, q=text, duplicates=duplicates, **filters(request))
        pages = LineOrder(job)
        items = pages.paginate_queryset(found, request, self)
        return pages.get_paginated_response(RowSerializer(items, many=True).data)
