"""The windows in an SQLite file, for one machine without a server.

Django's cache of files cannot count: its `add` is not atomic, and beyond 300 entries it drops some by chance.
"""

import sqlite3
import time
from pathlib import Path

from resolver.services.storage.shared_sqlite import SharedSqlite

_TABLES = """
CREATE TABLE IF NOT EXISTS attempt (key TEXT, attempt TEXT, moment REAL, PRIMARY KEY (key, attempt)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS attempt_moment ON attempt (moment);
"""
_NTH_FROM_LAST = "SELECT moment FROM attempt WHERE key = ? ORDER BY moment DESC LIMIT 1 OFFSET ?"


class FileWindows:
    """Raises django.db.OperationalError with SQLite's error as its cause (`storage_errors.py`)."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._file = SharedSqlite(path, _TABLES)
        self._seconds = seconds

    def add(self, attempt: str, bounds: dict[str, int]) -> float:
        with self._file.writing() as connection:
            now = self._prune(connection)
            waits = [
                row[0] + self._seconds - now
                for key, bound in bounds.items()
                if (row := connection.execute(_NTH_FROM_LAST, (key, bound - 1)).fetchone())
            ]
            if waits:
                return max(waits)
            connection.executemany("INSERT INTO attempt VALUES (?, ?, ?)", [(key, attempt, now) for key in bounds])
        return 0.0

    def remove(self, attempt: str, keys: list[str]) -> None:
        with self._file.writing() as connection:
            found = [(key, attempt) for key in keys]
            connection.executemany("DELETE FROM attempt WHERE key = ? AND attempt = ?", found)

    def prune(self) -> None:
        """Remove what no longer counts, when nobody logs in any more."""
        with self._file.writing() as connection:
            self._prune(connection)

    def _prune(self, connection: sqlite3.Connection) -> float:
        """Return the time."""
        now = time.time()
        # A time ahead was written before the clock was set back.
        connection.execute("DELETE FROM attempt WHERE moment <= ? OR moment > ?", (now - self._seconds, now))
        return now

    def empty(self, key: str) -> None:
        with self._file.writing() as connection:
            connection.execute("DELETE FROM attempt WHERE key = ?", (key,))
