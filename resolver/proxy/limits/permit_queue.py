"""The permit for one request, and the queue of requests that wait for one."""

import asyncio
import math
import secrets
import time
from collections import deque
from dataclasses import dataclass

from resolver.proxy.limits.budget_state import LEAVES_ONE
from resolver.proxy.limits.proxy_health import ProxySignal, ProxySignalKind

UNSERVED_QUEUE_SECONDS = 1.0  # longer than a process passes a permit on (`budget.PASSED_ON_SECONDS`)
SLOW_REQUEST_SECONDS = 3.0


@dataclass(slots=True)
class Permit:
    """A permit to send one request. Its holder stores in `signal` how the proxy treated the request."""

    signal: ProxySignal | None = None
    cut_short: bool = False

    @property
    def abandoned(self) -> bool:
        """Whether the proxy may still work on the request: we stopped before its answer was over."""
        return self.cut_short or (self.signal is not None and self.signal.kind is ProxySignalKind.SILENT)


class WaitQueue:
    """The requests of one event loop that wait for a permit, in their order. Only the first looks for one. `awaited`:
    a person waits for the answers."""

    def __init__(self, *, awaited: bool = False) -> None:
        self.awaited = awaited
        self.name = secrets.token_hex(4)
        self.first = asyncio.Lock()  # held by the request that looks
        self.waiting = 0
        self.held = 0  # permits of the store
        self.taken_at = -math.inf  # monotonic seconds
        self.slow_until = -math.inf  # monotonic seconds
        self.passed: deque[tuple[str, float]] = deque()  # permits, each until when
        self._bell: asyncio.Future[None] | None = None

    @property
    def waiter(self) -> str:
        """Return the name under which this queue waits.

        If the queue has a permit and no person waits for the answers, it is "", so that other processes come first.
        After a slow request it is LEAVES_ONE, so that slow requests don't hold all permits. If it has taken no permit
        for UNSERVED_QUEUE_SECONDS, it waits again, because a request without an answer may hold its permit for long.
        """
        now = time.monotonic()
        if self.awaited or not self.held:
            return self.name
        if now < self.slow_until:
            return LEAVES_ONE
        return "" if now - self.taken_at < UNSERVED_QUEUE_SECONDS else self.name

    def note_time(self, seconds: float) -> None:
        """Record a slow request, if this one took longer than SLOW_REQUEST_SECONDS."""
        if seconds > SLOW_REQUEST_SECONDS:
            self.slow_until = time.monotonic() + 30.0  # longer than the DOI proxy takes for an answer

    async def wait_for_ring(self, seconds: float) -> None:
        """Wait for `ring`, for at most `seconds`."""
        loop = asyncio.get_running_loop()
        self._bell = loop.create_future()
        timer = loop.call_later(seconds, self.ring)
        try:
            await self._bell
        finally:
            timer.cancel()
            self._bell = None

    def ring(self) -> None:
        """Wake the first, if it waits."""
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)


async def sleep_in_full(seconds: float) -> None:
    """Sleep for at least so many seconds. uvloop's timers count whole milliseconds, and may end one too early."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:  # noqa: ASYNC110 - time has no event
        await asyncio.sleep(left)
