"""How the DOI proxy has received us lately, and what follows: pause, slow down, recover, or ask one at a time.

Pure: `react` computes the new health from the old one and an answer. Both budgets store it where all processes see it,
so that they pause, slow down and recover together:

    429, 503               all pause: as long as Retry-After says, else twice as long as the last time;
                           again within a minute: all continue at half the pace
    a good answer          the pace grows back in equal steps
    403, or a web page     3 in a row: the log says that the address may be barred;
                           20 in a row: all pause, longer each time, and then try one request

The operation page tells the last answer that couldn't be used.
"""

import math
from dataclasses import dataclass, fields, replace
from enum import Enum

EPOCH = 1.0  # seconds within which several demands to slow down count once
REPEATED = 60.0
GROWTH_EVERY = 0.25
REMEMBERED = 3600.0  # seconds after which the last answer says nothing about the proxy's health any more
SLOWEST_SHARE, SLOWEST = 1 / 64, 0.2
UNLIMITED_EACH = 20.0  # without a rate: the pace of one permit whose answers take 50 ms
MAX_BACKOFF = 30.0
TELL_AFTER, STOP_AFTER = 3, 20
FIRST_STOP = 2.0
TELL_EVERY = 300.0
FAILING = 60.0  # seconds from a good answer to a failure later than which it's more than a mishap


class ProxySignalKind(Enum):
    """How an answer received us."""

    GOOD = "good"
    LIMITED = "limited"
    REFUSED = "refused"
    SILENT = "silent"  # none in time
    FAILED = "failed"  # cut off, or of no use
    OTHER = "other"  # says nothing of the proxy: another server's, or what a client that wants a page gets


@dataclass(frozen=True, slots=True)
class ProxySignal:
    """An answer's kind; the unbounded seconds of its Retry-After; its HTTP status, or 0; what it looked like."""

    kind: ProxySignalKind
    retry_after: float | None = None
    status: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """In seconds: the longest pause that the proxy may ask for; the first pause if it does not say how long; the time
    from a standstill back to the full pace."""

    longest_pause: float = 60.0
    first_pause: float = 0.5
    recovery: float = 60.0


USUAL = BackoffPolicy()


@dataclass(frozen=True, slots=True)
class ProxyHealth:
    """What is known. Numbers only, so that any store can keep it. Times are Unix times, 0 for never."""

    pace: float = 0.0  # requests a second; 0: as many as the settings allow
    cuts: float = 0.0  # how often told to slow down without good answers in between
    cut_at: float = 0.0
    grown_at: float = 0.0
    refused: float = 0.0  # in a row
    refused_since: float = 0.0
    stops: float = 0.0  # how often all were stopped in a row
    stopped_at: float = 0.0
    told_at: float = 0.0
    heard_at: float = 0.0
    good_at: float = 0.0
    failed_at: float = 0.0  # no answer, or none that could be used; being told to wait and refusals don't count
    unusable_at: float = 0.0  # the last request without a usable answer, whatever it was
    unusable_status: float = 0.0  # its HTTP status; 0: no answer

    @property
    def alert(self) -> bool:
        """Whether good answers are news."""
        return bool(self.pace or self.cuts or self.refused)

    @property
    def barred(self) -> bool:
        return self.refused >= TELL_AFTER

    @property
    def stopped(self) -> bool:
        """Whether only one request at a time may be tried."""
        return self.refused >= STOP_AFTER

    @property
    def failing(self) -> bool:
        """Whether no usable answer has come lately."""
        return self.failed_at - self.good_at > FAILING

    @classmethod
    def of(cls, numbers: tuple[float, ...], now: float) -> "ProxyHealth":
        """Return the stored health, or a new one if that makes no sense or is too old."""
        health = cls(*numbers)
        sound = all(math.isfinite(number) and number >= 0 for number in numbers)
        return health if sound and abs(now - health.heard_at) < REMEMBERED else cls()


NUMBERS = tuple(field.name for field in fields(ProxyHealth))


@dataclass(frozen=True, slots=True)
class Reaction:
    """The new health, for how many seconds all pause, and lines for the log."""

    health: ProxyHealth
    pause: float = 0.0
    warning: str = ""
    error: str = ""


def compute_full_pace(concurrency: int, rate: float | None) -> float:
    """Return the requests a second at which nothing is slowed down."""
    return rate if rate and rate > 0 else concurrency * UNLIMITED_EACH


def react(
    health: ProxyHealth, signal: ProxySignal, now: float, full: float, policy: BackoffPolicy, spread: float = 1.0
) -> Reaction:
    """Return what follows from one answer. `spread`: a factor around 1, so that our own pauses are never in step."""
    health = replace(health, heard_at=now)
    asked = signal.retry_after
    if signal.kind is ProxySignalKind.GOOD:
        return Reaction(_speed_up(replace(health, good_at=now), now, full, policy))
    if signal.kind is not ProxySignalKind.OTHER:
        health = replace(health, unusable_at=now, unusable_status=float(signal.status))
    if signal.kind is ProxySignalKind.LIMITED:
        reaction = _slow_down(health, asked, now, full, policy, spread)
    elif signal.kind is ProxySignalKind.REFUSED:
        reaction = _count_refusal(health, signal, now, full, policy, spread)
    elif signal.kind is ProxySignalKind.OTHER:
        reaction = Reaction(health)
    else:
        reaction = Reaction(replace(health, failed_at=now))
    pause = min(max(reaction.pause, asked or 0.0), policy.longest_pause)
    warning = reaction.warning
    if asked is not None and asked > policy.longest_pause:
        wanted = f"The DOI proxy asks for a pause of {asked:,.0f} seconds; it gets {pause:,.0f} (PROXY_LONGEST_PAUSE)."
        warning = f"{warning} {wanted}".lstrip()
    return replace(reaction, pause=pause, warning=warning)


def _speed_up(health: ProxyHealth, now: float, full: float, policy: BackoffPolicy) -> ProxyHealth:
    since_cut = _compute_age(now, health.cut_at)
    health = replace(health, refused=0.0, refused_since=0.0, stops=0.0, stopped_at=0.0)
    if since_cut > REPEATED or (since_cut > EPOCH and not health.pace):
        health = replace(health, cuts=0.0)
    since_growth = _compute_age(now, max(health.grown_at, health.cut_at))
    if not health.pace or since_growth < GROWTH_EVERY:
        return health
    pace = health.pace + full / policy.recovery * min(since_growth, EPOCH)
    if pace >= full:
        return replace(health, pace=0.0, cuts=0.0, grown_at=now)
    return replace(health, pace=pace, cuts=0.0 if since_cut > EPOCH else health.cuts, grown_at=now)


def _slow_down(
    health: ProxyHealth, asked: float | None, now: float, full: float, policy: BackoffPolicy, spread: float
) -> Reaction:
    since_cut = _compute_age(now, health.cut_at)
    new = since_cut >= EPOCH
    own = min(policy.first_pause * 2.0 ** min(health.cuts - (not new), 30), MAX_BACKOFF) * spread
    pause = own if asked is None else asked
    if not new:
        return Reaction(health, pause)
    pace = max((health.pace or full) / 2, _compute_slowest(full)) if since_cut < REPEATED else health.pace
    warning = "The DOI proxy asks for fewer requests (HTTP 429 or 503)."
    if pace:
        warning += f" From now on {pace:.3g} a second at most, and more step by step while it answers."
    slowed = replace(health, pace=pace, cuts=health.cuts + 1, cut_at=now)
    return Reaction(slowed, pause, warning)


def _count_refusal(
    health: ProxyHealth, signal: ProxySignal, now: float, full: float, policy: BackoffPolicy, spread: float
) -> Reaction:
    health = replace(health, refused=health.refused + 1, refused_since=health.refused_since or now)
    pause = 0.0
    if health.stopped and _compute_age(now, health.stopped_at) >= EPOCH:
        pause = FIRST_STOP * 2.0 ** min(health.stops, 30) * spread
        health = replace(health, stops=health.stops + 1, stopped_at=now, pace=_compute_slowest(full))
    if not health.barred or _compute_age(now, health.told_at) < TELL_EVERY:
        return Reaction(health, pause)
    error = (
        f"The DOI proxy refuses our requests ({signal.reason}), {health.refused:.0f} in a row: it may have barred this "
        "address. What to do is told in docs/for-operators.md."
    )
    return Reaction(replace(health, told_at=now), pause, error=error)


def _compute_slowest(full: float) -> float:
    return min(full, max(SLOWEST, full * SLOWEST_SHARE))


def _compute_age(now: float, then: float) -> float:
    """Return the seconds since then; infinity if it never was, or if a clock was set back."""
    return now - then if 0 < then <= now else math.inf
