"""The budget as the proxy sees it: four processes with both kinds of client, counted where the requests arrive."""

import time

import pytest

from resolver.proxy.bulk_client import BatchRequest, BulkClient
from resolver.proxy.client import ProxyClient
from resolver.standin.server import SampleProxyServer
from tests.proxy.conftest import config_for
from tests.proxy.limits.stores import PROCESSES, BudgetPlace
from tests.waiting import wait_until

Limits = tuple[int, float | None]


def ask(place: BudgetPlace, url: str, limits: Limits, number: int, seconds: float) -> None:
    """Ask as long as there is time: every second process for many names at once, as a worker does, and not evenly."""
    until = time.monotonic() + seconds
    config, budget = config_for(url, concurrency=limits[0]), place.budget(*limits)
    names = [f"10.5555/{number}-{count}" for count in range(5000)]
    if number % 2:
        with BulkClient(config, budget) as bulk:
            half = until - seconds / 2
            bulk.start(BatchRequest(records=names[:2500], until=half)).result()
            time.sleep(0.3 * number)  # a burst after a silence
            bulk.start(BatchRequest(records=names[2500:], until=until)).result()
        return
    with ProxyClient(config, budget) as client:
        for name in names:
            if time.monotonic() > until:
                return
            client.resolve(name)


@pytest.mark.parametrize("limits", [pytest.param((3, None), marks=pytest.mark.slow), (8, 40.0)])
def test_neither_limit_is_ever_passed_at_the_proxy(place: BudgetPlace, limits: Limits) -> None:
    with SampleProxyServer(latency=0.02) as standin:
        arguments = [(place, standin.url, limits, number, 3.0) for number in range(4)]
        processes = [PROCESSES.Process(target=ask, args=each) for each in arguments]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0] * 4
        watch = standin.watch
        print(watch.line())
    assert set(watch.statuses) == {200}
    assert watch.most_in_flight <= limits[0]
    assert watch.most_in_a_second <= (limits[1] or watch.total)
    # It is used, too: a budget that lets nothing through would hold as well.
    assert watch.total > 20


def test_a_request_that_is_given_up_keeps_its_slot_for_a_while(place: BudgetPlace) -> None:
    """The proxy goes on with it: it cannot know that nobody waits any more."""
    with SampleProxyServer(latency=2.0) as standin:
        config, names = config_for(standin.url, concurrency=3), [f"10.5555/given-up-{count}" for count in range(9)]
        for _ in range(2):
            with BulkClient(config, place.budget(3)) as bulk:
                asked = bulk.start(BatchRequest(records=names))
                wait_until("three are under way", lambda asked=asked: asked.wait(0.02) or standin.watch.total >= 3)
                asked.wait(0.2)
        assert standin.watch.total == standin.watch.most_in_flight == 3
