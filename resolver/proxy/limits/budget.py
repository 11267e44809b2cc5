"""What a budget is, and how to wait for a turn: every attempt of every process takes a slot before it sends."""

import asyncio
import logging
import math
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from random import random
from typing import Any, Generic, Protocol, TypeVar

from resolver.proxy.limits.backoff import (
    GROWTH_EVERY,
    BackoffPolicy,
    ProxyHealth,
    Reaction,
    Signal,
    SignalKind,
    full_pace,
)
from resolver.proxy.limits.deadline import Paused, time_left

FASTEST = 10_000.0  # a rate from here on is none: no portal sends so many
SHORTEST_POLL, LONGEST_POLL = 0.002, 0.05
# So long may a slot go from one to the next in a process, which saves the way to where it is kept; then others have
# their chance, and a pause that somebody else has set is seen.
KEPT = 0.02
WARN_EVERY = 60.0
# Seconds for which a slot stays taken when its request was given up, by us or because its process was killed: the proxy
# notices later, and has one more in the works until then.
ABANDONED = 5.0

Lease = TypeVar("Lease")
Result = TypeVar("Result")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Permit:
    """Leave to send one request. Whoever has it says in `heard` how the answer received us, if one came."""

    heard: Signal | None = None
    cut_short: bool = False

    @property
    def abandoned(self) -> bool:
        """Whether the proxy may still be at work for us: we have turned away before its answer was over."""
        return self.cut_short or (self.heard is not None and self.heard.kind is SignalKind.SILENT)


@contextmanager
def _cut_short(turn: Permit) -> Iterator[None]:
    """A request in an event loop that ends is cancelled, whatever the proxy does about it."""
    try:
        yield
    except BaseException as error:
        turn.cut_short = not isinstance(error, Exception)
        raise


class Budget(Protocol):
    """So many requests in flight, and so many in any second, over all processes together, as the proxy sees them: a
    request counts from when its turn begins until its answer is over, and towards the rate for a second more."""

    def slot(self, patience: float = math.inf) -> AbstractContextManager[Permit]:
        """Wait for a turn; the request is sent, and its answer read, inside the context. Raises Paused as soon as it is
        known that a pause lasts longer than `patience`: seconds from the call."""
        ...

    def async_slot(self, line: "WaitQueue") -> AbstractAsyncContextManager[Permit]:
        """The same without blocking the event loop. Those who stand in one line wait in their order, and only the first
        of them looks again and again whether a slot is free."""
        ...

    def pause(self, seconds: float) -> None:
        """Let nobody, in any process, send anything for so long."""
        ...

    def paused_for(self) -> float:
        """The seconds for which nobody may send anything yet; 0 when there is no pause."""
        ...

    def barred_since(self) -> datetime | None:
        """Since when the proxy has answered with refusals alone: it may have barred us. None when it has not."""
        ...


class WaitQueue:
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


class SharedBudget(ABC, Generic[Lease]):
    """A budget, given ways to take a slot, to ask whether its time has come, and to give it back; none may block long.

    A slot is held while its turn is awaited, so no more turns are booked ahead than there are slots, and a process
    that is killed wastes at most those that it held.
    """

    def __init__(self, concurrency: int, rate: float | None, manners: BackoffPolicy) -> None:
        """`rate`: requests in a second; None or 0: as many as come."""
        self.concurrency = max(1, concurrency)
        self.rate = rate if rate and 0 < rate < FASTEST else 0.0
        # So many may be counted towards the rate at a time, and each of them for so long after its answer is over:
        # whatever the time on the way, no second at the proxy then holds more (of two that come within a second, the
        # first one's answer was over less than a second before the second one's turn, or not yet).
        self.tokens = max(1, int(self.rate)) if self.rate else 0
        self.counted_for = max(1.0, 1.0 / self.rate) if self.rate else 0.0
        self.full = full_pace(self.concurrency, self.rate)
        self.manners = manners
        # As of the last look: whether good answers are news; whether every one is, as something was refused; and how
        # long it may be worth waiting for the next look.
        self.alert = self.refused = False
        self.next_look = 0.0
        self._still_until = self._told_good_at = 0.0
        self._warned_at = -WARN_EVERY

    def keep_still(self, seconds: float) -> None:
        """Hand no slot on for so long: this process has just said, or been told, that all must pause."""
        self._still_until = max(self._still_until, time.monotonic() + seconds)

    @abstractmethod
    def take(self) -> tuple[Lease, float] | None:
        """A free slot and the seconds until its turn, or None when there is none now. Sets `alert` and `next_look`."""

    @abstractmethod
    def still_to_wait(self, lease: Lease) -> float:
        """After the wait: 0 when the turn has come, or the seconds until a new one, when a pause was set meanwhile."""

    @abstractmethod
    def give_back(self, lease: Lease, after: float = 0.0) -> None:
        """Let the next one have it, now or when so many seconds have passed."""

    @abstractmethod
    def pause(self, seconds: float) -> None:
        """Let nobody, in any process, send anything for so long."""

    @abstractmethod
    def paused_for(self) -> float:
        """The seconds for which all pause yet."""

    @abstractmethod
    def take_in(self, signal: Signal) -> Reaction:
        """Keep for all processes what follows from an answer."""

    def hear(self, signal: Signal) -> None:
        """Pause, slow down or recover, and tell the operator."""
        consequence = self.take_in(signal)
        self.see(consequence.mood)
        if consequence.pause:
            self.pause(consequence.pause)
        if consequence.warning and time.monotonic() - self._warned_at > WARN_EVERY:
            self._warned_at = time.monotonic()
            log.warning(consequence.warning)
        if consequence.error:
            log.error(consequence.error)

    def see(self, mood: ProxyHealth) -> None:
        self.alert, self.refused = mood.alert, mood.refused > 0

    def _is_news(self, signal: Signal) -> bool:
        if signal.kind in (SignalKind.OTHER, SignalKind.SILENT) and not signal.retry_after:
            return False
        if signal.kind is not SignalKind.GOOD:
            return True
        now = time.monotonic()
        if not self.alert or (not self.refused and now - self._told_good_at < GROWTH_EVERY):
            return False
        self._told_good_at = now
        return True

    async def aside(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call one of the above in an event loop; a budget whose calls take time runs them in a thread."""
        return function(*arguments)

    @contextmanager
    def slot(self, patience: float = math.inf) -> Iterator[Permit]:
        until = time.monotonic() + patience
        polls = 0
        self._raise_if_paused_beyond(until)
        while (taken := self.take()) is None:
            time.sleep(min(max(_poll(polls), self.next_look), time_left()))
            polls += 1
            self._raise_if_paused_beyond(until)
        lease, wait = taken
        turn = Permit()
        try:
            while wait > 0:
                self._raise_if_paused_beyond(until)
                time.sleep(min(wait, time_left()))
                wait = self.still_to_wait(lease)
            with _cut_short(turn):
                yield turn
            if turn.heard and self._is_news(turn.heard):
                self.hear(turn.heard)
        finally:
            self.give_back(lease, ABANDONED if turn.abandoned else 0.0)

    def _raise_if_paused_beyond(self, until: float) -> None:
        if until < math.inf and (left := self.paused_for()) > 0 and time.monotonic() + left > until:
            raise Paused(left)

    @asynccontextmanager
    async def async_slot(self, line: WaitQueue) -> AsyncIterator[Permit]:
        turn = Permit()
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
            with _cut_short(turn):
                yield turn
            if turn.heard and self._is_news(turn.heard):
                await self.aside(self.hear, turn.heard)
        finally:
            if line.waiting and not turn.abandoned and self._may_be_handed_on(since):
                line.hand_on(lease, since)
            else:
                await self.aside(self.give_back, lease, ABANDONED if turn.abandoned else 0.0)
                if random() < 0.5:  # noqa: S311 - the others of the process have their chance, and so have other processes
                    line.ring()

    async def _wait_in(self, line: WaitQueue) -> tuple[Lease, float, float]:
        """A slot, the seconds until its turn, and when this process took it."""
        while True:
            if line.handed_on and self._may_be_handed_on(line.handed_on[0][1]):
                lease, since = line.handed_on.popleft()
                return lease, 0.0, since
            await self._give_back_all(line)
            taken = await self.aside(self.take)
            if taken is not None:
                return *taken, time.monotonic()
            await line.news(max(SHORTEST_POLL * (0.5 + random()), self.next_look))  # noqa: S311 - spreads only

    async def _give_back_all(self, line: WaitQueue) -> None:
        while line.handed_on:
            await self.aside(self.give_back, line.handed_on.popleft()[0])

    def _may_be_handed_on(self, since: float) -> bool:
        now = time.monotonic()
        return not self.rate and not self.alert and now >= self._still_until and now - since < KEPT


def _poll(polls: int) -> float:
    return min(SHORTEST_POLL * 2.0 ** min(polls, 10), LONGEST_POLL) * (0.5 + random())  # noqa: S311 - spreads only
