"""One worker at a time holds a row, whatever table it is in, and nobody for longer than a lease after its last sign."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.models import QuerySet

from resolver.models import Job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage.leases import LEASE, Lease, LeaseColumns
from tests.services.conftest import NOW, make_job

pytestmark = pytest.mark.django_db(transaction=True)

COLUMNS = LeaseColumns("reader", "read_until")
LATER = NOW + LEASE + timedelta(seconds=1)


@pytest.fixture
def rows(proxy: DoiProxy) -> QuerySet[Job]:
    return Job.objects.filter(pk=make_job("10.1000/1\n", proxy).pk)


def taken(rows: QuerySet[Job]) -> Lease[Job]:
    lease = COLUMNS.take(rows, NOW)
    assert lease is not None
    return lease


def test_of_many_who_want_a_row_at_once_one_gets_it(rows: QuerySet[Job]) -> None:
    def want(_: int) -> Lease[Job] | None:
        try:
            return COLUMNS.take(rows, NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        leases = [lease for lease in workers.map(want, range(12)) if lease is not None]
    assert len(leases) == 1
    assert rows.get().reader == leases[0].token


def test_a_lease_that_ran_out_is_anothers_and_the_first_holder_learns_it(rows: QuerySet[Job]) -> None:
    first = taken(rows)
    assert COLUMNS.take(rows, NOW + LEASE) is None
    second = COLUMNS.take(rows, LATER)
    assert second is not None
    assert not first.renew(LATER, note="late")
    assert not first.give_back(note="late")
    assert not first.find_row().exists()
    assert (rows.get().reader, rows.get().note) == (second.token, "")


def test_a_lease_that_is_renewed_is_nobody_elses(rows: QuerySet[Job]) -> None:
    lease = taken(rows)
    assert lease.renew(NOW + LEASE, note="still here")
    assert COLUMNS.take(rows, LATER) is None
    assert not rows.filter(COLUMNS.build_unattended_condition(LATER)).exists()
    assert rows.get().note == "still here"


def test_what_was_given_back_is_taken_at_once(rows: QuerySet[Job]) -> None:
    assert taken(rows).give_back()
    assert rows.filter(COLUMNS.build_unattended_condition(NOW)).exists()
    assert COLUMNS.take(rows, NOW, note="mine") is not None
    assert rows.get().note == "mine"


@pytest.mark.parametrize("errors", [[], [OperationalError("server closed"), InterfaceError("already closed")]])
def test_a_lease_is_renewed_while_its_worker_works_and_outlives_a_moment_without_a_database(
    errors: list[Exception], rows: QuerySet[Job]
) -> None:
    lease = replace(COLUMNS, lasting=timedelta(seconds=0.04)).take(rows, NOW)
    assert lease is not None
    renewed = Event()

    def clock() -> datetime:
        if errors:
            raise errors.pop()
        if rows.get().read_until > NOW + timedelta(minutes=1):
            renewed.set()
        return NOW + timedelta(minutes=2)

    with lease.keep(clock):
        assert renewed.wait(10)
    assert not any(thread.name == "lease" for thread in threading.enumerate())


def test_a_row_with_a_mark_is_unattended_and_is_not_taken(rows: QuerySet[Job]) -> None:
    rows.update(reader="a mark", read_until=None)
    assert rows.filter(COLUMNS.build_unattended_condition(NOW)).exists()
    assert COLUMNS.take(rows, NOW) is None


def test_a_row_that_is_gone_or_does_not_fit_is_not_taken(rows: QuerySet[Job]) -> None:
    assert COLUMNS.take(rows.filter(note="another"), NOW) is None
    rows.delete()
    assert COLUMNS.take(rows, NOW) is None
