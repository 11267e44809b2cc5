"""The results of a job, row for row."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import callers_job
from resolver.api.pagination import LineOrder
from resolver.api.request_serializers import OF_PAGES, OF_ROWS, refuse_unknown, wanted_rows
from resolver.api.serializers import RowSerializer
from resolver.models import Row


class Rows(APIView):
    """The rows of a job in line order, filtered by what `wanted_rows` reads; also while it runs."""

    def get(self, request: Request, pk: UUID) -> Response:
        """Rows that nobody has asked yet have an empty outcome."""
        job = callers_job(request, pk)
        refuse_unknown(request, *OF_ROWS, *OF_PAGES)
        pages = LineOrder(job, wanted_rows(request))
        items = pages.paginate_queryset(Row.objects.filter(job=job), request, self)
        return pages.get_paginated_response(RowSerializer(items, many=True).data)
