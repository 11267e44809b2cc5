"""Addresses of neighbouring pages of the same list, and what a page of rows holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from resolver.models import Job, Row
from resolver.services.jobs.row_queries import RowFilter, taken

LAST_LINE = 2**31 - 1


def query_without(request: HttpRequest, *names: str) -> str:
    """The request's query without the parameters that name the page; ends with `&` unless it is empty."""
    query = request.GET.copy()
    for name in (*names, *[name for name, value in query.items() if not value]):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""


@dataclass(frozen=True, slots=True)
class RowPage:
    """Rows in line order, up or down; `before` and `after` are where the neighbouring pages begin, or None."""

    rows: Sequence[Row]
    before: int | None
    after: int | None


def line_number(text: str | None) -> int | None:
    """A line number from the address; whatever else stands there counts as not given."""
    if not text or not (text.isascii() and text.isdigit()) or len(text) > 10:
        return None
    return min(int(text), LAST_LINE)


def row_page(job: Job, wanted: RowFilter, request: HttpRequest, size: int, *, down: bool = False) -> RowPage:
    """A page by line number, `down` from the last row to the first: as quick at the end of a million rows as at the
    beginning (two queries)."""
    after, before = line_number(request.GET.get("after")), line_number(request.GET.get("before"))
    backwards = before is not None
    edge, falling = before if backwards else after, down != backwards
    found = Row.objects.filter(job=job).order_by("-line" if falling else "line")
    if edge is not None:
        found = found.filter(**{f"line__{'lt' if falling else 'gt'}": edge})
    rows = taken(job, found, wanted, size + 1)
    more, rows = len(rows) > size, rows[:size]
    if backwards:
        rows = rows[::-1]
        return RowPage(rows, rows[0].line if more else None, rows[-1].line if rows else None)
    return RowPage(rows, rows[0].line if rows and after else None, rows[-1].line if more else None)
