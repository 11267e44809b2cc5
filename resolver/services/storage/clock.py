"""The clock that all processes share: the database's.

The clocks of two machines differ, by minutes if nothing sets them. A lease, a pause or a schedule that one of them
writes and another compares with its own clock would be over too early, or last too long. So every time that is stored
or compared is the database's. A process measures the offset of its own clock now and then, and adds it: no lease costs
another query.

SQLite has no clock of its own, and one machine.
"""

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db import Error as AnyDatabaseError
from django.db import connection

MEASURED_EVERY_SECONDS = 10.0  # half of what a lease lasts; also from one failure to the next attempt
JUMP_SECONDS = 0.5  # by which a clock that is set, or a machine that slept, is noticed at once


@dataclass(frozen=True, slots=True)
class _Offset:
    """`seconds` are added to the machine's clock (`time.time`), which was `ahead` of the monotonic one. `known`: only
    time has passed since it was measured."""

    seconds: float = 0.0
    ahead: float = 0.0
    until: float = 0.0  # when it is to be measured again (monotonic seconds)
    known: bool = False

    def follow(self, ahead: float) -> "_Offset":
        """Return the offset now, if only the machine's clock has changed."""
        if not self.until:
            return self
        return replace(self, seconds=self.seconds + self.ahead - ahead, ahead=ahead)


class SharedClock:
    """The database's clock, off by half of the quickest answer at most. Threads and forks share it: it has no lock."""

    def __init__(self) -> None:
        self._offset = _Offset()

    def read(self) -> datetime:
        """Return the time of the database. If it doesn't answer, use the last measurement, or the machine's clock if
        there is none: pages that need no database must work all the same."""
        if connection.vendor == "sqlite":
            return datetime.now(UTC)
        offset, ahead = self._offset, time.time() - time.monotonic()
        if abs(ahead - offset.ahead) > JUMP_SECONDS:
            offset = self._offset = replace(offset.follow(ahead), ahead=ahead, until=0.0, known=False)
        # No caller waits for a new connection, which may fail, only because time has passed.
        if time.monotonic() >= offset.until and (not offset.known or connection.connection is not None):
            self._measure(offset, ahead)
        return datetime.fromtimestamp(time.time() + self._offset.seconds, UTC)

    def _measure(self, offset: _Offset, ahead: float) -> None:
        # Other threads use what is known while this one waits for the database.
        self._offset = current = replace(
            offset.follow(ahead), ahead=ahead, until=time.monotonic() + MEASURED_EVERY_SECONDS
        )
        try:
            low, high = measure_offset()
        except AnyDatabaseError:
            return  # the caller's own query reports it
        # A slow answer is inexact, and must not move a clock that a quick one has set.
        self._offset = replace(current, seconds=min(max(current.seconds, low), high), known=True)


def measure_offset() -> tuple[float, float]:
    """Return the least and the most seconds by which the database's clock is ahead of this machine's. The query isn't
    one of Django's, which counts of queries would show now and then. Raises django.db.Error."""
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.cursor() as cursor:
        began = time.time()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())::float8")
        shared, ended = cursor.fetchone()[0], time.time()
    return shared - ended, shared - began


_shared_clock = SharedClock()


def read_clock() -> datetime:
    """Return the time that all processes share (aware, UTC)."""
    return _shared_clock.read()


def compute_lead() -> float:
    """Return by how many seconds this machine's clock is ahead of that time, negative if it is behind."""
    return time.time() - read_clock().timestamp()
