"""A connection to the database that was kept from an earlier request may have died since."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.test.utils import CaptureQueriesContext

from resolver.domain.record import Missing, Resolution
from resolver.services.answers import held, keep
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def stored() -> list[str]:
    return list(held(["10.1/a"], proxy="p", since=NOW - timedelta(hours=1), now=NOW))


def begin_a_request() -> None:
    """What Django does at the start of each: a kept connection is to be looked at before it is used."""
    connection.close_if_unusable_or_obsolete()


def test_a_stored_answer_costs_one_statement_also_the_first_of_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    keep({"10.1/a": Resolution(Missing())}, {}, proxy="p", now=NOW)
    begin_a_request()
    looks: list[str] = []
    monkeypatch.setattr(connections[DEFAULT_DB_ALIAS], "is_usable", lambda: bool(looks.append("SELECT 1") or True))
    with CaptureQueriesContext(connection) as queries:
        assert stored() == ["10.1/a"]
    assert (len(queries), looks) == (1, [])


if connection.vendor == "postgresql":  # SQLite has nobody at the other end who could go away

    def end_the_connection() -> None:
        number = connection.connection.info.backend_pid

        def elsewhere() -> None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [number])
            connection.close()

        with ThreadPoolExecutor(1) as other:
            other.submit(elsewhere).result()

    def test_one_that_has_died_is_made_anew_and_the_answer_found() -> None:
        keep({"10.1/a": Resolution(Missing())}, {}, proxy="p", now=NOW)
        begin_a_request()
        end_the_connection()
        assert stored() == ["10.1/a"]

    def test_one_that_dies_while_it_is_used_is_a_fault_as_ever() -> None:
        keep({"10.1/a": Resolution(Missing())}, {}, proxy="p", now=NOW)
        begin_a_request()
        stored()
        end_the_connection()
        with pytest.raises(DatabaseError):
            stored()
        connection.close()
