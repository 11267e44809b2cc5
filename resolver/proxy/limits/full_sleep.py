"""A wait in an event loop that is never too short: requests keep their distance."""

import asyncio
import time


async def sleep_in_full(seconds: float) -> None:
    """Sleep for at least so many seconds. uvloop's timers count whole milliseconds, and may end one too early."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:  # noqa: ASYNC110 - time has no event
        await asyncio.sleep(left)
