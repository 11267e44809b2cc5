"""What stands behind a failure to store, seen in the errors that really come."""

import errno
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import redis
from django.db import InterfaceError, InternalError, OperationalError

from resolver.services.storage import storage_errors


def raised(act: Callable[[], object]) -> BaseException:
    with pytest.raises(Exception) as caught:
        act()
    return caught.value


def from_cause(outer: Exception, cause: BaseException) -> Exception:
    outer.__cause__ = cause
    return outer


def test_sqlite_without_room_is_full(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "small") as database:
        database.execute("PRAGMA max_page_count = 2")
        error = raised(lambda: database.execute("CREATE TABLE a AS SELECT randomblob(100000) AS b"))
    database.close()
    known = from_cause(OperationalError(*error.args), error)
    assert storage_errors.is_unwritable(known)
    assert not storage_errors.is_store_away(known)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS])
def test_a_full_or_read_only_disk_is_seen_through_what_was_made_of_it(number: int) -> None:
    assert storage_errors.is_unwritable(from_cause(RuntimeError("the upload broke off"), OSError(number, "no room")))


def test_postgresql_without_room_is_full() -> None:
    error = from_cause(OperationalError("could not extend file"), psycopg.errors.DiskFull("could not extend file"))
    assert storage_errors.is_unwritable(error)
    assert not storage_errors.is_store_away(error)


def test_sqlite_on_a_read_only_disk_is_unwritable(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE a (b)")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        error = of_sqlite(lambda: database.execute("INSERT INTO a VALUES (1)"))
    assert storage_errors.is_unwritable(error)
    assert not storage_errors.is_store_away(error)


def test_postgresql_that_only_reads_is_unwritable() -> None:
    error = from_cause(InternalError("cannot execute INSERT"), psycopg.errors.ReadOnlySqlTransaction("cannot execute"))
    assert storage_errors.is_unwritable(error)


@pytest.mark.parametrize("error", [OperationalError("server closed the connection"), InterfaceError("closed")])
def test_a_database_that_does_not_answer_is_away(error: Exception) -> None:
    assert storage_errors.is_store_away(error)
    assert not storage_errors.is_unwritable(error)


def of_sqlite(act: Callable[[], object]) -> Exception:
    """As Django raises it."""
    cause = raised(act)
    return from_cause(OperationalError(*cause.args), cause)


def test_sqlite_that_others_keep_busy_or_that_cannot_be_opened_is_away(tmp_path: Path) -> None:
    path = tmp_path / "busy"
    with closing(sqlite3.connect(path)) as first, closing(sqlite3.connect(path, timeout=0)) as second:
        first.execute("BEGIN EXCLUSIVE")
        assert storage_errors.is_store_away(of_sqlite(lambda: second.execute("BEGIN EXCLUSIVE")))
    assert storage_errors.is_store_away(of_sqlite(lambda: sqlite3.connect(tmp_path / "nowhere" / "file")))


@pytest.mark.parametrize("query", ["SELECT * FROM nothing", f"SELECT {'?, ' * 300_000}1"])
def test_sqlite_that_is_asked_for_what_it_has_not_got_is_not_away(query: str) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        error = of_sqlite(lambda: database.execute(query))
    assert isinstance(error.__cause__, sqlite3.OperationalError)
    assert not storage_errors.is_store_away(error)


def test_redis_that_nobody_runs_is_away() -> None:
    with redis.Redis(port=9, socket_connect_timeout=1) as client:
        assert storage_errors.is_store_away(raised(client.ping))


@pytest.mark.parametrize("error", [OSError(errno.EACCES, "denied"), ValueError("a fault of ours"), None])
def test_what_is_our_own_fault_is_neither(error: Exception | None) -> None:
    assert not storage_errors.is_unwritable(error)
    assert not storage_errors.is_store_away(error)


def test_an_error_that_is_its_own_cause_is_looked_at_once() -> None:
    error = ValueError("a circle of one")
    assert not storage_errors.is_unwritable(from_cause(error, error))
    assert not storage_errors.is_store_away(error)


def test_errors_that_come_from_each_other_are_looked_at_once_each() -> None:
    first, second = OSError(errno.EACCES, "denied"), OSError(errno.ENOSPC, "no room")
    first.__context__, second.__cause__ = second, first
    assert storage_errors.is_unwritable(first)
    assert not storage_errors.is_store_away(first)


def test_a_chain_of_errors_is_followed_for_some_links_only() -> None:
    error: Exception = OSError(errno.ENOSPC, "no room")
    for _ in range(storage_errors.MAX_LINKS):
        error = from_cause(RuntimeError("made of another"), error)
    assert not storage_errors.is_unwritable(error)
    assert storage_errors.is_unwritable(error.__cause__)
