"""The budget: every attempt of every process takes a permit from it before it sends."""

import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from random import random
from secrets import token_hex
from typing import Any, NamedTuple, TypeVar

from resolver.counters import PERMIT_SECONDS, REQUEST_SECONDS
from resolver.proxy.limits.budget_state import LEAVES_ONE, Booking, BudgetLimits
from resolver.proxy.limits.permit_queue import Permit, WaitQueue, sleep_in_full
from resolver.proxy.limits.proxy_health import (
    BackoffPolicy,
    ProxyHealth,
    ProxySignal,
    ProxySignalKind,
    Reaction,
    compute_full_pace,
)
from resolver.proxy.limits.request_deadline import Paused, compute_time_left

LEAVING = ("", LEAVES_ONE)  # the waiters who leave permits to others
# A process passes a permit from one request to the next for about so long, unless others waited when it was taken: for
# half of it to one and a half, so that permits do not come back all at once. It saves the way to the store, some 3 ms
# in which the proxy has one request less. Then others have their chance, and a pause that another process has set is
# seen.
PASSED_ON_SECONDS = 0.5
# A permit stays taken for so long when its request was given up, by us or because its process was killed: the proxy
# notices later, and works on one more request until then.
ABANDONED_SECONDS = 5.0
LEASE_SECONDS = 30.0  # longer than an attempt (20 s), and short enough to continue within a minute after a restart


class _Poll(NamedTuple):
    """Seconds from one look for a permit to the next."""

    next_in_line: float = 0.002  # multiplied by the number of those who come before
    list_with_a_permit: float = 0.005
    longest: float = 0.02
    longest_wait_for_a_turn: float = 0.05  # if the store says when a permit may be free


class _RepeatAfter(NamedTuple):
    """Seconds after which a process stores an answer of the same kind again, or logs the same warning."""

    good: float = 20.0
    failure: float = 1.0
    warning: float = 60.0


POLL, REPEAT_AFTER = _Poll(), _RepeatAfter()

Result = TypeVar("Result")

log = logging.getLogger(__name__)


@contextmanager
def _measure(permit: Permit) -> Iterator[None]:
    """Measure the request, and notice one that is cancelled because its event loop ends."""
    began = time.monotonic()
    try:
        yield
    except BaseException as error:
        permit.cut_short = not isinstance(error, Exception)
        raise
    finally:
        answer = permit.signal.kind.value if permit.signal else "none"
        REQUEST_SECONDS(answer).observe(time.monotonic() - began)


class Budget(ABC):
    """A limit on the requests in flight and on those of any second, over all processes together, as the proxy sees
    them: a request counts from when its turn begins until its answer is over, and towards the rate for a second more.

    A store keeps for all processes what `limits/budget_state.py` describes. A permit is held while its turn is awaited,
    so a process that is killed wastes at most the turns of its permits.
    """

    def __init__(self, limits: BudgetLimits, policy: BackoffPolicy) -> None:
        self.limits, self.policy = limits, policy
        self.full = compute_full_pace(limits.concurrency, limits.rate)
        # As of the last look: whether good answers are news; whether every one is, as something was refused.
        self.alert = self.refused = False
        self._still_until = 0.0
        self._stored_good_at, self._stored_failure_at = -REPEAT_AFTER.good, -REPEAT_AFTER.failure
        self._warned_at = -REPEAT_AFTER.warning

    @abstractmethod
    def take(self, waiter: str = "") -> Booking:
        """Book a turn. If there is no permit now, return a booking without one, and give `waiter` a place in the queue.
        Sets `alert` and `refused`."""

    @abstractmethod
    def renew_wait(self, permit: str) -> float:
        """After the wait: 0 when the turn has come, or the seconds until a new one if all pause meanwhile."""

    @abstractmethod
    def give_back(self, permit: str, after: float = 0.0) -> None:
        """Free the permit, now or after so many seconds."""

    @abstractmethod
    def pause_all(self, seconds: float) -> None:
        """Store the pause for all processes; a longer one stays."""

    @abstractmethod
    def get_pause(self) -> float:
        """Return the seconds for which nothing may be sent; 0 when there is no pause."""

    @abstractmethod
    def record(self, signal: ProxySignal, spread: float) -> Reaction:
        """Store for all processes what follows from an answer."""

    @abstractmethod
    def read_health(self) -> ProxyHealth:
        """Return the stored health."""

    @abstractmethod
    def check_store(self) -> None:
        """Raise an error of the store if it doesn't answer within a few seconds, for those who can't wait longer."""

    @abstractmethod
    def close(self) -> None:
        """Close the store."""

    def pause(self, seconds: float) -> None:
        """Let no process send anything for so long."""
        seconds = min(seconds, self.policy.longest_pause)
        self._still_until = max(self._still_until, time.monotonic() + seconds)
        self.pause_all(seconds)

    def get_barred_since(self) -> datetime | None:
        """Return since when the proxy has only refused requests, so that it may have barred the portal; else None."""
        health = self.read_health()
        return datetime.fromtimestamp(health.refused_since, UTC) if health.barred else None

    def record_signal(self, signal: ProxySignal) -> None:
        """Pause, slow down or recover, all processes together, and write to the log."""
        reaction = self.record(signal, spread=0.5 + random())  # noqa: S311 - waits out of step; no secret
        self.apply_health(reaction.health)
        if reaction.pause:
            self.pause(reaction.pause)
        if reaction.warning and time.monotonic() - self._warned_at > REPEAT_AFTER.warning:
            self._warned_at = time.monotonic()
            log.warning(reaction.warning)
        if reaction.error:
            log.error(reaction.error)

    def apply_health(self, health: ProxyHealth) -> None:
        """Remember which answers are news."""
        self.alert, self.refused = health.alert, health.refused > 0

    def _is_news(self, signal: ProxySignal) -> bool:
        now = time.monotonic()
        if signal.kind is ProxySignalKind.OTHER:
            return False
        if signal.kind in (ProxySignalKind.FAILED, ProxySignalKind.SILENT) and not signal.retry_after:
            if now - self._stored_failure_at < REPEAT_AFTER.failure:
                return False
            self._stored_failure_at, self._stored_good_at = now, -REPEAT_AFTER.good  # the next good answer is news
            return True
        if signal.kind is not ProxySignalKind.GOOD:
            return True
        if self.refused:  # each good answer ends the refusals
            repeat_after = 0.0
        elif self.alert:  # each lets the pace grow
            repeat_after = self.policy.growth_interval
        else:
            repeat_after = REPEAT_AFTER.good
        if now - self._stored_good_at < repeat_after:
            return False
        self._stored_good_at = now
        return True

    async def run_in_thread(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call one of the above in an event loop; a budget whose calls take time runs them in a thread."""
        return function(*arguments)

    @contextmanager
    def permit(self, patience: float = math.inf) -> Iterator[Permit]:
        """Wait for a turn. The caller sends the request and reads its answer inside the context. `patience`: seconds
        from the call. Raises Paused as soon as it is known that a pause lasts longer."""
        began = time.monotonic()
        until = began + patience
        waiter = token_hex(4)
        self._raise_if_paused_beyond(until)
        while not (booking := self.take(waiter)).permit:
            time.sleep(min(_compute_next_look(booking, POLL.next_in_line), compute_time_left()))
            self._raise_if_paused_beyond(until)
        name, wait, _ = booking
        permit = Permit()
        try:
            while wait > 0:
                self._raise_if_paused_beyond(until)
                time.sleep(min(wait, compute_time_left()))
                wait = self.renew_wait(name)
            PERMIT_SECONDS("person").observe(time.monotonic() - began)
            with _measure(permit):
                yield permit
            if permit.signal and self._is_news(permit.signal):
                self.record_signal(permit.signal)
        finally:
            self.give_back(name, ABANDONED_SECONDS if permit.abandoned else 0.0)

    def _raise_if_paused_beyond(self, until: float) -> None:
        if until < math.inf and (left := self.get_pause()) > 0 and time.monotonic() + left > until:
            raise Paused(left)

    @asynccontextmanager
    async def async_permit(self, queue: WaitQueue) -> AsyncIterator[Permit]:
        """Wait for a turn without blocking the event loop. Requests of one queue get theirs in order."""
        permit, began = Permit(), time.monotonic()
        queue.waiting += 1
        try:
            async with queue.first:
                name, wait, kept_until = await self._wait_in(queue)
        except BaseException:
            queue.waiting -= 1
            await self._give_back_unwanted(queue)
            raise
        queue.waiting -= 1
        try:
            await self._give_back_unwanted(queue)
            while wait > 0:
                await sleep_in_full(wait)
                wait = await self.run_in_thread(self.renew_wait, name)
            sent = time.monotonic()
            PERMIT_SECONDS("person" if queue.awaited else "list").observe(sent - began)
            try:
                with _measure(permit):
                    yield permit
            finally:
                queue.note_time(time.monotonic() - sent)
            if permit.signal and self._is_news(permit.signal):
                await self.run_in_thread(self.record_signal, permit.signal)
        finally:
            if queue.waiting and not permit.abandoned and self._may_be_passed(kept_until):
                queue.passed.append((name, kept_until))
                queue.ring()
            else:
                await self._give_back_from(queue, name, ABANDONED_SECONDS if permit.abandoned else 0.0)
                if random() < 0.5:  # noqa: S311 - else other processes have their chance
                    queue.ring()

    async def _wait_in(self, queue: WaitQueue) -> tuple[str, float, float]:
        """Return a permit, the seconds until its turn, and until when this process may pass it on."""
        while True:
            while queue.passed:
                name, kept_until = queue.passed.popleft()
                if self._may_be_passed(kept_until):
                    return name, 0.0, kept_until
                await self._give_back_from(queue, name)
            waiter = queue.waiter
            booking = await self.run_in_thread(self.take, waiter)
            if booking.permit:
                now = queue.taken_at = time.monotonic()
                queue.held += 1
                if booking.wait and not self.limits.rate:  # perhaps a pause that another process has set
                    self._still_until = max(self._still_until, now + booking.wait)
                return booking.permit, booking.wait, now if booking.others else now + PASSED_ON_SECONDS * _spread()
            if not queue.passed:
                poll = POLL.list_with_a_permit if waiter in LEAVING else POLL.next_in_line
                await queue.wait_for_ring(_compute_next_look(booking, poll))

    async def _give_back_unwanted(self, queue: WaitQueue) -> None:
        while queue.passed and not queue.waiting:
            await self._give_back_from(queue, queue.passed.popleft()[0])

    async def _give_back_from(self, queue: WaitQueue, name: str, after: float = 0.0) -> None:
        queue.held -= 1
        await self.run_in_thread(self.give_back, name, after)

    def _may_be_passed(self, kept_until: float) -> bool:
        now = time.monotonic()
        return not self.limits.rate and not self.alert and self._still_until <= now < kept_until


def _compute_next_look(booking: Booking, poll: float) -> float:
    own = min(poll * (1 + booking.others), POLL.longest) * _spread()
    return max(own, min(booking.wait, POLL.longest_wait_for_a_turn))


def _spread() -> float:
    """Return a factor of one in the mean, so that processes wait out of step."""
    return 0.5 + random()  # noqa: S311 - no secret
