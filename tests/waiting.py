"""Waits for what happens elsewhere: in a thread, in another process, at a server."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

LONGEST = 120  # seconds, many times what a busy machine takes: only what never comes takes them all
PAUSE = 0.02
Answer = TypeVar("Answer")


def wait_until(
    what: str, ask: Callable[[], Answer], is_it: Callable[[Answer], object] = bool, *, seconds: float = LONGEST
) -> Answer:
    """Ask again until the answer is true, or the wanted one, and return it. Fail when the time is over."""
    end = time.monotonic() + seconds
    while not is_it(answer := ask()):
        assert time.monotonic() < end, _describe(what, seconds, answer)
        time.sleep(PAUSE)
    return answer


async def wait_in_loop_until(what: str, ask: Callable[[], Answer], *, seconds: float = LONGEST) -> Answer:
    """The same, while the event loop goes on."""
    end = time.monotonic() + seconds
    while not (answer := ask()):
        assert time.monotonic() < end, _describe(what, seconds, answer)
        await asyncio.sleep(PAUSE)
    return answer


def _describe(what: str, seconds: float, answer: object) -> str:
    return f"waited {seconds} s until {what}; last seen: {answer}"
