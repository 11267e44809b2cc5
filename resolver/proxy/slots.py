"""What a budget is, and how to wait for a turn: every attempt of every process takes a slot before it sends."""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from random import random
from typing import Generic, Protocol, TypeVar

MAX_PAUSE = 60.0
SHORTEST_POLL, LONGEST_POLL = 0.002, 0.05

Lease = TypeVar("Lease")
Result = TypeVar("Result")


class Budget(Protocol):
    """So many requests in flight, and so many a second, over all processes together."""

    def slot(self) -> AbstractContextManager[None]:
        """Wait for a turn; the request is sent, and its answer read, inside the context."""
        ...

    def async_slot(self, line: asyncio.Lock) -> AbstractAsyncContextManager[None]:
        """The same without blocking the event loop. Those who stand in one line wait in their order, and only the first
        of them looks again and again whether a slot is free."""
        ...

    def pause(self, seconds: float) -> None:
        """Let nobody, in any process, send anything for so long (Retry-After)."""
        ...


class TurnTaking(ABC, Generic[Lease]):
    """A budget, given ways to take a slot, to ask whether its time has come, and to give it back; none may block long.

    A slot is held while its turn is awaited, so no more turns are booked ahead than there are slots, and a process
    that is killed wastes at most those that it held.
    """

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
    async def async_slot(self, line: asyncio.Lock) -> AsyncIterator[None]:
        async with line:
            while (turn := await self.aside(self.take)) is None:
                await asyncio.sleep(SHORTEST_POLL * (0.5 + random()))  # noqa: S311 - spreads only
        lease, wait = turn
        try:
            while wait > 0:
                await asyncio.sleep(wait)
                wait = await self.aside(self.still_to_wait, lease)
            yield
        finally:
            await self.aside(self.give_back, lease)


def _poll(polls: int) -> float:
    return min(SHORTEST_POLL * 2.0 ** min(polls, 10), LONGEST_POLL) * (0.5 + random())  # noqa: S311 - spreads only
