"""An SQLite file that the processes of one machine share, for what has to be counted without a server."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from django.db import OperationalError

# Without journal_mode=WAL: SQLite doesn't wait for others when it turns that on, and says "database is locked" at once.
_QUICK = "PRAGMA synchronous=OFF; PRAGMA secure_delete=ON;"


class SharedSqlite:
    """`tables`: the SQL that makes them, unless they are there."""

    def __init__(self, path: Path, tables: str) -> None:
        self._path = path
        self._begin = f"{_QUICK} BEGIN IMMEDIATE; {tables}"

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction without other writers, on a connection that no thread and no fork shares. Raises
        django.db.OperationalError with SQLite's error as its cause (`storage_errors.py`)."""
        if not self._path.exists():
            with suppress(OSError):  # SQLite says below why it can't be made
                self._path.touch(mode=0o600)
        try:
            with closing(sqlite3.connect(self._path, timeout=10, isolation_level=None)) as connection:
                connection.executescript(self._begin)
                yield connection
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error
