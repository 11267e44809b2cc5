"""Told to slow down, or refused: what several processes together do about it, counted at the proxy."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from resolver.domain.handle.record import Record
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.limits import Paused
from resolver.proxy.limits.proxy_health import STOP_AFTER_REFUSALS, BackoffPolicy, ProxySignal, ProxySignalKind
from resolver.standin.server import SampleProxyServer
from tests.proxy.conftest import Make, config_for
from tests.proxy.limits.stores import PROCESSES, BudgetPlace
from tests.waiting import wait_until

RATE, LIMIT = 100.0, 40
# Quicker than in production, so that the test need not take minutes.
POLICY = BackoffPolicy(longest_pause=1.0, first_pause=0.2, recovery=10.0)


def ask(place: BudgetPlace, url: str, number: int, count: int, attempts: int) -> int:
    """Ask for so many names; how many got their record."""
    budget = place.budget(8, RATE, policy=POLICY)
    names = [f"10.5555/{number}-{name}" for name in range(count)]
    found = BulkClient(config_for(url, concurrency=8, attempts=attempts, backoff=0.5), budget).resolve(names)
    return sum(isinstance(resolution.answer, Record) for resolution in found.values())


@contextmanager
def two_processes(place: BudgetPlace, standin: SampleProxyServer, count: int, attempts: int = 3) -> Iterator[None]:
    """Two processes that ask for so many names each; all must have got their record when the block ends."""
    with PROCESSES.Pool(2) as pool:
        asked = [pool.apply_async(ask, (place, standin.url, number, count, attempts)) for number in range(2)]
        yield
        assert [each.get(300) for each in asked] == [count, count]


@pytest.mark.parametrize("place", ["redis"], indirect=True)
def test_at_a_proxy_with_a_limit_few_requests_are_refused_and_when_it_is_lifted_the_rate_recovers(
    place: BudgetPlace,
) -> None:
    with SampleProxyServer(latency=0.02) as standin:
        standin.refuse(above=LIMIT)
        with two_processes(place, standin, 250):
            wait_until("a request is refused", lambda: standin.watch.statuses[429])
            time.sleep(4)
            standin.watch.forget()
            time.sleep(5)
            settled = dict(standin.watch.statuses)
            standin.refuse()
            slowed = place.budget(8, RATE).read_health().pace
        print(settled, standin.watch.line())
    assert settled.get(429, 0) < settled[200] / 8
    recovered = place.budget(8, RATE).read_health().pace or RATE
    assert 0 < slowed < recovered
    assert standin.watch.most_in_a_second <= RATE


def test_what_refuses_everyone_is_asked_one_request_at_a_time_until_it_answers(place: BudgetPlace) -> None:
    with SampleProxyServer(latency=0.02) as standin:
        standin.refuse(everyone=True)
        with two_processes(place, standin, 30, attempts=9):
            barred_since = place.budget(8, RATE).get_barred_since
            wait_until("all stop", lambda: barred_since() and standin.watch.total >= STOP_AFTER_REFUSALS)
            time.sleep(0.5)
            assert standin.watch.total <= STOP_AFTER_REFUSALS + 8, "those under way, and no more"
            standin.watch.forget()
            wait_until("three have asked again", lambda: standin.watch.total >= 3)
            assert standin.watch.most_in_flight == 1
            standin.refuse()
    assert place.budget(8, RATE).get_barred_since() is None


def test_the_slower_pace_holds_for_all_and_outlives_its_process(make: Make) -> None:
    rate = 4.0  # its ticks are far from each other, however late the next is asked for
    budget = make(8, rate)
    budget.record_signal(ProxySignal(ProxySignalKind.LIMITED, 0.0))
    time.sleep(1.05)
    budget.record_signal(ProxySignal(ProxySignalKind.LIMITED, 0.0))
    budget.close()
    later = make(8, rate)
    waits = [later.take().wait for _ in range(3)]
    assert waits[2] - waits[1] == pytest.approx(2 / rate, rel=0.5)


def test_a_rate_that_a_service_says_holds_for_all_and_is_news_to_each_process(make: Make) -> None:
    policy, stated = BackoffPolicy(heeds_rate=True), ProxySignal(ProxySignalKind.GOOD, rate=2.0)
    one, other = make(8, 8.0, policy=policy), make(8, 8.0, policy=policy)
    other.is_news(ProxySignal(ProxySignalKind.GOOD))
    assert other.is_news(stated)
    one.record_signal(stated)
    waits = [other.take().wait for _ in range(3)]
    assert waits[2] - waits[1] == pytest.approx(0.5, abs=0.1)


def test_a_service_out_of_order_pauses_all(make: Make) -> None:
    policy = BackoffPolicy(failure_pause=30.0)
    one, other = make(8, 8.0, policy=policy), make(8, 8.0, policy=policy)
    for _ in range(3):
        failure = ProxySignal(ProxySignalKind.FAILED)
        assert one.is_news(failure)
        one.record_signal(failure)
    with pytest.raises(Paused), other.permit(10.0):
        pass


def test_refusals_of_some_names_among_good_answers_stop_nobody(make: Make) -> None:
    """Some firewalls refuse names with angle brackets; the others are answered, as quickly as ever."""
    budget = make(8)
    for number in range(200):
        with budget.permit() as permit:
            permit.signal = ProxySignal(ProxySignalKind.REFUSED if number % 3 else ProxySignalKind.GOOD)
        assert budget.get_barred_since() is None
