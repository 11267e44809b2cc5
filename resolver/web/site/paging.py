"""Addresses of neighbouring pages of the same list, and what a page of rows holds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic

from django.http import HttpRequest

from resolver.models import Job, Row
from resolver.services import keyset
from resolver.services.keyset import Edge, Item
from resolver.services.results.row_queries import RowFilter, fetch

LAST_LINE = 2**31 - 1


def query_without(request: HttpRequest, *names: str) -> str:
    """The request's query without the parameters that name the page; ends with `&` unless it is empty."""
    query = request.GET.copy()
    for name in (*names, *[name for name, value in query.items() if not value]):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


@dataclass(frozen=True, slots=True)
class NumberedPage(Generic[Item]):
    """Rows in their order; `before` and `after` are the numbers where the neighbouring pages begin, or None."""

    rows: Sequence[Item]
    before: int | None
    after: int | None

    @classmethod
    def of(cls, page: keyset.Page[Item], number: Callable[[Item], int]) -> "NumberedPage[Item]":
        """With the numbers of the rows at its edges, which the addresses of its neighbours hold."""
        before = number(page.items[0]) if page.has_previous else None
        return cls(page.items, before, number(page.items[-1]) if page.has_next else None)


def edge_of(request: HttpRequest) -> Edge | None:
    """Where the page begins or ends, by the address; `after=0` is the beginning."""
    after, before = (_number(request.GET.get(name)) for name in ("after", "before"))
    return Edge((before,), backwards=True) if before is not None else Edge((after,)) if after else None


def _number(text: str | None) -> int | None:
    """A number from the address; whatever else stands there counts as not given."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 10:
        return None
    return min(int(text), LAST_LINE)


def row_page(job: Job, wanted: RowFilter, request: HttpRequest, size: int, *, down: bool = False) -> NumberedPage[Row]:
    """A page by line number, `down` from the last row to the first: as quick at the end of a million rows as at the
    beginning (two queries)."""
    order = ("-line",) if down else ("line",)
    found = Row.objects.filter(job=job)
    page = keyset.read_page(found, order, edge_of(request), size, fetch=partial(fetch, job, wanted))
    return NumberedPage.of(page, lambda row: row.line)
