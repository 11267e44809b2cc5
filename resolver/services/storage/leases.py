"""A lease: one of several workers holds a row, for a short time that it renews while it works.

The lease of a killed worker expires, and the sweep gives the work to another. Every change is one conditional UPDATE,
so only one of two workers gets the row.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.models import Model, Q, QuerySet

Clock = Callable[[], datetime]
Leased = TypeVar("Leased", bound=Model)

LEASE = timedelta(seconds=20)
TURN_SECONDS = 2.0  # of a worker for one list, comparison or host check, before it looks for others that wait
MOST_UNDER_WAY = 2  # comparisons, and host checks: others wait, so that lists keep their share of the workers
MESSAGE_LIFETIME = timedelta(seconds=60)  # for which a message may wait for a worker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeaseColumns:
    """The columns of a table for its leases: the holder's token, "" without one, and the end of the lease. `heartbeat`:
    a column that gets the time with each renewal."""

    token: str
    until: str
    lasting: timedelta = LEASE
    heartbeat: str = ""

    def build_unattended_condition(self, now: datetime) -> Q:
        """Return the condition of rows that no worker holds. A token without a time marks a row that can't be taken."""
        return Q(**{self.until: None}) | Q(**{f"{self.until}__lt": now})

    def take(self, rows: QuerySet[Leased], now: datetime, **columns: Any) -> "Lease[Leased] | None":
        """Take the one row of this query, and set these columns; None if another worker holds it."""
        token = str(uuid.uuid4())
        free = rows.filter(Q(**{self.token: ""}) | Q(**{f"{self.until}__lt": now}))
        if not free.update(**{self.token: token}, **self.build_renewal(now), **columns):
            return None
        row = rows.filter(**{self.token: token}).first()
        return None if row is None else Lease(row, self, token)

    def reserve(self, rows: QuerySet[Leased], now: datetime, lasting: timedelta = MESSAGE_LIFETIME) -> list[Any]:
        """Return the keys of rows that no worker holds, oldest first, each once in that time, to send messages."""
        unattended = rows.filter(self.build_unattended_condition(now))
        until = {self.token: "", self.until: now + lasting}
        oldest_first = list(unattended.order_by("pk").values_list("pk", flat=True))
        return [pk for pk in oldest_first if unattended.filter(pk=pk).update(**until)]

    def work_on(
        self, rows: QuerySet[Leased], step: "Callable[[Lease[Leased]], bool]", *, until: float, clock: Clock
    ) -> bool:
        """Take the one row of this query, which has a column `done`, and take steps until it is done or that time
        (monotonic seconds) has come, but at least one. A step returns False if the lease is lost, or there is nothing
        more to do. Return whether there is more to do."""
        lease = self.take(rows, clock())
        if lease is None:
            return False
        row: Any = lease.row
        try:
            with lease.keep(clock):
                while not row.done:
                    if not step(lease):
                        return False
                    if time.monotonic() >= until:
                        break
        finally:
            lease.give_back()
        return not row.done

    def build_renewal(self, now: datetime) -> dict[str, datetime]:
        """Return the columns of a lease that begins now."""
        return {self.until: now + self.lasting} | ({self.heartbeat: now} if self.heartbeat else {})


@dataclass(frozen=True, slots=True)
class Lease(Generic[Leased]):
    """A row that this worker holds as long as it has the token."""

    row: Leased
    columns: LeaseColumns
    token: str

    def find_row(self) -> QuerySet[Leased]:
        """Return the query of the row, empty once the lease is lost."""
        return type(self.row)._default_manager.filter(pk=self.row.pk, **{self.columns.token: self.token})

    def renew(self, now: datetime, **columns: Any) -> bool:
        """Renew the lease, and set these columns. Return False if it is lost."""
        return bool(self.find_row().update(**self.columns.build_renewal(now), **columns))

    def give_back(self, **columns: Any) -> bool:
        """End the lease, and set these columns. Return False if it was lost."""
        return bool(self.find_row().update(**{self.columns.token: "", self.columns.until: None}, **columns))

    @contextmanager
    def keep(self, clock: Clock) -> Iterator[None]:
        """Renew the lease from a thread of its own until the block ends."""
        stop = threading.Event()
        thread = threading.Thread(
            target=copy_context().run, args=(self._renew_until, stop, clock), name="lease", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _renew_until(self, stop: threading.Event, clock: Clock) -> None:
        try:
            while not stop.wait(self.columns.lasting.total_seconds() / 4):
                try:
                    self.renew(clock())
                except AnyDatabaseError:
                    # The database may be away for a moment. An expired lease is noticed when results are written.
                    log.warning("a lease could not be renewed", exc_info=True)
                    connection.close()
        finally:
            connection.close()
