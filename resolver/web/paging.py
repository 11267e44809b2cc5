"""Addresses of neighbouring pages of the same list, and what a page of rows holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest

from resolver.models import Job, Row
from resolver.services import history

LAST_LINE = 2**31 - 1


def query_without(request: HttpRequest, *names: str) -> str:
    """The request's query without the parameters that name the page; ends with `&` unless it is empty."""
    query = request.GET.copy()
    for name in (*names, *[name for name, value in query.items() if not value]):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


@dataclass(frozen=True, slots=True)
class RowPage:
    """Rows in line order; `before` and `after` are the lines where the neighbouring pages begin, or None."""

    rows: Sequence[Row]
    before: int | None
    after: int | None


def line_number(text: str | None) -> int | None:
    """A line number from the address; whatever else stands there counts as not given."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 10:
        return None
    return min(int(text), LAST_LINE)


def row_page(job: Job, found: QuerySet[Row], request: HttpRequest, size: int) -> RowPage:
    """A page by line number: as quick at the end of a million rows as at the beginning (one query)."""
    after, before = line_number(request.GET.get("after")), line_number(request.GET.get("before"))
    if before is not None:
        rows = history.taken(job, found.filter(line__lt=before).order_by("-line"), size + 1)
        more, rows = len(rows) > size, rows[:size][::-1]
        return RowPage(rows, rows[0].line if more else None, rows[-1].line if rows else None)
    rows = history.taken(job, found.filter(line__gt=after or 0).order_by("line"), size + 1)
    more, rows = len(rows) > size, rows[:size]
    return RowPage(rows, rows[0].line if rows and after else None, rows[-1].line if more else None)
