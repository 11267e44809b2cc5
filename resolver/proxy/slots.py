"""What a budget is, and how to wait for a turn: every attempt of every process takes a slot before it sends."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from random import random
from typing import Any, Generic, Protocol, TypeVar

MAX_PAUSE = 60.0
SHORTEST_POLL, LONGEST_POLL = 0.002, 0.05
# So long may a slot go from one to the next in a process, which saves the way to where it is kept; then others have
# their chance, and a pause that somebody else has set is seen.
KEPT = 0.02

Lease = TypeVar("Lease")
Result = TypeVar("Result")


class Budget(Protocol):
    """So many requests in flight, and so many a second, over all processes together."""

    def slot(self) -> AbstractContextManager[None]:
        """Wait for a turn; the request is sent, and its answer read, inside the context."""
        ...

    def async_slot(self, line: "Line") -> AbstractAsyncContextManager[None]:
        """The same without blocking the event loop. Those who stand in one line wait in their order, and only the first
        of them looks again and again whether a slot is free."""
        ...

    def pause(self, seconds: float) -> None:
        """Let nobody, in any process, send anything for so long (Retry-After)."""
        ...


class Line:
    """Those in one event loop who wait for a slot."""

    def __init__(self) -> None:
        self.first = asyncio.Lock()  # held by the one who looks for a slot
        self.waiting = 0
        self.handed_on: deque[tuple[Any, float]] = deque()  # slots, each with the time when it was taken
        self._bell: asyncio.Future[None] | None = None

    def hand_on(self, lease: object, since: float) -> None:
        """Leave the slot to the first in the line."""
        self.handed_on.append((lease, since))
        self.ring()

    async def news(self, seconds: float) -> None:
        """Wait for a slot that is handed on, but no longer than so."""
        loop = asyncio.get_running_loop()
        self._bell = loop.create_future()
        timer = loop.call_later(seconds, self.ring)
        try:
            await self._bell
        finally:
            timer.cancel()
            self._bell = None

    def ring(self) -> None:
        """Wake the first in the line, if it waits."""
        if self._bell is not None and not self._bell.done():
            self._bell.set_result(None)


class TurnTaking(ABC, Generic[Lease]):
    """A budget, given ways to take a slot, to ask whether its time has come, and to give it back; none may block long.

    A slot is held while its turn is awaited, so no more turns are booked ahead than there are slots, and a process
    that is killed wastes at most those that it held.
    """

    def __init__(self, interval: float) -> None:
        """`interval`: the seconds from one turn to the next, 0 where nobody need wait for a turn."""
        self._hands_on = not interval
        self._still_until = 0.0

    def keep_still(self, seconds: float) -> None:
        """Hand no slot on for so long: this process has just said, or been told, that all must pause."""
        self._still_until = max(self._still_until, time.monotonic() + seconds)

    @abstractmethod
    def take(self) -> tuple[Lease, float] | None:
        """A free slot and the seconds until its turn, or None when there is none right now."""

    @abstractmethod
    def still_to_wait(self, lease: Lease) -> float:
        """After the wait: 0 when the turn has come, or the seconds until a new one, when a pause was set meanwhile."""

    @abstractmethod
    def give_back(self, lease: Lease) -> None:
        """Let the next one have it."""

    @abstractmethod
    def pause(self, seconds: float) -> None:
        """Let nobody, in any process, send anything for so long (Retry-After)."""

    async def aside(self, function: Callable[..., Result], *arguments: Lease) -> Result:
        """Call one of the above in an event loop; a budget whose calls take time runs them in a thread."""
        return function(*arguments)

    @contextmanager
    def slot(self) -> Iterator[None]:
        polls = 0
        while (turn := self.take()) is None:
            time.sleep(_poll(polls))
            polls += 1
        lease, wait = turn
        try:
            while wait > 0:
                time.sleep(wait)
                wait = self.still_to_wait(lease)
            yield
        finally:
            self.give_back(lease)

    @asynccontextmanager
    async def async_slot(self, line: Line) -> AsyncIterator[None]:
        line.waiting += 1
        try:
            async with line.first:
                lease, wait, since = await self._wait_in(line)
        finally:
            line.waiting -= 1
            if not line.waiting:
                await self._give_back_all(line)
        try:
            while wait > 0:
                await asyncio.sleep(wait)
                wait = await self.aside(self.still_to_wait, lease)
            yield
        finally:
            if line.waiting and self._may_be_handed_on(since):
                line.hand_on(lease, since)
            else:
                await self.aside(self.give_back, lease)
                if random() < 0.5:  # noqa: S311 - the others of the process have their chance, and so have other processes
                    line.ring()

    async def _wait_in(self, line: Line) -> tuple[Lease, float, float]:
        """A slot, the seconds until its turn, and when this process took it."""
        while True:
            if line.handed_on and self._may_be_handed_on(line.handed_on[0][1]):
                lease, since = line.handed_on.popleft()
                return lease, 0.0, since
            await self._give_back_all(line)
            turn = await self.aside(self.take)
            if turn is not None:
                return *turn, time.monotonic()
            await line.news(SHORTEST_POLL * (0.5 + random()))  # noqa: S311 - spreads only

    async def _give_back_all(self, line: Line) -> None:
        while line.handed_on:
            await self.aside(self.give_back, line.handed_on.popleft()[0])

    def _may_be_handed_on(self, since: float) -> bool:
        now = time.monotonic()
        return self._hands_on and now >= self._still_until and now - since < KEPT


def _poll(polls: int) -> float:
    return min(SHORTEST_POLL * 2.0 ** min(polls, 10), LONGEST_POLL) * (0.5 + random())  # noqa: S311 - spreads only
