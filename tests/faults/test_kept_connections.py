"""A connection to PostgreSQL is kept from one request to the next, and looked at before it is used again."""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Timer

import psutil
import psycopg
import pytest
from django.db import connection
from django.db.utils import ProgrammingError
from django.utils import timezone

from resolver.models import Job
from resolver.services.health.figures import PortalFigures
from resolver.services.health.readiness import check_parts
from resolver.services.proxy_answers.configured_proxy import DoiProxy, proxy_from_settings
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other() -> Iterator[psycopg.Connection]:
    """Another connection to the same server, which sees what ours does. Ours is made anew: it is closed after a minute,
    however busy the tests before have been."""
    connection.close()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as opened:
        yield opened


def ask(question: str) -> object:
    """The first value of what our connection is answered."""
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


def last_question(other: psycopg.Connection, pid: object) -> str:
    found = other.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()
    assert found
    return str(found[0])


def a_request_begins() -> None:
    """What Django does with the connection of a thread."""
    connection.close_if_unusable_or_obsolete()
    connection.close_if_health_check_failed()


def test_a_connection_that_lives_is_used_again_without_a_question(other: psycopg.Connection) -> None:
    pid = ask("SELECT pg_backend_pid()")
    a_request_begins()
    assert last_question(other, pid) == "SELECT pg_backend_pid()"
    assert ask("SELECT pg_backend_pid()") == pid


def test_a_connection_that_the_server_ended_is_replaced_before_the_first_question(other: psycopg.Connection) -> None:
    pid = ask("SELECT pg_backend_pid()")
    other.execute("SELECT pg_terminate_backend(%s)", [pid])
    running = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
    wait_until("the connection has ended", lambda: other.execute(running, [pid]).fetchone() is None)
    a_request_begins()
    assert ask("SELECT pg_backend_pid()") != pid


def test_after_an_error_the_server_is_asked_whether_the_connection_can_be_used(other: psycopg.Connection) -> None:
    pid = ask("SELECT pg_backend_pid()")
    with pytest.raises(ProgrammingError):
        ask("SELECT nothing_of_the_kind")
    a_request_begins()
    assert last_question(other, pid) == "SELECT 1"


def find_troubles(proxy: DoiProxy) -> object:
    return [part.name for part in check_parts(proxy, now=timezone.now(), uptime=timedelta()) if not part.is_ready]


def list_missing_figures(proxy: DoiProxy) -> object:
    figures = {figure.name: figure for figure in PortalFigures(proxy, timezone.now(), Job.objects.all()).collect()}
    return [sample.labels["part"] for sample in figures["doiportal_figures_read"].samples if not sample.value]


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize(("look", "seen"), [(find_troubles, ["worker"]), (list_missing_figures, [])])
def test_one_that_hangs_holds_neither_readiness_nor_metrics_up(
    look: Callable[[DoiProxy], object], seen: object
) -> None:
    serving = psutil.Process(int(str(ask("SELECT pg_backend_pid()"))))
    serving.suspend()
    ends = Timer(20, serving.resume)
    ends.start()
    try:
        assert look(proxy_from_settings()) == seen
        assert ends.is_alive(), "it answered while the connection hung"
    finally:
        ends.cancel()
        serving.resume()
