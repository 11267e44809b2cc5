"""Why something could not be stored or read: a full disk, a database or Redis that is away, or a value that a column
refuses. None of them is a fault of the portal."""

import errno
import sqlite3
from collections.abc import Iterator

import redis
from django.db import DataError, InterfaceError, OperationalError

FULL = "The portal has no space left, so nothing was stored. Contact the people who run it."
AWAY = "The portal can't reach its database or Redis. Nothing is lost: lists continue automatically when it's back."
_AWAY = (OperationalError, InterfaceError, redis.ConnectionError, redis.TimeoutError)
# SQLite has one class of error for these, a missing table and a query that is too long: the last two are our faults.
_SQLITE_AWAY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR})
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
MAX_LINKS = 50  # causes of one error; no program makes longer chains by design
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES_DISK_FULL = "53100"
_POSTGRES_LIMIT = "54"  # the class: an index entry or a statement is too large
_OF_VALUES = (DataError, ValueError, TypeError, OverflowError, RecursionError)


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether the disk of the uploads or of the database, or a quota on it, is full."""
    return any(_says_full(link) for link in _chain(error))


def is_store_away(error: BaseException | None) -> bool:
    """Return whether the database or Redis does not answer: stopped, restarted, or busy for too long."""
    return any(map(_says_away, _chain(error))) and not is_disk_full(error)


def is_value_refused(error: Exception) -> bool:
    """Return whether a value is refused, here or by the database: the fault of one row or one answer."""
    return isinstance(error, _OF_VALUES) or str(getattr(error.__cause__, "sqlstate", "")).startswith(_POSTGRES_LIMIT)


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
    """Yield the error and its causes, each once: an exception can be its own cause."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(seen) < MAX_LINKS:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
