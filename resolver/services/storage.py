"""What stands behind a failure to store or to read: a full disk, or a service that is away. Neither is our fault."""

import errno
from collections.abc import Iterator

import redis
from django.db import InterfaceError, OperationalError

FULL = "The portal has no room left to store this, and nothing of it was kept. Tell the people who run it."
AWAY = "The portal cannot reach its database, or Redis, right now. Nothing is lost: lists go on when it is back."
_AWAY = (OperationalError, InterfaceError, redis.ConnectionError, redis.TimeoutError)
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_POSTGRES_DISK_FULL = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html


def is_full(error: BaseException | None) -> bool:
    """Whether the error says that the disk, or a quota on it, is full: that of uploads or that of the database."""
    return any(_says_full(link) for link in _chain(error))


def is_away(error: BaseException | None) -> bool:
    """Whether the error says that the database, or Redis, does not answer: stopped, restarted, or busy for too long."""
    return any(isinstance(link, _AWAY) for link in _chain(error)) and not is_full(error)


def _says_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return True
    if not isinstance(error, OperationalError):
        return False
    return "disk is full" in str(error) or getattr(error.__cause__, "sqlstate", None) == _POSTGRES_DISK_FULL


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
