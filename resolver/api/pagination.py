"""Pages by cursor: stable while rows are added, and as quick on the last page as on the first."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model, Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from resolver.api.exceptions import InvalidInput
from resolver.models import Job, Row
from resolver.services.jobs import row_queries
from resolver.services.jobs.row_queries import RowFilter


class BadCursor(ValueError):
    """The cursor was not made here."""


def _moment(value: object) -> datetime:
    moment = datetime.fromisoformat(str(value))
    if moment.tzinfo is None:
        raise BadCursor
    return moment


def _line(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < 2**31:
        raise BadCursor
    return value


class KeysetPagination(BasePagination):
    """A cursor names the item at the edge of a page, by all the columns of the order, so that ties lose nothing.

    DRF's own cursor holds one column and an offset, and a forged one reaches the database unread.
    """

    order: Mapping[str, Callable[[object], Any]] = {}
    descending = False
    page_size = 50
    max_page_size = 500

    def paginate_queryset(self, queryset: QuerySet[Any], request: Request, view: APIView | None = None) -> list[Any]:
        """One query: the page and one item more, which tells whether there is a page behind it."""
        self.url = request.build_absolute_uri()
        size = self._size(request)
        backwards, edge = self._cursor(request)
        down = self.descending != backwards
        if edge is not None:
            queryset = queryset.filter(self._beyond(edge, down))
        items = self.taken(queryset.order_by(*[f"-{name}" if down else name for name in self.order]), size + 1)
        more = len(items) > size
        items = items[:size]
        if backwards:
            items.reverse()
        self.items = items
        self.has_next = bool(items) and (backwards or more)
        self.has_previous = bool(items) and (more if backwards else edge is not None)
        return items

    def taken(self, queryset: QuerySet[Any], most: int) -> list[Any]:
        """The first items of what is found."""
        return list(queryset[:most])

    def get_paginated_response(self, data: Any) -> Response:
        """The body of the contract, and nothing else in it."""
        following = self._link(False, self.items[-1]) if self.has_next else None
        previous = self._link(True, self.items[0]) if self.has_previous else None
        return Response({"next": following, "previous": previous, "results": data})

    def _size(self, request: Request) -> int:
        text = request.query_params.get("page_size")
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdigit()) or not text.strip("0"):
            raise InvalidInput(errors={"page_size": ["page_size must be a whole number above 0."]})
        return self.max_page_size if len(text) > 9 else min(int(text), self.max_page_size)

    def _cursor(self, request: Request) -> tuple[bool, list[Any] | None]:
        text = request.query_params.get("cursor")
        if not text:
            return False, None
        try:
            backwards, *edge = json.loads(urlsafe_b64decode(text.encode("ascii")))
            if not isinstance(backwards, bool) or len(edge) != len(self.order):
                raise BadCursor
            return backwards, [read(value) for read, value in zip(self.order.values(), edge, strict=True)]
        except (ValueError, TypeError, RecursionError) as error:
            raise InvalidInput(errors={"cursor": ["This cursor is not one that the API gave out."]}) from error

    def _beyond(self, edge: list[Any], down: bool) -> Q:
        """(a, b) beyond (x, y): a beyond x, or a = x and b beyond y."""
        condition, same = Q(), Q()
        for name, value in zip(self.order, edge, strict=True):
            condition |= same & Q(**{f"{name}__{'lt' if down else 'gt'}": value})
            same &= Q(**{name: value})
        return condition

    def _link(self, backwards: bool, item: Model) -> str:
        edge = [value if isinstance(value := getattr(item, name), int) else str(value) for name in self.order]
        token = urlsafe_b64encode(json.dumps([backwards, *edge]).encode()).decode()
        return replace_query_param(self.url, "cursor", token)


class NewestFirst(KeysetPagination):
    """Lookups and jobs."""

    order = {"created_at": _moment, "id": lambda value: UUID(str(value))}
    descending = True


class LineOrder(KeysetPagination):
    """The rows of a job that are wanted."""

    order = {"line": _line}
    page_size = 100
    max_page_size = 1000

    def __init__(self, job: Job, wanted: RowFilter) -> None:
        self.job, self.wanted = job, wanted

    def taken(self, queryset: QuerySet[Row], most: int) -> list[Row]:
        """Of the rows that fit, only those of the page are read."""
        return row_queries.taken(self.job, queryset, self.wanted, most)
