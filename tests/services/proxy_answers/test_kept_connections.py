"""A process keeps its connections to the DOI proxy between the requests that it answers."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from threading import Barrier
from typing import Any

import pytest

from resolver.domain.handle.answers import MissingHandle
from resolver.proxy import total_timeout
from resolver.proxy.client import MOST_KEPT_CONNECTIONS, ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.services.proxy_answers import configured_proxy
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer, Request


def missing(request: Request) -> raw.Answer:
    return raw.missing(request.name)


@pytest.fixture
def behind(settings: Any) -> Iterator[RawServer]:
    with RawServer(missing) as server:
        settings.DOI_PROXY_URL, settings.PROXY_RATE = server.url, 0
        yield server


def ask(name: str) -> None:
    assert isinstance(proxy_from_settings().client.resolve(name).answer, MissingHandle)


def test_several_lookups_share_one_connection(behind: RawServer) -> None:
    for number in range(5):
        ask(f"10.1/{number}")
    assert (len(behind.requests), behind.connections) == (5, 1)


def test_another_address_in_the_settings_is_asked_at_once(behind: RawServer, settings: Any) -> None:
    ask("10.1/a")
    with RawServer(missing) as other:
        settings.DOI_PROXY_URL = other.url
        ask("10.1/b")
        assert (len(behind.requests), len(other.requests)) == (1, 1)


def test_threads_keep_a_bounded_number_of_connections(behind: RawServer, settings: Any) -> None:
    settings.PROXY_CONCURRENCY = MOST_KEPT_CONNECTIONS
    with ThreadPoolExecutor(MOST_KEPT_CONNECTIONS) as pool:
        list(pool.map(ask, [f"10.1/{number}" for number in range(10 * MOST_KEPT_CONNECTIONS)]))
    assert 1 <= behind.connections <= MOST_KEPT_CONNECTIONS


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads take turns as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("quick_switches")
def test_threads_that_come_at_once_share_one_client_and_one_budget(settings: Any) -> None:
    together = Barrier(MOST_KEPT_CONNECTIONS)

    def find(_: int) -> tuple[int, int]:
        together.wait()
        proxy = proxy_from_settings()
        return id(proxy.client), id(proxy.budget)

    with ThreadPoolExecutor(MOST_KEPT_CONNECTIONS) as pool:
        for attempt in range(20):
            settings.DOI_PROXY_TIMEOUT = 20.0 + attempt / 100  # unknown so far
            assert len(set(pool.map(find, range(MOST_KEPT_CONNECTIONS)))) == 1


def test_a_process_forked_while_a_client_is_made_can_make_its_own(behind: RawServer) -> None:
    with configured_proxy._making:
        child = get_context("fork").Process(target=ask, args=("10.1/child",))
        child.start()
    child.join(30)
    try:
        assert child.exitcode == 0
    finally:
        child.kill()


def test_a_process_made_by_a_fork_opens_a_connection_of_its_own(behind: RawServer) -> None:
    ask("10.1/parent")
    child = get_context("fork").Process(target=ask, args=("10.1/child",))
    child.start()
    child.join(30)
    assert child.exitcode == 0
    ask("10.1/parent-again")
    assert [request.name for request in behind.requests] == ["10.1/parent", "10.1/child", "10.1/parent-again"]
    assert behind.connections == 2


@pytest.fixture
def budget(tmp_path: Any) -> Iterator[FileBudget]:
    kept = FileBudget(tmp_path / "budget", 4, None)
    yield kept
    kept.close()


@pytest.mark.parametrize("cut", [raw.reset, raw.hang_up])
def test_a_kept_connection_that_the_proxy_closes_is_no_failure(cut: Any, budget: FileBudget) -> None:
    """The request goes once more at once, over a new connection: a client with a single attempt gets its answer."""

    def answer(request: Request) -> raw.Answer:
        return cut if request.stale else raw.missing(request.name)

    with (
        RawServer(answer) as server,
        ProxyClient(config_for(server.url, attempts=1, least_attempts=1), budget) as client,
    ):
        assert isinstance(client.resolve("10.1/a").answer, MissingHandle)
        server.restarts += 1
        assert isinstance(client.resolve("10.1/b").answer, MissingHandle)
        assert [request.name for request in server.requests] == ["10.1/a", "10.1/b", "10.1/b"]


def test_a_new_connection_that_the_proxy_closes_is_a_failure(budget: FileBudget) -> None:
    with (
        RawServer(lambda request: raw.reset) as server,
        ProxyClient(config_for(server.url, attempts=1, least_attempts=1), budget) as client,
    ):
        assert not isinstance(client.resolve("10.1/a").answer, MissingHandle)
        assert len(server.requests) == 1


def test_a_connection_that_was_silent_for_long_is_not_used_again(
    budget: FileBudget, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RawServer(missing) as server, ProxyClient(config_for(server.url), budget) as client:
        client.resolve("10.1/a")
        monkeypatch.setattr(total_timeout, "KEPT_CONNECTION_SECONDS", 0.0)
        client.resolve("10.1/b")
        assert server.connections == 2
