"""Coroutines that hold the permits of one queue, as the requests of a session do."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from resolver.proxy.limits import Budget
from resolver.proxy.limits.permit import Permit
from resolver.proxy.limits.permit_queue import PermitQueue

LONGEST_SLEEP_SECONDS = 0.02

Waiter = asyncio.Future[Permit]


class Line:
    """A queue, and who looks whether it grants something."""

    def __init__(self, budget: Budget, *, awaited: bool = False) -> None:
        self.queue: PermitQueue[Waiter] = PermitQueue(budget, awaited=awaited)
        self._looking: asyncio.Task[None] | None = None
        self._without = 0

    @asynccontextmanager
    async def permit(self) -> AsyncIterator[Permit]:
        """Wait for a permit, and end it at the end of the block."""
        waiter: Waiter = asyncio.get_running_loop().create_future()
        self.queue.add(waiter)
        self._without += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            permit = await waiter
        finally:
            self._without -= 1
            if waiter.cancelled():
                self.queue.withdraw(waiter)
        try:
            yield permit
        except BaseException as error:
            permit.cut_short = not isinstance(error, Exception)
            raise
        finally:
            self.queue.end(permit)
            self._grant()

    async def _look(self) -> None:
        while self._without:
            self._grant()
            await asyncio.sleep(min(max(self.queue.look_at - time.monotonic(), 0.0), LONGEST_SLEEP_SECONDS))

    def _grant(self) -> None:
        for waiter, permit in self.queue.grant():
            if waiter.cancelled():
                self.queue.end(permit)
            else:
                waiter.set_result(permit)
