"""Pages by cursor: stable while rows are added, and as fast at the end as at the beginning."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from resolver.api.errors import QUOTED_CHARACTERS
from resolver.api.openapi.parameters import MAX_PAGE_SIZE, MAX_PAGE_SIZE_OF_ROWS
from resolver.api.problem_types import InvalidInput
from resolver.api.serializers.kept_serializers import represent_all
from resolver.domain.foreign_text import parse_whole_number
from resolver.models import Job, Row
from resolver.services.results import row_queries
from resolver.services.results.row_queries import RowFilter
from resolver.services.results.row_search import TimedSearch
from resolver.services.storage import keyset
from resolver.services.storage.keyset import Edge


class ResultsPageSerializer(serializers.Serializer[Any]):
    """A page of results."""

    next = serializers.URLField(allow_null=True, help_text="The address of the next page; null on the last.")
    previous = serializers.URLField(allow_null=True, help_text="The address of the page before; null on the first.")


def page_of(item: type[serializers.Serializer[Any]], things: str, order: str) -> type[serializers.Serializer[Any]]:
    """Return the serializer of a page of these items, for the OpenAPI document."""
    members = {"__doc__": f"A page of {things}.", "results": item(many=True, help_text=f"The {things}, {order}.")}
    return type(item.__name__.replace("Serializer", "PageSerializer"), (ResultsPageSerializer,), members)


def _parse_moment(value: object) -> datetime:
    moment = datetime.fromisoformat(str(value))
    if moment.tzinfo is None:
        raise ValueError
    return moment


def _parse_line(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**31:
        raise ValueError
    return value


class KeysetPagination:
    """A cursor names the item at the edge of a page by all columns of the order, so that no tie is lost.

    DRF's own cursor holds one column and an offset, and a forged one reaches the database unread.
    """

    order: Mapping[str, Callable[[object], Any]] = {}
    descending = False
    page_size = 50
    max_page_size = MAX_PAGE_SIZE

    def build_page(
        self, found: QuerySet[Any], request: Request, serializer: type[serializers.Serializer[Any]], **context: Any
    ) -> dict[str, Any]:
        """Return the body of the contract, by one query. The serializer gets the context, and the request in it."""
        order = [f"-{name}" if self.descending else name for name in self.order]
        size, edge = self._read_size(request), self._read_edge(request)
        page = keyset.read_page(found, order, edge, size, fetch=self.fetch)
        return {
            "next": self._build_link(request, False, page.items[-1]) if page.has_next else None,
            "previous": self._build_link(request, True, page.items[0]) if page.has_previous else None,
            "results": represent_all(serializer, page.items, request=request, **context),
        }

    def fetch(self, queryset: QuerySet[Any], most: int) -> list[Any]:
        """Return the first items."""
        return list(queryset[:most])

    def _read_size(self, request: Request) -> int:
        text = request.query_params.get("page_size")
        if text is None:
            return self.page_size
        size = parse_whole_number(text, self.max_page_size + 1)
        if not size or size > self.max_page_size:
            wrong = f'The page_size "{text[:QUOTED_CHARACTERS]}" isn\'t a whole number from 1 to {self.max_page_size}.'
            raise InvalidInput(errors={"page_size": [wrong]})
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

    def _build_link(self, request: Request, backwards: bool, item: Model) -> str:
        edge = [value if isinstance(value := getattr(item, name), int) else str(value) for name in self.order]
        token = urlsafe_b64encode(json.dumps([backwards, *edge]).encode()).decode()
        return str(replace_query_param(request.build_absolute_uri(), "cursor", token))


class NewestFirstPagination(KeysetPagination):
    """Lookups and jobs."""

    order = {"created_at": _parse_moment, "id": lambda value: UUID(str(value))}
    descending = True


class LatestFirstPagination(KeysetPagination):
    """Items whose ids grow with time."""

    order = {"id": _parse_line}
    descending = True


class HostOrderPagination(KeysetPagination):
    """The hosts of a job, those with the most rows first."""

    order = {"place": _parse_line}
    page_size = 100


class LineOrderPagination(KeysetPagination):
    """The rows of a job that match a filter."""

    order = {"line": _parse_line}
    page_size = 100
    max_page_size = MAX_PAGE_SIZE_OF_ROWS

    def __init__(self, job: Job, wanted: RowFilter) -> None:
        self.job, self.wanted = job, wanted

    def fetch(self, queryset: QuerySet[Row], most: int) -> list[Row]:
        """Read only the matching rows of the page."""
        self.search = TimedSearch()
        return row_queries.fetch_rows(self.job, self.wanted, queryset, most, search=self.search)

    def build_page(
        self, found: QuerySet[Any], request: Request, serializer: type[serializers.Serializer[Any]], **context: Any
    ) -> dict[str, Any]:
        """Return the body of the contract. After the time limit of a search it has the rows so far, and its link
        continues after the last row that was searched."""
        body = super().build_page(found, request, serializer, **context)
        if self.search.stopped_at is not None:
            edge = self._read_edge(request)
            backwards = edge is not None and edge.backwards
            row = Row(line=self.search.stopped_at[-1])
            body["previous" if backwards else "next"] = self._build_link(request, backwards, row)
        return body
