"""Why something could not be stored or read: a full or read-only disk, a database, Redis or file storage that is away,
or a value that a column refuses. None of them is a fault of the portal."""

import errno
import sqlite3
from collections.abc import Iterator

import redis
from django.db import DatabaseError, DataError, InterfaceError, OperationalError

UNWRITABLE = "The portal's storage is full or read-only, so nothing was stored. Contact the people who run it."
AWAY = (
    "The portal can't reach its database, Redis or file storage. Nothing is lost: lists continue automatically when "
    "it's back."
)
RETRY_SECONDS = 10  # until a program may retry what is away
OUR_FAULT = "This portal had an error (details are in its log). Try again, or contact the people who run it."
# SQLite has one class of error for these, a missing table and a query that is too long: the last two are our faults.
_SQLITE_AWAY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR})
_SQLITE_UNWRITABLE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})
_UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
MAX_LINKS = 50  # causes of one error; real chains are shorter
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES_UNWRITABLE = frozenset({"53100", "25006"})  # a full disk; a read-only transaction, as on a standby
_POSTGRES_LIMIT = "54"  # the class: an index entry or a statement is too large
_OF_VALUES = (DataError, ValueError, TypeError, OverflowError, RecursionError)


class FilesUnreachable(Exception):
    """The uploaded files can't be reached from this process: their storage is away or refuses, or it isn't that of the
    other processes. Its words name no address."""


_AWAY = (OperationalError, InterfaceError, redis.ConnectionError, redis.TimeoutError, FilesUnreachable)


def is_unwritable(error: BaseException | None) -> bool:
    """Return whether the disk of the uploads or of the database is full or read-only, or a quota on it is reached."""
    return any(_says_unwritable(link) for link in _iterate_chain(error))


def is_store_away(error: BaseException | None) -> bool:
    """Return whether the database, Redis or the storage of files does not answer: stopped, restarted or too busy."""
    return any(map(_says_away, _iterate_chain(error))) and not is_unwritable(error)


def is_value_refused(error: Exception) -> bool:
    """Return whether a value is refused, here or by the database: the fault of one row or one answer."""
    return isinstance(error, _OF_VALUES) or str(getattr(error.__cause__, "sqlstate", "")).startswith(_POSTGRES_LIMIT)


def _says_away(error: BaseException) -> bool:
    if isinstance(cause := error.__cause__, sqlite3.Error):
        # The lowest eight bits are the kind, the others which of its kind.
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _SQLITE_AWAY
    return isinstance(error, _AWAY)


def _says_unwritable(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in _UNWRITABLE
    if not isinstance(error, DatabaseError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in _SQLITE_UNWRITABLE
    return getattr(cause, "sqlstate", None) in _POSTGRES_UNWRITABLE


def _iterate_chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield the error and its causes, each once: an exception can be its own cause."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen and len(seen) < MAX_LINKS:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
