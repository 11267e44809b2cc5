"""The clock that all processes share: the database's, whatever the machine's says."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.services.storage.clock import JUMP_SECONDS, MEASURED_EVERY_SECONDS, SharedClock, compute_lead

pytestmark = pytest.mark.django_db(transaction=True)

NEAR = JUMP_SECONDS  # seconds: on a busy machine an answer takes its time


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the machine's clock so many seconds ahead."""
    read = time.time
    return lambda seconds: monkeypatch.setattr(time, "time", lambda: read() + seconds)


def is_right(clock: SharedClock) -> bool:
    return abs((clock.read() - datetime.now(UTC)).total_seconds()) < NEAR


@pytest.mark.parametrize("seconds", [120, -120])
def test_a_machine_whose_clock_is_wrong_reads_the_databases(set_clock: Callable[[float], None], seconds: float) -> None:
    set_clock(seconds)
    assert is_right(SharedClock())


def test_a_clock_that_is_set_meanwhile_changes_nothing(set_clock: Callable[[float], None]) -> None:
    clock = SharedClock()
    assert is_right(clock)
    for seconds in (3600, -3600, 0):
        set_clock(seconds)
        assert is_right(clock)


def test_a_transaction_that_lasts_reads_the_time_that_it_is_now() -> None:
    clock = SharedClock()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN")
        try:
            first = clock.read()
            time.sleep(0.2)
            assert (clock.read() - first).total_seconds() >= 0.2
        finally:
            cursor.execute("ROLLBACK")


def test_it_adds_no_query_and_many_threads_read_it_at_once() -> None:
    clock = SharedClock()

    def read(_: int) -> bool:
        try:
            return is_right(clock)
        finally:
            connection.close()

    with CaptureQueriesContext(connection) as queries, ThreadPoolExecutor(8) as threads:
        assert all(threads.map(read, range(200)))
        assert is_right(clock)
    assert len(queries) == 0


def test_without_a_database_the_time_goes_on_and_nobody_waits_for_it_again() -> None:
    known, new = SharedClock(), SharedClock()
    assert is_right(known)
    working = connection.settings_dict  # all threads share it
    connection.close()
    connection.settings_dict = {**working, "HOST": "127.0.0.1", "PORT": "9"}
    try:
        assert is_right(known)
        assert is_right(new)
        began = time.monotonic()
        assert all(is_right(new) for _ in range(1000))
        assert time.monotonic() - began < MEASURED_EVERY_SECONDS
    finally:
        connection.close()
        connection.settings_dict = working


def test_a_machine_with_the_right_clock_has_no_lead() -> None:
    assert abs(compute_lead()) < NEAR
