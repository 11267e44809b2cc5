"""A kept connection that breaks: each request that reaches the server has its own permit, also one that is repeated.

libcurl and http.client would repeat such a request by themselves, past the budget."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from resolver.proxy.bulk_client import BulkClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.budget_state import Booking
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer

FIRST, SECOND = "10.1/first", "10.1/second"


class CountingBudget(FileBudget):
    """Counts the permits it gives. It has a rate, so that none is passed on."""

    granted = 0

    def take(self, waiter: str = "") -> Booking:
        booking = super().take(waiter)
        self.granted += bool(booking.permit)
        return booking


@pytest.fixture
def counting(tmp_path: Path) -> Iterator[CountingBudget]:
    budget = CountingBudget(tmp_path / "counting", 4, 9000.0)
    yield budget
    budget.close()


def send_and_reset(content: bytes) -> Callable[[socket.socket], None]:
    def send(connection: socket.socket) -> None:
        connection.sendall(content)
        time.sleep(0.05)
        raw.reset(connection)

    return send


def send_and_close(content: bytes) -> Callable[[socket.socket], None]:
    return lambda connection: connection.sendall(content)


CUTS = {
    "closed before the head": raw.hang_up,
    "reset before the head": raw.reset,
    "closed after an interim answer": send_and_close(b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "closed in the status line": send_and_close(b"HTTP/1."),
    "closed in the head": send_and_close(b"HTTP/1.1 200 X\r\nContent-Le"),
    "reset in the head": send_and_reset(b"HTTP/1.1 200 X\r\nContent-Le"),
    "closed after the head": send_and_close(b"HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n"),
    "reset after the head": send_and_reset(b"HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n"),
    "closed in the body": raw.half,
    "reset in the body": send_and_reset(b'HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\n{"responseCode":100'),
    "closed in a chunk": raw.half_chunked,
    "closed between chunks": send_and_close(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"),
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_a_request_whose_kept_connection_breaks_is_repeated_with_a_permit_of_its_own(
    counting: CountingBudget, cut: raw.Answer
) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        asked.append(request.name)
        return cut if asked.count(SECOND) == 1 and request.name == SECOND else raw.missing(request.name)

    asked: list[str] = []
    with RawServer(answer) as server, BulkClient(config_for(server.url, concurrency=1), counting) as bulk:
        assert isinstance(bulk.resolve([FIRST])[FIRST].answer, MissingHandle)
        assert isinstance(bulk.resolve([SECOND])[SECOND].answer, MissingHandle)
    assert asked == [FIRST, SECOND, SECOND]
    assert counting.granted == 3


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
def test_a_server_that_always_cuts_a_connection_gets_three_requests_and_each_has_its_permit(
    counting: CountingBudget, cut: raw.Answer
) -> None:
    with RawServer(lambda request: cut) as server, BulkClient(config_for(server.url), counting) as bulk:
        assert isinstance(bulk.resolve([FIRST])[FIRST].answer, ProxyError | Unreachable)
    assert len(server.requests) == counting.granted == 3


@pytest.mark.parametrize("cut", [raw.hang_up, raw.reset], ids=["closed", "reset"])
def test_a_dead_kept_connection_is_one_request_more_than_the_three_attempts(
    counting: CountingBudget, cut: raw.Answer
) -> None:
    """The proxy may never have received that one."""
    with (
        RawServer(lambda request: raw.missing(FIRST) if request.name == FIRST else cut) as server,
        BulkClient(config_for(server.url, concurrency=1), counting) as bulk,
    ):
        bulk.resolve([FIRST])
        assert isinstance(bulk.resolve([SECOND])[SECOND].answer, Unreachable)
    assert len(server.requests) == counting.granted == 1 + 4


@pytest.mark.parametrize("seconds", [0.0, 0.0005, 0.001, 0.002, 0.005])
def test_connections_that_are_closed_soon_after_each_answer_lose_no_name_and_pass_no_limit(
    counting: CountingBudget, seconds: float
) -> None:
    def answer_and_close(name: str) -> raw.Answer:
        def send(connection: socket.socket) -> None:
            connection.sendall(raw.missing(name))
            time.sleep(seconds)

        return send

    names = [f"10.1/{number}" for number in range(100)]
    with (
        RawServer(lambda request: answer_and_close(request.name)) as server,
        BulkClient(config_for(server.url), counting) as bulk,
    ):
        found = bulk.resolve(names)
    assert {type(one.answer) for one in found.values()} == {MissingHandle}
    assert len(server.requests) <= counting.granted
    assert len(server.requests) >= 100


def test_a_connection_that_will_be_closed_is_not_used_again(counting: CountingBudget) -> None:
    def answer(request: raw.Request) -> bytes:
        return raw.http(404, {"responseCode": 100, "handle": request.name}, Connection="close")

    names = [f"10.1/{number}" for number in range(20)]
    with RawServer(answer) as server, BulkClient(config_for(server.url), counting) as bulk:
        assert {type(one.answer) for one in bulk.resolve(names).values()} == {MissingHandle}
    assert server.connections == len(server.requests) == counting.granted == 20


@pytest.mark.parametrize("concurrency", [2, 4])
def test_connections_are_kept_for_the_whole_list(budget: FileBudget, concurrency: int) -> None:
    names = [f"10.1/{number}" for number in range(200)]
    with (
        RawServer(lambda request: raw.missing(request.name)) as server,
        BulkClient(config_for(server.url, concurrency=concurrency), budget) as bulk,
    ):
        for start in range(0, 200, 50):
            bulk.resolve(names[start : start + 50])
        assert server.connections <= concurrency


def test_what_comes_on_a_connection_unasked_is_no_answer_to_the_next_name(counting: CountingBudget) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        if request.name != FIRST:
            return raw.missing(request.name)
        return raw.missing(FIRST) + raw.record(SECOND)

    with RawServer(answer) as server, BulkClient(config_for(server.url, concurrency=1), counting) as bulk:
        bulk.resolve([FIRST])
        assert isinstance(bulk.resolve([SECOND])[SECOND].answer, MissingHandle)
    assert len(server.requests) == counting.granted


def test_a_session_that_ends_closes_its_connections(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            bulk.resolve([FIRST])
            assert len(server._open) == 1
        end = time.monotonic() + 30
        while server._open:
            time.sleep(0.01)
            assert time.monotonic() < end
