"""What is too much for memory while a file is read or written, kept on disk."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager


@contextmanager
def open_temporary_database() -> Iterator[sqlite3.Connection]:
    """Yield a database without a name: beyond a small cache it is on disk. Raises OSError if there is no room."""
    with closing(sqlite3.connect("", check_same_thread=False)) as database:
        try:
            yield database
        except sqlite3.OperationalError as error:
            raise OSError(errno.ENOSPC, str(error)) from error
