"""Waits: no request is sent before its turn, and no attempt begins before its wait is over."""

import time
from functools import partial
from pathlib import Path

from resolver.proxy.bulk_client import BatchRequest, ProxySession
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.budget_state import Booking
from resolver.proxy.limits.permit_queue import PermitQueue
from resolver.proxy.request_logic import Conversation, WaitStep
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer

WAITS = [number / 10_000 for number in range(1, 100)]


class WatchedBudget(FileBudget):
    """A budget that stores the earliest moment at which each turn may come."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 100, 300.0)
        self.turns: list[float] = []

    def take(self, waiter: str = "") -> Booking:
        began = time.monotonic()
        booking = super().take(waiter)
        if booking.permit:
            self.turns.append(began + booking.wait)
        return booking


def assert_none_too_early(turns: list[float], sent: list[float]) -> None:
    assert len(sent) == len(turns) == 100
    assert max(turn - at for turn, at in zip(sorted(turns), sorted(sent), strict=True)) <= 0


def test_a_queue_grants_nothing_before_its_turn_in_the_rate(tmp_path: Path) -> None:
    budget, sent = WatchedBudget(tmp_path), []
    queue: PermitQueue[int] = PermitQueue(budget)
    for number in range(100):
        queue.add(number)
    while queue.look_at < float("inf"):
        for _ in queue.grant():
            sent.append(time.monotonic())  # noqa: PERF401 - the moment of each
        time.sleep(min(max(queue.look_at - time.monotonic(), 0.0), 0.1))
    budget.close()
    assert_none_too_early(budget.turns, sent)


def test_no_request_begins_before_its_turn_in_the_rate(tmp_path: Path) -> None:
    budget = WatchedBudget(tmp_path)
    with RawServer(lambda request: raw.missing(request.name)) as server:
        session = ProxySession(config_for(server.url, concurrency=100), budget)
        session.start(BatchRequest(records=[f"10.1/{number}" for number in range(100)])).result()
        session.close()
        sent = [request.at for request in server.requests]
    budget.close()
    assert_none_too_early(budget.turns, sent)


def test_no_attempt_begins_before_its_wait_is_over(budget: FileBudget) -> None:
    def wait_often() -> Conversation[list[float]]:
        shortfalls = []
        for seconds in WAITS:
            began = time.monotonic()
            yield WaitStep(seconds)
            shortfalls.append(seconds - (time.monotonic() - began))
        return shortfalls

    session, found = ProxySession(config_for("http://127.0.0.1:9"), budget), {}
    batch = session.start(BatchRequest())
    for number in range(3):
        session._begin(batch, wait_often(), lambda: True, partial(found.__setitem__, number), is_record=False)
    session._batches.append(batch)
    batch.result()
    session.close()
    assert [len(shortfalls) for shortfalls in found.values()] == [len(WAITS)] * 3
    assert max(max(shortfalls) for shortfalls in found.values()) <= 0
