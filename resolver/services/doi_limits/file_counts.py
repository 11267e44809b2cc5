"""What callers have used in an SQLite file, for one machine without a server."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from django.db import OperationalError

from resolver.services.doi_limits.allowance import WINDOW, Allowance, compute_allowance

# Without journal_mode=WAL: SQLite doesn't wait for others when it turns that on, and says "database is locked" at once.
_BEGIN = """
PRAGMA synchronous=OFF; PRAGMA secure_delete=ON; BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS counted (caller TEXT, second INTEGER, number INTEGER, PRIMARY KEY (caller, second))
    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counted_second ON counted (second);
"""


class FileCounts:
    """`window`: the seconds for which a number counts; `step`: the seconds that share one count. Raises
    django.db.OperationalError with SQLite's error as its cause (`storage_errors.py`)."""

    def __init__(self, path: Path, window: int = WINDOW, step: int = 1) -> None:
        self._path, self._window, self._step = path, window, step

    def take(self, caller: str, number: int, most: int) -> Allowance:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        with self._writing() as connection:
            now = self._prune(connection)
            counts = dict(connection.execute("SELECT second, number FROM counted WHERE caller = ?", (caller,)))
            fits = sum(counts.values()) + number <= most
            if fits:
                second = now - now % self._step
                counts[second] = counts.get(second, 0) + number
                connection.execute("REPLACE INTO counted VALUES (?, ?, ?)", (caller, second, counts[second]))
        return compute_allowance(counts, now, number, most, fits=fits, window=self._window)

    def prune(self) -> None:
        """Remove what no longer counts, when no request comes any more."""
        with self._writing() as connection:
            self._prune(connection)

    def _prune(self, connection: sqlite3.Connection) -> int:
        """Return the time."""
        now = int(time.time())
        # A second ahead was written before the clock was set back.
        connection.execute("DELETE FROM counted WHERE second <= ? OR second > ?", (now - self._window, now))
        return now

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction without other writers, on a connection that no thread and no fork shares."""
        if not self._path.exists():
            with suppress(OSError):  # SQLite says below why it can't be made
                self._path.touch(mode=0o600)
        try:
            with closing(sqlite3.connect(self._path, timeout=10, isolation_level=None)) as connection:
                connection.executescript(_BEGIN)
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error
