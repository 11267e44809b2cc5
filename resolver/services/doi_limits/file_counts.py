"""What callers have used in an SQLite file, for one machine without a server."""

import sqlite3
import time
from pathlib import Path

from resolver.services.doi_limits.allowance import WINDOW, Allowance, compute_allowance
from resolver.services.storage.shared_sqlite import SharedSqlite

_TABLES = """
CREATE TABLE IF NOT EXISTS counted (caller TEXT, second INTEGER, number INTEGER, PRIMARY KEY (caller, second))
    WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS counted_second ON counted (second);
"""


class FileCounts:
    """`window`: the seconds for which a number counts; `step`: the seconds that share one count. Raises
    django.db.OperationalError."""

    def __init__(self, path: Path, window: int = WINDOW, step: int = 1) -> None:
        self._file, self._window, self._step = SharedSqlite(path, _TABLES), window, step

    def take(self, caller: str, number: int, most: int) -> Allowance:
        """Count the number for the caller if it fits into `most`. Return what is left."""
        with self._file.writing() as connection:
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
        with self._file.writing() as connection:
            self._prune(connection)

    def _prune(self, connection: sqlite3.Connection) -> int:
        """Return the time."""
        now = int(time.time())
        # A second ahead was written before the clock was set back.
        connection.execute("DELETE FROM counted WHERE second <= ? OR second > ?", (now - self._window, now))
        return now
