"""The budget: every attempt of every process takes a permit from it before it sends."""

import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from random import random
from secrets import token_hex
from typing import NamedTuple

from resolver.counters import PERMIT_SECONDS, REQUEST_SECONDS
from resolver.proxy.limits.budget_state import Booking, BudgetLimits
from resolver.proxy.limits.permit import Permit
from resolver.proxy.limits.proxy_health import (
    BackoffPolicy,
    ProxyHealth,
    ProxySignal,
    ProxySignalKind,
    Reaction,
    compute_full_pace,
)
from resolver.proxy.limits.request_deadline import Paused, compute_time_left

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
    list_with_a_permit: float = 0.01
    longest: float = 0.02
    longest_wait_for_a_turn: float = 0.05  # if the store says when a permit may be free


class _RepeatAfter(NamedTuple):
    """Seconds after which a process stores an answer of the same kind again, or logs the same warning."""

    good: float = 20.0
    failure: float = 1.0
    warning: float = 60.0


POLL, REPEAT_AFTER = _Poll(), _RepeatAfter()

log = logging.getLogger(__name__)


@contextmanager
def _measure(permit: Permit, *, is_of_service: bool) -> Iterator[None]:
    """Measure the request, and notice one that is cut short because its process ends. The answers of an agency's
    service are counted as such: they say nothing about the DOI proxy."""
    began = time.monotonic()
    try:
        yield
    except BaseException as error:
        permit.cut_short = not isinstance(error, Exception)
        raise
    finally:
        kind = ProxySignalKind.OTHER if is_of_service and permit.signal else permit.signal and permit.signal.kind
        answer = kind.value if kind else "none"
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

    def is_news(self, signal: ProxySignal) -> bool:
        """Return whether the store must know of this answer. It is asked once for each."""
        now = time.monotonic()
        if self.policy.heeds_rate and signal.rate and signal.rate < self.full and not self.alert:
            return True
        if signal.kind is ProxySignalKind.OTHER:
            return False
        if signal.kind in (ProxySignalKind.FAILED, ProxySignalKind.SILENT) and not signal.retry_after:
            if self.policy.failure_pause:  # each counts
                self._stored_good_at = -REPEAT_AFTER.good
                return True
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

    @contextmanager
    def permit(self, patience: float = math.inf) -> Iterator[Permit]:
        """Wait for a turn. The caller sends the request and reads its answer inside the context. `patience`: seconds
        from the call. Raises Paused as soon as it is known that a pause lasts longer."""
        began = time.monotonic()
        until = began + patience
        waiter = token_hex(4)
        self._raise_if_paused_beyond(until)
        while not (booking := self.take(waiter)).permit:
            time.sleep(min(compute_next_look(booking, POLL.next_in_line), compute_time_left()))
            self._raise_if_paused_beyond(until)
        name, wait, _ = booking
        permit = Permit()
        try:
            while wait > 0:
                self._raise_if_paused_beyond(until)
                time.sleep(min(wait, compute_time_left()))
                wait = self.renew_wait(name)
            PERMIT_SECONDS("person").observe(time.monotonic() - began)
            with _measure(permit, is_of_service=self.policy.is_of_service):
                yield permit
            if permit.signal and self.is_news(permit.signal):
                self.record_signal(permit.signal)
        finally:
            self.give_back(name, ABANDONED_SECONDS if permit.abandoned else 0.0)

    def _raise_if_paused_beyond(self, until: float) -> None:
        if until < math.inf and (left := self.get_pause()) > 0 and time.monotonic() + left > until:
            raise Paused(left)

    def note_wait(self, booking: Booking) -> None:
        """Remember a turn that comes later though there is no rate: perhaps another process has set a pause."""
        if booking.wait and not self.limits.rate:
            self._still_until = max(self._still_until, time.monotonic() + booking.wait)

    def may_be_passed(self, kept_until: float) -> bool:
        """Return whether a process may pass a permit from one request to the next, which it may keep until that time
        (monotonic seconds)."""
        now = time.monotonic()
        return not self.limits.rate and not self.alert and self._still_until <= now < kept_until


def compute_next_look(booking: Booking, poll: float) -> float:
    """Return the seconds until the next look for a permit, after one without. `poll`: at least, in the mean."""
    own = min(poll * (1 + booking.others), POLL.longest) * spread()
    return max(own, min(booking.wait, POLL.longest_wait_for_a_turn))


def spread() -> float:
    """Return a factor of one in the mean, so that processes wait out of step."""
    return 0.5 + random()  # noqa: S311 - no secret
