"""Waits in an event loop: no timer of uvloop, which may end a millisecond too early, sends a request too early."""

import asyncio
import time
from pathlib import Path

import uvloop

from resolver.proxy.async_client import BatchResult, ProxySession
from resolver.proxy.limits import FileBudget
from resolver.proxy.limits.budget_state import Booking
from resolver.proxy.limits.permit_queue import WaitQueue, sleep_in_full
from resolver.proxy.request_logic import Conversation, WaitStep
from tests.proxy.conftest import config_for

WAITS = [number / 10_000 for number in range(1, 100)]


def test_no_wait_on_uvloop_is_shorter_than_it_should_be() -> None:
    async def sleep_side_by_side() -> list[float]:
        return await asyncio.gather(*(measure_shortfall(number / 10_000) for number in range(1, 300)))

    assert max(uvloop.run(sleep_side_by_side())) <= 0


async def measure_shortfall(seconds: float) -> float:
    began = time.monotonic()
    await sleep_in_full(seconds)
    return seconds - (time.monotonic() - began)


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


def test_no_request_begins_before_its_turn_in_the_rate(tmp_path: Path) -> None:
    budget, sent = WatchedBudget(tmp_path), []

    async def send_one(queue: WaitQueue) -> None:
        async with budget.async_permit(queue):
            sent.append(time.monotonic())

    async def send_side_by_side() -> None:
        queue = WaitQueue()
        await asyncio.gather(*(send_one(queue) for _ in range(100)))

    uvloop.run(send_side_by_side())
    budget.close()
    assert len(sent) == len(budget.turns) == 100
    assert max(turn - at for turn, at in zip(sorted(budget.turns), sorted(sent), strict=True)) <= 0


def test_no_attempt_begins_before_its_wait_is_over(budget: FileBudget) -> None:
    def wait_often() -> Conversation[list[float]]:
        shortfalls = []
        for seconds in WAITS:
            began = time.monotonic()
            yield WaitStep(seconds)
            shortfalls.append(seconds - (time.monotonic() - began))
        return shortfalls

    session = ProxySession(config_for("http://127.0.0.1:9"), budget)
    shortfalls = session.submit(session.hold(wait_often(), lambda: True, WaitQueue(), BatchResult())).result()
    session.close()
    assert max(shortfalls) <= 0
