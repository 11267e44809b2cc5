"""What happens at one moment of another action: right before a statement of it reaches the database, or while it holds
its locks."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.db import OperationalError, connection

from tests.waiting import wait_until

LONGEST = 30  # seconds
# Connections that wait for a lock. The server has databases of other processes of pytest-xdist too, and who waits for
# another transaction waits for nothing of one database, but holds tables of it.
WAITING = """
FROM pg_locks WHERE NOT granted AND pid IN (
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = current_database())
"""
Result = TypeVar("Result")


class AnotherConnection(Generic[Result]):
    """Does something on a connection of its own."""

    def __init__(self, pool: ThreadPoolExecutor, act: Callable[[], Result]) -> None:
        self._pool, self._act = pool, act
        self._begun: Future[Result] | None = None

    def begin(self) -> None:
        """Begin, and return as soon as it waits for a lock or has ended."""
        begun = self._begun = self._pool.submit(self._run)
        wait_until("it waits for a lock", lambda: _is_somebody_waiting() or begun.done())

    def has_ended(self) -> bool:
        """Return whether it has ended, well or not."""
        assert self._begun is not None, "it was never begun"
        return self._begun.done()

    def get_result(self) -> Result:
        """Return what it returned, or raise what it raised, when it has ended."""
        assert self._begun is not None, "it was never begun"
        return self._begun.result(LONGEST)

    def _run(self) -> Result:
        try:
            return self._act()
        finally:
            connection.close()


@contextmanager
def another_connection(act: Callable[[], Result]) -> Iterator[AnotherConnection[Result]]:
    """Yield one that will do this when it is begun."""
    with ThreadPoolExecutor(1) as pool:
        yield AnotherConnection(pool, act)


@contextmanager
def another_begins_before(beginning: str, act: Callable[[], object]) -> Iterator[None]:
    """Let another connection do something, which begins right before the first statement that begins so, and goes on
    as soon as it may. Both must end well."""
    with another_connection(act) as another:
        with before_statement(beginning, another.begin):
            yield
        another.get_result()


@contextmanager
def before_statement(beginning: str, act: Callable[[], object]) -> Iterator[list[str]]:
    """Do something once, right before the first statement that begins so. Yield the statements before which it was."""
    met: list[str] = []

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not met and sql.startswith(beginning):
            met.append(sql)
            act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield met


def lose_database() -> None:
    raise OperationalError("the database went away")


def _is_somebody_waiting() -> bool:
    """Return whether another connection waits for a lock. On SQLite, which has one writer at a time, the second always
    waits."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"SELECT 1 {WAITING}")
        return connection.vendor != "postgresql" or cursor.fetchone() is not None
