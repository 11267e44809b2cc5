"""Searches of rows that no index finds, in windows of rows and for a bounded time: wide rows may take seconds.

A text is searched in cells, inputs and names. A host is searched in a list that stores no hosts: the database leaves
out most other rows, and `find_host` decides. Storing the host of every row would slow down each check for a rare
question.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import F, Q, QuerySet

from doi_reading import fold
from resolver.domain.redirect.web_host import LONGEST_HOST, find_host
from resolver.models import Job, Row
from resolver.models.json_search import CellContains, MayHaveHost
from resolver.services.jobs.row_readings import has_expected_addresses
from resolver.services.storage.keyset import Edge, filter_beyond, filter_up_to

_FIRST_WINDOW, _LARGEST_WINDOW = 200, 50_000  # rows: the first ones may have cells of a million characters


def build_text_condition(text: str) -> Q:
    """Return the condition that a cell, the input or the name has the text; A-Z is like a-z, except in the input."""
    return Q(key__contains=fold(text)) | Q(input__contains=text) | Q(CellContains(F("cells"), text))


def must_read_hosts(job: Job, host: str) -> bool:
    """Return whether a host ("": none) must be read from URL values: lists with expected addresses have an index."""
    return bool(host) and not has_expected_addresses(job)


def filter_possible(found: QuerySet[Row], host: str) -> QuerySet[Row]:
    """Return all rows that lead to the host, and a few others, which `leads_to` excludes."""
    return found.filter(MayHaveHost(F("urls"), host)) if len(host) <= LONGEST_HOST else found.none()


def leads_to(host: str, urls: Sequence[str]) -> bool:
    """Return whether the first URL value of a row is on the host, as in files and checks of hosts."""
    return bool(urls) and find_host(urls[0]) == host


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
        size, whole = _FIRST_WINDOW, found
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
            size = min(4 * size, _LARGEST_WINDOW) if now - began < 0.2 else size
            # The newest edge first: SQLite starts there, and would search all windows again from any other.
            found = filter_beyond(Row.objects.all(), order, Edge(last)) & whole
