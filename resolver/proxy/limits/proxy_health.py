"""How a server has treated our requests lately, and what follows: pause, slow down, recover, or try one request.

Pure: `react` computes the new health from the old one and an answer. Both budgets store it where all processes see it,
so that they pause, slow down and recover together:

    429, 503               all pause: as long as Retry-After says, else twice as long as the last time;
                           again within a minute: all continue at half the pace
    a good answer          the pace grows back in equal steps
    403, or a web page     3 in a row: the log says that the address may be barred;
                           20 in a row: all pause, longer each time, and then try one request

For the agencies' services, by their policy:

    x-rate-limit-limit     a lower rate than the settings' holds for all, for an hour or until another is said
    no answer, no JSON,
    or 5xx                 3 in a row: all pause for a minute, and again after each further one

The operation page shows the last answer of the DOI proxy that couldn't be used.
"""

import math
from dataclasses import dataclass, fields, replace
from enum import Enum

DOI_PROXY = "The DOI proxy"  # as the log names it
ALARM_AFTER_REFUSALS = 3  # in a row: an error in the log, and on the operation page
STOP_AFTER_REFUSALS = 20  # in a row: all pause
KEPT_HEALTH_SECONDS = 3600.0  # an older answer says nothing about the proxy's health now
FAILING_SECONDS = 60.0  # from a good answer to a later failure, before it counts as more than a mishap
SLOWEST_RATE = 0.2  # requests a second
MAX_BACKOFF_SECONDS = 30.0  # if the proxy doesn't say how long
STATED_RATE_SECONDS = 3600.0  # for which a rate holds that a service says
OUT_OF_ORDER_AFTER_FAILURES = 3  # in a row: as many attempts as one request has
FAILURES_IN_A_ROW_SECONDS = 300.0  # from one to the next, at most


class ProxySignalKind(Enum):
    """How the proxy treated a request."""

    GOOD = "good"
    LIMITED = "limited"
    REFUSED = "refused"
    SILENT = "silent"  # none in time
    FAILED = "failed"  # cut off, or of no use
    OTHER = "other"  # says nothing about the proxy: another server's, or what a client that wants a page gets


@dataclass(frozen=True, slots=True)
class ProxySignal:
    """An answer's kind; the unbounded seconds of its Retry-After; its HTTP status, or 0; what it looked like; how many
    requests a second the server says it allows."""

    kind: ProxySignalKind
    retry_after: float | None = None
    status: int = 0
    reason: str = ""
    rate: float | None = None


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """The times of backing off and recovering, all in seconds. The first three are settings. `server`: its name in the
    log. `heeds_rate`: a lower rate that the server says holds."""

    longest_pause: float = 60.0  # that the server may ask for
    first_pause: float = 0.5  # if it doesn't say how long
    recovery: float = 60.0  # from a standstill back to the full pace
    one_demand: float = 1.0  # several demands to slow down within it count once
    repeated_demand: float = 60.0  # a demand so soon after the one before halves the pace
    growth_interval: float = 0.25
    first_stop: float = 2.0  # while the proxy refuses all requests; doubled each time
    alarm_interval: float = 300.0
    failure_pause: float = 0.0  # after some failures in a row; 0: none
    heeds_rate: bool = False
    server: str = DOI_PROXY

    @property
    def is_of_service(self) -> bool:
        """Whether the server is an agency's service, not the DOI proxy."""
        return self.server != DOI_PROXY


USUAL = BackoffPolicy()


@dataclass(frozen=True, slots=True)
class ProxyHealth:
    """What is known. Numbers only, so that any store can keep it. Times are Unix times, 0 for never."""

    pace: float = 0.0  # requests a second; 0: as many as the settings allow
    cuts: float = 0.0  # demands to slow down without good answers in between
    cut_at: float = 0.0
    grown_at: float = 0.0
    refused: float = 0.0  # in a row
    refused_since: float = 0.0
    stops: float = 0.0  # how often all were stopped in a row
    stopped_at: float = 0.0
    alarm_at: float = 0.0
    heard_at: float = 0.0
    good_at: float = 0.0
    failed_at: float = 0.0  # no answer, or none that could be used; demands to wait and refusals don't count
    unusable_at: float = 0.0  # the last request without a usable answer, whatever it was
    unusable_status: float = 0.0  # its HTTP status; 0: no answer
    stated: float = 0.0  # the lower rate that the server says; 0: none
    stated_at: float = 0.0
    failures: float = 0.0  # in a row; counted only where a pause follows

    @property
    def alert(self) -> bool:
        """Whether a good answer would change the health."""
        return bool(self.pace or self.cuts or self.refused)

    @property
    def barred(self) -> bool:
        """Whether the proxy may have barred this address."""
        return self.refused >= ALARM_AFTER_REFUSALS

    @property
    def stopped(self) -> bool:
        """Whether only one request at a time may be tried."""
        return self.refused >= STOP_AFTER_REFUSALS

    @property
    def failing(self) -> bool:
        """Whether no usable answer has come lately."""
        return self.failed_at - self.good_at > FAILING_SECONDS

    @classmethod
    def of(cls, numbers: tuple[float, ...], now: float) -> "ProxyHealth":
        """Return the stored health, or a new one if that makes no sense or is too old."""
        health = cls(*numbers)
        sound = all(math.isfinite(number) and number >= 0 for number in numbers)
        return health if sound and abs(now - health.heard_at) < KEPT_HEALTH_SECONDS else cls()


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
    answers_a_second = 20.0  # for one permit: without a rate, an answer is taken to need 50 ms
    return rate if rate and rate > 0 else concurrency * answers_a_second


def react(
    health: ProxyHealth, signal: ProxySignal, now: float, full: float, policy: BackoffPolicy, spread: float = 1.0
) -> Reaction:
    """Return what follows from one answer. `spread`: a factor around 1, so that our own pauses are never in step."""
    health = replace(health, heard_at=now)
    if signal.rate and policy.heeds_rate:
        health = _heed_rate(health, signal.rate, now, full)
    if health.stated and _compute_age(now, health.stated_at) < STATED_RATE_SECONDS:
        full = min(full, health.stated)
    wanted = signal.retry_after
    if signal.kind is ProxySignalKind.GOOD:
        return Reaction(_speed_up(replace(health, good_at=now, failures=0.0), now, full, policy))
    if signal.kind is not ProxySignalKind.OTHER:
        health = replace(health, unusable_at=now, unusable_status=float(signal.status))
    if signal.kind is ProxySignalKind.LIMITED:
        reaction = _slow_down(health, wanted, now, full, policy, spread)
    elif signal.kind is ProxySignalKind.REFUSED:
        reaction = _count_refusal(health, signal, now, full, policy, spread)
    elif signal.kind is ProxySignalKind.OTHER:
        reaction = Reaction(health)
    else:
        reaction = _count_failure(health, now, policy)
    pause = min(max(reaction.pause, wanted or 0.0), policy.longest_pause)
    warning = reaction.warning
    if wanted is not None and wanted > policy.longest_pause:
        words = f"{policy.server} asks for a pause of {wanted:,.0f} seconds; it gets {pause:,.0f}."
        if not policy.is_of_service:
            words = f"{words[:-1]} (PROXY_LONGEST_PAUSE)."
        warning = f"{warning} {words}".lstrip()
    return replace(reaction, pause=pause, warning=warning)


def _heed_rate(health: ProxyHealth, rate: float, now: float, full: float) -> ProxyHealth:
    """Return the health with the rate that the server says. Foreign: it is never above the settings' rate, nor so low
    that one answer would stop all for an hour; a server that wants a pause sends Retry-After."""
    if rate >= full:
        return replace(health, stated=0.0, stated_at=0.0)
    stated = min(full, max(rate, SLOWEST_RATE))
    return replace(health, stated=stated, stated_at=now, pace=min(health.pace or full, stated))


def _count_failure(health: ProxyHealth, now: float, policy: BackoffPolicy) -> Reaction:
    """Let all pause when a server seems out of order. After the pause one more failure is enough."""
    failures = health.failures + 1 if _compute_age(now, health.failed_at) < FAILURES_IN_A_ROW_SECONDS else 1.0
    health = replace(health, failed_at=now, failures=failures if policy.failure_pause else 0.0)
    if health.failures < OUT_OF_ORDER_AFTER_FAILURES:
        return Reaction(health)
    warning = f"{policy.server} is out of order. It gets no request for {policy.failure_pause:.0f} seconds."
    return Reaction(health, policy.failure_pause, warning)


def _speed_up(health: ProxyHealth, now: float, full: float, policy: BackoffPolicy) -> ProxyHealth:
    since_cut = _compute_age(now, health.cut_at)
    health = replace(health, refused=0.0, refused_since=0.0, stops=0.0, stopped_at=0.0)
    if since_cut > policy.repeated_demand or (since_cut > policy.one_demand and not health.pace):
        health = replace(health, cuts=0.0)
    since_growth = _compute_age(now, max(health.grown_at, health.cut_at))
    if not health.pace or since_growth < policy.growth_interval:
        return health
    pace = health.pace + full / policy.recovery * min(
        since_growth, 1.0
    )  # after a silence, no more than a second's share
    if pace >= full:
        return replace(health, pace=full if full == health.stated else 0.0, cuts=0.0, grown_at=now)
    return replace(health, pace=pace, cuts=0.0 if since_cut > policy.one_demand else health.cuts, grown_at=now)


def _slow_down(
    health: ProxyHealth, wanted: float | None, now: float, full: float, policy: BackoffPolicy, spread: float
) -> Reaction:
    since_cut = _compute_age(now, health.cut_at)
    new = since_cut >= policy.one_demand
    own = min(policy.first_pause * 2.0 ** min(health.cuts - (not new), 30), MAX_BACKOFF_SECONDS) * spread
    pause = own if wanted is None else wanted
    if not new:
        return Reaction(health, pause)
    repeated = since_cut < policy.repeated_demand
    pace = max((health.pace or full) / 2, _compute_slowest(full)) if repeated else health.pace
    warning = f"{policy.server} asks for fewer requests (HTTP 429 or 503)."
    if pace:
        warning += f" From now on {pace:.3g} a second at most, and more step by step while it answers."
    slowed = replace(health, pace=pace, cuts=health.cuts + 1, cut_at=now)
    return Reaction(slowed, pause, warning)


def _count_refusal(
    health: ProxyHealth, signal: ProxySignal, now: float, full: float, policy: BackoffPolicy, spread: float
) -> Reaction:
    health = replace(health, refused=health.refused + 1, refused_since=health.refused_since or now)
    pause = 0.0
    if health.stopped and _compute_age(now, health.stopped_at) >= policy.one_demand:
        pause = policy.first_stop * 2.0 ** min(health.stops, 30) * spread
        health = replace(health, stops=health.stops + 1, stopped_at=now, pace=_compute_slowest(full))
    if not health.barred or _compute_age(now, health.alarm_at) < policy.alarm_interval:
        return Reaction(health, pause)
    error = (
        f"{policy.server} refuses our requests ({signal.reason}), {health.refused:.0f} in a row: it may have barred "
        "this address. See docs/for-operators.md."
    )
    return Reaction(replace(health, alarm_at=now), pause, error=error)


def _compute_slowest(full: float) -> float:
    return min(full, max(SLOWEST_RATE, full / 64))  # six times halved


def _compute_age(now: float, then: float) -> float:
    """Return the seconds since then; infinity if it never was, or if a clock was set back."""
    return now - then if 0 < then <= now else math.inf
