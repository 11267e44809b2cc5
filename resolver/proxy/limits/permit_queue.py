"""The queue of the requests of one session that wait for a permit. Nothing here waits: it says who may send now, and
when to look again."""

import math
import secrets
import time
from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from random import random
from typing import Generic, TypeVar

from resolver.counters import PERMIT_SECONDS, REQUEST_SECONDS
from resolver.proxy.limits.budget import ABANDONED_SECONDS, PASSED_ON_SECONDS, POLL, Budget, compute_next_look, spread
from resolver.proxy.limits.budget_state import LEAVES_ONE
from resolver.proxy.limits.permit import Permit

UNSERVED_QUEUE_SECONDS = 1.0  # longer than a process passes a permit on (`budget.PASSED_ON_SECONDS`)
SLOW_REQUEST_SECONDS = 3.0
LEAVING = ("", LEAVES_ONE)  # the waiters who leave permits to others

Request = TypeVar("Request")


class PermitQueue(Generic[Request]):
    """The requests of one session that wait for a permit, in their order. `awaited`: a person waits for the answers."""

    def __init__(self, budget: Budget, *, awaited: bool = False) -> None:
        self.budget, self.awaited = budget, awaited
        self.name = secrets.token_hex(4)
        self.held = 0  # permits of the store
        self._waiting: deque[tuple[Request, float]] = deque()  # each since when
        self._booked: list[tuple[float, int, Request, Permit]] = []  # a heap: those whose turn comes at that time
        self._numbers = count()
        self._passed: deque[Permit] = deque()  # on their way from one request to the next
        self._look_at = -math.inf
        self._taken_at = -math.inf
        self._slow_until = -math.inf

    @property
    def waiting(self) -> int:
        """Return how many have no permit yet."""
        return len(self._waiting)

    @property
    def look_at(self) -> float:
        """Return when `grant` may have a permit for somebody (monotonic seconds)."""
        turn = self._booked[0][0] if self._booked else math.inf
        return min(turn, self._look_at) if self._waiting else turn

    def add(self, request: Request) -> None:
        """Let the request wait behind the others."""
        if not self._waiting:
            self._look_at = -math.inf
        self._waiting.append((request, time.monotonic()))

    def grant(self) -> Iterator[tuple[Request, Permit]]:
        """Yield the requests that may be sent now, each with its permit. Who gets one calls `end` when its answer is
        over."""
        while self._booked and self._booked[0][0] <= time.monotonic():
            _, _, request, permit = heappop(self._booked)
            if wait := self.budget.renew_wait(permit.name):
                self._book(wait, request, permit)
            else:
                yield request, self._send(permit)
        while self._waiting and (found := self._find_permit()):
            (permit, wait), (request, permit.asked_at) = found, self._waiting.popleft()
            if wait > 0:
                self._book(wait, request, permit)
            else:
                yield request, self._send(permit)
        while self._passed and not self._waiting:
            self._give_back(self._passed.popleft())

    def end(self, permit: Permit) -> None:
        """Take the permit of a request whose answer is over, or that was given up. It is passed on or given back."""
        seconds = time.monotonic() - permit.sent_at
        REQUEST_SECONDS(permit.signal.kind.value if permit.signal else "none").observe(seconds)
        if seconds > SLOW_REQUEST_SECONDS:
            self._slow_until = time.monotonic() + 30.0  # longer than the DOI proxy takes for an answer
        try:
            if permit.signal and self.budget.is_news(permit.signal):
                self.budget.record_signal(permit.signal)
        finally:
            if self._waiting and not permit.abandoned and self.budget.may_be_passed(permit.kept_until):
                self._passed.append(permit)
                self._look_at = -math.inf
            else:
                self._give_back(permit, ABANDONED_SECONDS if permit.abandoned else 0.0)
                if random() < 0.5:  # noqa: S311 - else other processes have their chance
                    self._look_at = -math.inf

    def withdraw(self, request: Request) -> None:
        """Remove the request from the queue. One that was sent keeps its permit until `end`."""
        self._waiting = deque(pair for pair in self._waiting if pair[0] is not request)
        for booked in [booked for booked in self._booked if booked[2] is request]:
            self._booked.remove(booked)
            self._give_back(booked[3])
        self._booked.sort()

    def close(self) -> None:
        """Give back what is on its way. Nobody waits any more."""
        self._waiting.clear()
        permits = [*self._passed, *(permit for *_, permit in self._booked)]
        self._passed.clear()
        self._booked.clear()
        for permit in permits:
            self._give_back(permit)

    def _find_permit(self) -> tuple[Permit, float] | None:
        """Return a permit, and the seconds until its turn."""
        while self._passed:
            permit = self._passed.popleft()
            if self.budget.may_be_passed(permit.kept_until):
                return Permit(permit.name, kept_until=permit.kept_until), 0.0
            self._give_back(permit)
        if (now := time.monotonic()) < self._look_at:
            return None
        waiter = self._choose_waiter(now)
        booking = self.budget.take(waiter)
        if not booking.permit:
            poll = POLL.list_with_a_permit if waiter in LEAVING else POLL.next_in_line
            self._look_at = time.monotonic() + compute_next_look(booking, poll)
            return None
        now = self._taken_at = time.monotonic()
        self.held += 1
        self.budget.note_wait(booking)
        return Permit(
            booking.permit, kept_until=now if booking.others else now + PASSED_ON_SECONDS * spread()
        ), booking.wait

    def _choose_waiter(self, now: float) -> str:
        """Return the name under which this queue waits.

        If the queue has a permit and no person waits for the answers, it is "", so that other processes come first.
        After a slow request it is LEAVES_ONE, so that slow requests don't hold all permits. If it has taken no permit
        for UNSERVED_QUEUE_SECONDS, it waits again, because a request without an answer may hold its permit for long.
        """
        if self.awaited or not self.held:
            return self.name
        if now < self._slow_until:
            return LEAVES_ONE
        return "" if now - self._taken_at < UNSERVED_QUEUE_SECONDS else self.name

    def _book(self, wait: float, request: Request, permit: Permit) -> None:
        heappush(self._booked, (time.monotonic() + wait, next(self._numbers), request, permit))

    def _send(self, permit: Permit) -> Permit:
        permit.sent_at = time.monotonic()
        PERMIT_SECONDS("person" if self.awaited else "list").observe(permit.sent_at - permit.asked_at)
        return permit

    def _give_back(self, permit: Permit, after: float = 0.0) -> None:
        self.held -= 1
        self.budget.give_back(permit.name, after)
