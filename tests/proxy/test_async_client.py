"""A list asked by a thread of its own: a caller who goes away, or a fault of our own, leaves nothing running."""

import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from resolver.proxy.async_client import BatchRequest, BulkClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.permit_queue import Permit, WaitQueue
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer
from tests.waiting import wait_until

NAMES = [f"10.1/{number}" for number in range(500)]
NOBODY = "http://127.0.0.1:9"


def records(*, until: float = float("inf")) -> BatchRequest:
    return BatchRequest([], NAMES, lambda name, verdict: False, until)


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "questions"]


def answer_slowly(request: raw.Request) -> bytes:
    """All names together take two seconds and more."""
    time.sleep(0.02)
    return raw.missing(request.name)


def test_a_caller_may_leave_in_the_middle(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            asked = bulk.start(records())
            wait_until("it has begun", lambda: server.requests)
        assert asked.cancelled()
        assert threads() == []
        assert len(server.requests) < 500


def test_nothing_new_is_begun_after_the_time_given(budget: FileBudget) -> None:
    with RawServer(answer_slowly) as server:
        with BulkClient(config_for(server.url), budget) as bulk:
            found = bulk.start(records(until=time.monotonic() + 1)).result()
            assert (
                bulk.start(BatchRequest(NAMES, [], lambda name, verdict: True, time.monotonic())).result().agencies
                == {}
            )
        assert 0 < len(found.records) == len(server.requests) < 500


def test_nothing_new_is_begun_after_so_many_bytes(budget: FileBudget) -> None:
    """Each answer may have five megabytes, and a worker holds those of a thousand names."""

    def answer(request: raw.Request) -> bytes:
        return raw.record(request.name, ("URL", "https://example.org/" + "a" * 100_000))

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        found = bulk.start(BatchRequest(records=NAMES, most_bytes=1_000_000)).result()
        under_way = config_for(server.url).concurrency
        assert 10 <= len(found.records) == len(server.requests) <= 10 + under_way
        assert 1_000_000 < found.received < (11 + under_way) * 100_000
        assert bulk.start(BatchRequest(records=NAMES[:3], most_bytes=1_000_000)).result().records.keys() == {*NAMES[:3]}


def test_what_has_no_answer_at_the_end_is_given_up_and_the_other_answers_are_kept(budget: FileBudget) -> None:
    def answer(request: raw.Request) -> raw.Answer:
        return raw.silence if request.name == "10.1/3" else raw.missing(request.name)

    with RawServer(answer) as server, BulkClient(config_for(server.url), budget) as bulk:
        began = time.monotonic()
        found = bulk.start(BatchRequest(records=NAMES[:10], ends=began + 2)).result()
        assert time.monotonic() - began < 30
        assert set(found.records) == {*NAMES[:10]} - {"10.1/3"}
        assert bulk.start(BatchRequest(records=NAMES[:10], ends=began)).result().records == {}
        assert bulk.resolve(["10.1/1"])["10.1/1"].answer.raw, "and the session goes on"


def test_an_empty_list_needs_nothing(budget: FileBudget) -> None:
    assert BulkClient(config_for(NOBODY), budget).resolve([]) == {}


class Broken(FileBudget):
    """A budget that fails after some turns, as one in Redis does when Redis goes away."""

    turns = 20

    @asynccontextmanager
    async def async_permit(self, line: WaitQueue) -> AsyncIterator[Permit]:
        self.turns -= 1
        if self.turns < 0:
            raise ConnectionError("the budget is gone")
        async with super().async_permit(line) as turn:
            yield turn


def test_a_fault_of_our_own_ends_the_list_with_that_fault(tmp_path_factory: pytest.TempPathFactory) -> None:
    budget = Broken(tmp_path_factory.mktemp("budget"), 4, None)
    with RawServer(lambda request: raw.missing(request.name)) as server, pytest.raises(ConnectionError):
        BulkClient(config_for(server.url), budget).resolve(NAMES)
    assert threads() == []
    budget.close()
