"""The state of the budget that all processes share, and each change of it: pure, so that any store can keep it.

A request holds a permit from when its turn is booked until its answer is over, and counts towards the rate for a second
more. Whatever the time on the way, no second at the proxy then holds more requests than the rate: of two that come
within a second, the first one's answer was over less than a second before the second one's turn, or not yet.

Times are seconds on the store's clock; those of the health are Unix times.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from resolver.proxy.limits import proxy_health
from resolver.proxy.limits.proxy_health import NUMBERS, SLOWEST_RATE, BackoffPolicy, ProxyHealth, ProxySignal, Reaction

TICK_SECONDS = 0.02  # requests that are over within one stop counting together, so that the state stays small
FIRST_PROBE_SECONDS = 0.001  # until the first look whether this request may be the one that is tried
NEXT_PROBE_SECONDS = 0.25
LEAVES_ONE = "-"  # the waiter who leaves one permit more than others wait for
PLACE_KEPT_SECONDS = 0.2  # those who wait usually look more often


@dataclass(frozen=True, slots=True)
class BudgetLimits:
    """The bounds. `rate`: requests a second (0: no limit); `counted`: how many may count towards it at a time, and
    `counted_for`: seconds for which each does after it is over; `lease`: seconds after which the permit of a killed
    process is free."""

    concurrency: int
    rate: float
    counted: int
    counted_for: float
    lease: float

    @classmethod
    def of(cls, concurrency: int, rate: float | None, lease: float) -> "BudgetLimits":
        """Return the limits for these settings. A rate of None, 0 or less is no limit, nor is one of 10,000 or more,
        which no portal reaches."""
        if not rate or not 0 < rate < 10_000:
            return cls(max(1, concurrency), 0.0, 0, 0.0, lease)
        return cls(max(1, concurrency), rate, max(1, int(rate)), max(1.0, 1.0 / rate), lease)

    @property
    def interval(self) -> float:
        """Seconds between two turns."""
        return 1.0 / self.rate if self.rate else 0.0


class Booking(NamedTuple):
    """The answer to a request for a permit.

    `permit`: its name; "" if there is none now. `wait`: seconds until its turn; without a permit, until the next look
    is useful. `others`: how many wait for a permit; without a permit, how many of them come first.
    """

    permit: str
    wait: float = 0.0
    others: int = 0


@dataclass(slots=True)
class BudgetState:
    """The state at one moment.

    `permits`: the permits that are held, each with the time at which it ends at the latest. `ticks` and `counts`: how
    many finished requests still count towards the rate, and in which tick they stop counting. `probe`: while the proxy
    refuses all requests, the only permit whose request is sent. `waiting`: the waiters, the first one first, each with
    the time until which it keeps its place without another look.
    """

    now: float
    unix_time: float
    permits: dict[str, float] = field(default_factory=dict)
    ticks: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    next_turn: float = 0.0
    paused_until: float = 0.0
    probe: str = ""
    waiting: dict[str, float] = field(default_factory=dict)
    health: ProxyHealth = field(default_factory=ProxyHealth)

    def take(self, permit: str, limits: BudgetLimits, waiter: str = "") -> Booking:
        """Book the next turn for this permit, if permits are free for this one and for all who have waited longer. If
        not, `waiter` gets a place among those who wait. A caller without a name gets no place, nor does LEAVES_ONE, for
        which one more permit must be free."""
        self.waiting = {other: until for other, until in self.waiting.items() if until > self.now}
        before = list(self.waiting).index(waiter) if waiter in self.waiting else len(self.waiting)
        if waiter == LEAVES_ONE:
            waiter, before = "", before + 1
        booking = self._book(permit, limits, before)
        if booking.permit:
            self.waiting.pop(waiter, None)
            return booking._replace(others=len(self.waiting))
        if waiter:
            self.waiting[waiter] = self.now + PLACE_KEPT_SECONDS
        return booking._replace(others=before)

    def _book(self, permit: str, limits: BudgetLimits, before: int) -> Booking:
        """Book a turn, if there are permits left for so many others."""
        interval = max(limits.interval, 1.0 / self.health.pace if self.health.pace else 0.0)
        if interval:
            self._forget_another_rate(limits)
        self.permits = {held: until for held, until in self.permits.items() if until > self.now}
        if len(self.permits) + before >= limits.concurrency:
            return Booking("")
        if limits.counted:
            self._forget_ticks()
            if len(self.permits) + before + sum(self.counts) >= limits.counted:
                return Booking("", self.ticks[0] * TICK_SECONDS - self.now if self.ticks else 0.0)
        turn = max(self.now, self.paused_until)
        if interval:
            turn = max(turn, self.next_turn)
            self.next_turn = turn + interval
        if self.health.stopped:
            turn = max(turn, self.now + FIRST_PROBE_SECONDS)  # then `renew` says which request may try
        self.permits[permit] = turn + limits.lease
        return Booking(permit, turn - self.now)

    def renew(self, permit: str, limits: BudgetLimits) -> float:
        """After the wait, return 0 when the turn has come, or the seconds until the next look."""
        wait = self.paused_for
        if not wait and self.health.stopped:
            if self.permits.get(self.probe, 0.0) <= self.now:
                self.probe = permit
            if self.probe != permit:
                wait = NEXT_PROBE_SECONDS
        self.permits[permit] = self.now + wait + limits.lease
        return wait

    def give_back(self, permit: str, limits: BudgetLimits, after: float = 0.0) -> None:
        """Free the permit, now or when `after` seconds have passed."""
        held = self.permits.pop(permit, None)
        if self.probe == permit:
            self.probe = ""
        if after and held is not None:
            self.permits[permit] = self.now + max(after, limits.counted_for)
        elif limits.counted:
            tick = int((self.now + limits.counted_for) / TICK_SECONDS) + 1
            if not self.ticks or self.ticks[-1] != tick:
                self.ticks.append(tick)
                self.counts.append(0)
            self.counts[-1] += 1

    def pause(self, seconds: float) -> None:
        """Let no request be sent for so long; a longer pause stays."""
        self.paused_until = max(self.paused_until, self.now + seconds)

    @property
    def paused_for(self) -> float:
        """The seconds for which nothing may be sent yet."""
        return max(self.paused_until - self.now, 0.0)

    def record(self, signal: ProxySignal, full: float, policy: BackoffPolicy, spread: float) -> Reaction:
        """Store how the proxy treated a request."""
        reaction = proxy_health.react(self.health, signal, self.unix_time, full, policy, spread)
        self.health = reaction.health
        return reaction

    def to_json(self) -> bytes:
        """Return the state for the store."""
        health = [getattr(self.health, name) for name in NUMBERS] if self.health.heard_at else []
        moments = (self.next_turn, self.paused_until)
        return orjson.dumps((self.permits, self.ticks, self.counts, moments, self.probe, health, self.waiting))

    @classmethod
    def from_json(cls, content: bytes, now: float, unix_time: float) -> "BudgetState":
        """Return what `to_json` has made, at a later moment."""
        permits, ticks, counts, (next_turn, paused_until), probe, health, *waiting = orjson.loads(content)
        state = cls(now, unix_time, permits, ticks, counts, next_turn, paused_until, probe)
        if waiting:  # earlier versions had no queue
            [state.waiting] = waiting
        if health:
            state.health = ProxyHealth.of(tuple(health), unix_time)
        return state

    def _forget_another_rate(self, limits: BudgetLimits) -> None:
        """Forget turns, permits and requests that were stored under a rate so low that they last beyond every turn of
        these limits. Without this, the old rate would stay in force for minutes or days after it was corrected."""
        begin = max(self.now, self.paused_until)
        slowest = max(limits.interval, 1.0 / SLOWEST_RATE if self.health.pace else 0.0)
        latest = begin + (limits.concurrency + 1) * slowest + limits.counted_for
        if self.next_turn > latest:
            end = latest + limits.lease
            self.permits = {held: until for held, until in self.permits.items() if until <= end}
            while self.ticks and self.ticks[-1] * TICK_SECONDS > end:
                del self.ticks[-1], self.counts[-1]
            self.next_turn = begin + len(self.permits) * limits.interval

    def _forget_ticks(self) -> None:
        past = self.now / TICK_SECONDS
        while self.ticks and self.ticks[0] <= past:
            del self.ticks[0], self.counts[0]
