"""A search for a text in the cells, inputs and names of a list, in windows of rows and for a bounded time: no index
finds a part of a text, and reading a million rows takes seconds."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet

from doi_reading import fold
from resolver.models import Row
from resolver.models.json_search import CellContains
from resolver.services.storage.keyset import Edge, filter_beyond, filter_up_to

_FIRST, _MOST = 200, 50_000  # rows of a window: the first ones may have cells of a million characters


def build_text_condition(text: str) -> Q:
    """Return the condition that a cell, the input or the name contains the text; A-Z is like a-z but in the input."""
    return Q(key__contains=fold(text)) | Q(input__contains=text) | Q(CellContains(F("cells"), text))


class TimedSearch:
    """A search for a text or a host that ends after some seconds, as a person waits. `stopped_at` then has the values
    of the last searched row in the columns of the order; it is None if all rows were searched, or enough were found."""

    def __init__(self, seconds: float = 3.0) -> None:
        self._until = time.monotonic() + seconds
        self.stopped_at: Sequence[Any] | None = None

    def iterate_windows(self, found: QuerySet[Row]) -> Iterator[QuerySet[Row]]:
        """Yield the ordered rows in windows, the first one at least, until all are searched or the time is over. The
        window after one of less than 0.2 seconds is four times as large."""
        order = [str(name) for name in found.query.order_by]
        columns = [name.removeprefix("-") for name in order]
        size = _FIRST
        while True:
            began = time.monotonic()
            last = found.values_list(*columns)[size - 1 : size].first()
            yield found if last is None else filter_up_to(found, order, last)
            if last is None:
                return
            now = time.monotonic()
            if now > self._until:
                self.stopped_at = last
                return
            size = min(4 * size, _MOST) if now - began < 0.2 else size
            found = filter_beyond(found, order, Edge(last))
