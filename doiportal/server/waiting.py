"""Requests that wait for a place at the DOI proxy, without a thread (services/proxy_answers/semaphore.py)."""

import asyncio
from collections import Counter, deque
from time import monotonic

from resolver.services.proxy_answers.semaphore import PLACES, ProxySemaphore

LOOK_EVERY = 0.01  # seconds between two looks at the places
TRY_EVERY = 0.25  # seconds after which one is let in though all places are taken: its answer may be stored by now


class WaitingRoom:
    """Those who wait are let in again in the order in which they came, as many at a time as there are places."""

    def __init__(self, places: ProxySemaphore) -> None:
        self._places = places
        self._waiting: deque[tuple[asyncio.Future[None], str]] = deque()
        self._targets: Counter[str] = Counter()
        self._watching: asyncio.Task[None] | None = None

    def holds(self, target: str) -> bool:
        """Whether somebody waits for the very same thing."""
        return target in self._targets

    async def wait(self, target: str) -> None:
        """Return when it is worth another try."""
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append((mine, target))
        self._targets[target] += 1
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        await mine

    def let_in(self, many: int) -> None:
        """Have these many try again. One that was answered calls it too: so may be the next."""
        for _ in range(min(many, len(self._waiting))):
            next_one, target = self._waiting.popleft()
            self._targets[target] -= 1
            if not self._targets[target]:
                del self._targets[target]
            if not next_one.done():  # it was given up
                next_one.set_result(None)

    async def _watch(self) -> None:
        tried = monotonic()
        while self._waiting:
            await asyncio.sleep(LOOK_EVERY)
            many = PLACES if not self._places.is_full or self._places.is_stuck else 0
            if not many and monotonic() - tried >= TRY_EVERY:
                many = 1
            if many:
                tried = monotonic()
                self.let_in(many)
        self._watching = None
