"""Waits in an event loop."""

import asyncio
import time

import uvloop

from resolver.proxy.limits.full_sleep import sleep_in_full


def test_no_wait_on_uvloop_is_shorter_than_it_should_be() -> None:
    async def sleep_side_by_side() -> list[float]:
        return await asyncio.gather(*(measure_shortfall(number / 10_000) for number in range(1, 300)))

    assert max(uvloop.run(sleep_side_by_side())) <= 0


async def measure_shortfall(seconds: float) -> float:
    began = time.monotonic()
    await sleep_in_full(seconds)
    return seconds - (time.monotonic() - began)
