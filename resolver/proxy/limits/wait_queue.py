"""The requests of one event loop that wait for a permit, in their order."""

import asyncio
from collections import deque


class WaitQueue:
    """Only the first that waits looks for a permit; the others wait for it."""

    def __init__(self) -> None:
        self.first = asyncio.Lock()  # held by the one who looks for a permit
        self.waiting = 0
        self.passed: deque[tuple[str, float]] = deque()  # permits, each with the time when it was taken
        self._bell: asyncio.Future[None] | None = None

    def pass_permit(self, permit: str, since: float) -> None:
        """Leave the permit to the first that waits."""
        self.passed.append((permit, since))
        self.ring()

    async def news(self, seconds: float) -> None:
        """Wait for a permit that is passed on, but no longer than so."""
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
