"""The edge of a keyset page, read from an address."""

from django.http import HttpRequest, QueryDict

from resolver.domain.foreign_text import parse_whole_number
from resolver.models import LAST_LINE
from resolver.services.storage.keyset import Edge


def get_page_edge(request: HttpRequest) -> Edge | None:
    """Where the page begins (`?after=`) or ends (`?before=`); None for the first page."""
    return parse_page_edge(request.GET)


def parse_page_edge(query: QueryDict) -> Edge | None:
    """`get_page_edge` of a query."""
    after, before = (parse_whole_number(query.get(name, ""), LAST_LINE) for name in ("after", "before"))
    return Edge((before,), backwards=True) if before is not None else Edge((after,)) if after else None
