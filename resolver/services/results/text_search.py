"""Search a text in the cells, inputs and names of a list: window after window in the order of the page, for a bounded
time. No index finds a part of a text; a million rows are read through in some seconds."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet

from doi_reading import fold
from resolver.models import Row
from resolver.models.json_search import CellContains
from resolver.services.storage.keyset import Edge, filter_beyond, filter_up_to

SECONDS = 3.0  # for which a person waits
_FIRST, _MOST = 200, 50_000  # rows of a window: the first ones may have cells of a million characters
_QUICK = 0.2  # seconds for a window, after which the next one is four times as large


def build_text_condition(text: str) -> Q:
    """Return the condition that the text of a cell, the input or the name contains the text. In cells and names A-Z is
    like a-z."""
    return Q(key__contains=fold(text)) | Q(input__contains=text) | Q(CellContains(F("cells"), text))


class TimedSearch:
    """A search for a text or a host that ends after some seconds. `stopped_at` then has the values of the last row that
    was searched, in the columns of the order; it is None if all was searched, or as much as was wanted."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._until = time.monotonic() + seconds
        self.stopped_at: Sequence[Any] | None = None

    def iterate_windows(self, found: QuerySet[Row]) -> Iterator[QuerySet[Row]]:
        """Yield the ordered rows in windows, until all have come or the time is over; the first in any case."""
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
            size = min(4 * size, _MOST) if now - began < _QUICK else size
            found = filter_beyond(found, order, Edge(last))


UNBOUNDED = math.inf
"""Seconds of a search that no person waits for."""
