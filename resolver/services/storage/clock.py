"""The clock that all processes share: the database's.

The clocks of two machines differ, by minutes if nothing sets them. A lease, a pause or a schedule that one of them
writes and another compares with its own clock would be over too early, or last too long. So every time that is stored
or compared is the database's. A process measures now and then by how much its own clock is off, and adds that: no
lease costs a query more.

SQLite has no clock of its own, and one machine.
"""

import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db import Error as AnyDatabaseError
from django.db import connection

MEASURED_EVERY = 10.0  # seconds: half of what a lease lasts; also from one failure to the next attempt
JUMP = 0.5  # seconds by which a clock that is set, or a machine that slept, is noticed at once


@dataclass(frozen=True, slots=True)
class _Offset:
    """`seconds` are added to the machine's clock (`time.time`), which was `ahead` of the monotonic one, that nobody can
    set. `known`: nothing has happened since it was measured but time."""

    seconds: float = 0.0
    ahead: float = 0.0
    until: float = 0.0  # when it is to be measured again (monotonic seconds)
    known: bool = False

    def follow(self, ahead: float) -> "_Offset":
        """Return what it is now, if only the machine's clock has changed."""
        if not self.until:
            return self
        return replace(self, seconds=self.seconds + self.ahead - ahead, ahead=ahead)


class SharedClock:
    """The database's clock, as far as the way to it lets a process know: it is off by half of the quickest answer at
    most. Threads share it, and a forked process goes on with it: it holds no lock."""

    def __init__(self) -> None:
        self._offset = _Offset()

    def read(self) -> datetime:
        """Return the time of the database. If the database doesn't answer, go on with what was measured last, or with
        the machine's clock if nothing was: pages that need no database must come all the same."""
        if connection.vendor == "sqlite":
            return datetime.now(UTC)
        offset, ahead = self._offset, time.time() - time.monotonic()
        if abs(ahead - offset.ahead) > JUMP:
            offset = self._offset = replace(offset.follow(ahead), ahead=ahead, until=0.0, known=False)
        # Nobody waits for a new connection, perhaps in vain, only because time has passed.
        if time.monotonic() >= offset.until and (not offset.known or connection.connection is not None):
            self._measure(offset, ahead)
        return datetime.fromtimestamp(time.time() + self._offset.seconds, UTC)

    def _measure(self, offset: _Offset, ahead: float) -> None:
        # Other threads go on with what is known while this one waits for the database.
        self._offset = current = replace(offset.follow(ahead), ahead=ahead, until=time.monotonic() + MEASURED_EVERY)
        try:
            low, high = measure_offset()
        except AnyDatabaseError:
            return  # the caller's own query says so
        # A slow answer says little, and must not move a clock that a quick one has set.
        self._offset = replace(current, seconds=min(max(current.seconds, low), high), known=True)


def measure_offset() -> tuple[float, float]:
    """Return between how many seconds the database's clock is ahead of this machine's. Raises django.db.Error.

    The query isn't one of Django's, which a page's or a test's count of queries would show now and then.
    """
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
