"""A lease: of several workers one holds a row, for a short time that it renews for as long as it lives.

A worker that is killed cannot say so; its lease runs out, and the sweep gives the work to another. Every change is one
conditional UPDATE, so of two at the same moment one alone gets the row.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Model, Q, QuerySet

Clock = Callable[[], datetime]
Leased = TypeVar("Leased", bound=Model)

LEASE = timedelta(seconds=20)
RENEW_EVERY = 5.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LeaseColumns:
    """Where a table keeps its leases: the holder's token, "" where there is none, and until when it holds."""

    token: str
    until: str

    def unattended(self, now: datetime) -> Q:
        """Of rows: nobody holds them. A token without a time is a mark that keeps a row from being taken."""
        return Q(**{self.until: None}) | Q(**{f"{self.until}__lt": now})

    def take(self, rows: QuerySet[Leased], now: datetime, **columns: Any) -> "Lease[Leased] | None":
        """Hold the one row of this query, and set these columns with it; None where another holds it."""
        token = str(uuid.uuid4())
        free = rows.filter(Q(**{self.token: ""}) | Q(**{f"{self.until}__lt": now}))
        if not free.update(**{self.token: token, self.until: now + LEASE}, **columns):
            return None
        row = rows.filter(**{self.token: token}).first()
        return None if row is None else Lease(row, self, token)


@dataclass(frozen=True, slots=True)
class Lease(Generic[Leased]):
    """A row that is ours for as long as it has our token."""

    row: Leased
    columns: LeaseColumns
    token: str

    def ours(self) -> QuerySet[Leased]:
        """The row, as long as it is ours."""
        return type(self.row)._default_manager.filter(pk=self.row.pk, **{self.columns.token: self.token})

    def renew(self, now: datetime, **columns: Any) -> bool:
        """Hold it for longer, and set these columns with it; whether it is still ours."""
        return bool(self.ours().update(**{self.columns.until: now + LEASE}, **columns))

    def give_back(self, **columns: Any) -> bool:
        """Let others have it, and set these columns with it; whether it was still ours."""
        return bool(self.ours().update(**{self.columns.token: "", self.columns.until: None}, **columns))


@contextmanager
def keep_renewing(renew: Callable[[], object], *, every: float = RENEW_EVERY) -> Iterator[None]:
    """Call `renew` from a thread of its own every few seconds until the block ends."""
    stop = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(stop, renew, every), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _renew_until(stop: threading.Event, renew: Callable[[], object], every: float) -> None:
    try:
        while not stop.wait(every):
            try:
                renew()
            except (DatabaseError, InterfaceError):
                # The database may be away for a moment; the next round tries again, and a lease that ran out is
                # noticed when results are written.
                log.warning("a lease could not be renewed", exc_info=True)
                connection.close()
    finally:
        connection.close()
