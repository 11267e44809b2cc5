"""What stands behind a failure to store or to read: a full disk, or a service that is away. Neither is our fault."""

import errno
import sqlite3
from collections.abc import Iterator

import redis
from django.db import InterfaceError, OperationalError

FULL = "The portal has no space left, so nothing was stored. Tell the people who run it."
AWAY = "The portal can't reach its database or Redis. Nothing is lost: lists continue automatically when it's back."
_AWAY = (OperationalError, InterfaceError, redis.ConnectionError, redis.TimeoutError)
# SQLite has the same class of error for these and for a missing table, or too long a query, which are faults of ours.
_SQLITE_AWAY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
MAX_LINKS = 50  # of what an error came from: longer chains are none that a program makes by design
_POSTGRES_DISK_FULL = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html


def is_full(error: BaseException | None) -> bool:
    """Whether the error says that the disk, or a quota on it, is full: that of uploads or that of the database."""
    return any(_says_full(link) for link in _chain(error))


def is_away(error: BaseException | None) -> bool:
    """Whether the error says that the database, or Redis, does not answer: stopped, restarted, or busy for too long."""
    return any(map(_says_away, _chain(error))) and not is_full(error)


def _says_away(error: BaseException) -> bool:
    if isinstance(cause := error.__cause__, sqlite3.Error):
        # The lowest eight bits are the kind, the others which of its kind.
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _SQLITE_AWAY
    return isinstance(error, _AWAY)


def _says_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return True
    if not isinstance(error, OperationalError):
        return False
    return "disk is full" in str(error) or getattr(error.__cause__, "sqlstate", None) == _POSTGRES_DISK_FULL


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came from, as far as that is new: an exception can be its own cause."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(seen) < MAX_LINKS:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
