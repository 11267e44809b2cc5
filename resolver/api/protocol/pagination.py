"""Pages by cursor: stable while rows are added, and as quick at the end as at the beginning."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from resolver.api.errors import LONGEST_NAMED
from resolver.api.openapi.parameters import LONGEST_PAGE, LONGEST_PAGE_OF_ROWS
from resolver.api.problem_types import InvalidInput
from resolver.domain.foreign_text.whole_number import parse_whole_number
from resolver.models import Job, Row
from resolver.services.results import row_queries
from resolver.services.results.row_queries import RowFilter
from resolver.services.results.text_search import TimedSearch
from resolver.services.storage import keyset
from resolver.services.storage.keyset import Edge


def _parse_moment(value: object) -> datetime:
    moment = datetime.fromisoformat(str(value))
    if moment.tzinfo is None:
        raise ValueError
    return moment


def _parse_line(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**31:
        raise ValueError
    return value


class KeysetPagination(BasePagination):
    """A cursor names the item at the edge of a page, by all the columns of the order, so that ties lose nothing.

    DRF's own cursor holds one column and an offset, and a forged one reaches the database unread.
    """

    order: Mapping[str, Callable[[object], Any]] = {}
    descending = False
    page_size = 50
    max_page_size = LONGEST_PAGE

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: APIView | None = None) -> list[Any]:
        """Return the page, by one query."""
        self.url = request.build_absolute_uri()
        order = [f"-{name}" if self.descending else name for name in self.order]
        size, edge = self._read_size(request), self._read_edge(request)
        self.backwards = edge is not None and edge.backwards
        self.page = keyset.read_page(queryset, order, edge, size, fetch=self.fetch)
        return list(self.page.items)

    def fetch(self, queryset: QuerySet[Any], most: int) -> list[Any]:
        """Return the first items."""
        return list(queryset[:most])

    def get_paginated_response(self, data: Any) -> Response:
        """Return the body of the contract."""
        following = self._build_link(False, self.page.items[-1]) if self.page.has_next else None
        previous = self._build_link(True, self.page.items[0]) if self.page.has_previous else None
        return Response({"next": following, "previous": previous, "results": data})

    def _read_size(self, request: Request) -> int:
        text = request.query_params.get("page_size")
        if text is None:
            return self.page_size
        size = parse_whole_number(text, self.max_page_size + 1)
        if not size or size > self.max_page_size:
            told = f'The page_size "{text[:LONGEST_NAMED]}" isn\'t a whole number from 1 to {self.max_page_size}.'
            raise InvalidInput(errors={"page_size": [told]})
        return size

    def _read_edge(self, request: Request) -> Edge | None:
        text = request.query_params.get("cursor")
        if not text:
            return None
        try:
            backwards, *edge = json.loads(urlsafe_b64decode(text.encode("ascii")))
            if not isinstance(backwards, bool) or len(edge) != len(self.order):
                raise ValueError
            return Edge([read(value) for read, value in zip(self.order.values(), edge, strict=True)], backwards)
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidInput(errors={"cursor": ["This cursor is invalid. Use one from the API."]}) from error

    def _build_link(self, backwards: bool, item: Model) -> str:
        edge = [value if isinstance(value := getattr(item, name), int) else str(value) for name in self.order]
        token = urlsafe_b64encode(json.dumps([backwards, *edge]).encode()).decode()
        return str(replace_query_param(self.url, "cursor", token))


class NewestFirstPagination(KeysetPagination):
    """Lookups and jobs."""

    order = {"created_at": _parse_moment, "id": lambda value: UUID(str(value))}
    descending = True


class LatestFirstPagination(KeysetPagination):
    """What has numbers that grow with time."""

    order = {"id": _parse_line}
    descending = True


class HostOrderPagination(KeysetPagination):
    """The hosts of a job, those with the most rows first."""

    order = {"place": _parse_line}
    page_size = 100


class LineOrderPagination(KeysetPagination):
    """The rows of a job that are wanted."""

    order = {"line": _parse_line}
    page_size = 100
    max_page_size = LONGEST_PAGE_OF_ROWS

    def __init__(self, job: Job, wanted: RowFilter) -> None:
        self.job, self.wanted = job, wanted

    def fetch(self, queryset: QuerySet[Row], most: int) -> list[Row]:
        """Read only those of the wanted rows that are on the page."""
        self.search = TimedSearch()
        return row_queries.fetch_rows(self.job, self.wanted, queryset, most, search=self.search)

    def get_paginated_response(self, data: Any) -> Response:
        """Return the body of the contract. If the time of a search is over, the page has the rows so far, and the link
        on that side goes on behind the last row that was searched."""
        response = super().get_paginated_response(data)
        if self.search.stopped_at is not None:
            side = "previous" if self.backwards else "next"
            response.data[side] = self._build_link(self.backwards, Row(line=self.search.stopped_at[-1]))
        return response
