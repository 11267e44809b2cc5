"""The edge of a keyset page, read from an address."""

from django.http import QueryDict

from resolver.domain.foreign_text import parse_whole_number
from resolver.models import LAST_LINE
from resolver.services.storage.keyset import Edge


def parse_page_edge(query: QueryDict) -> Edge | None:
    """Where the page begins (`?after=`) or ends (`?before=`); None for the first page."""
    after, before = (parse_whole_number(query.get(name, ""), LAST_LINE) for name in ("after", "before"))
    return Edge((before,), backwards=True) if before is not None else Edge((after,)) if after else None
