"""A handle's own record, or what Which RA says of names: from what is stored, else asked for once for all who wait."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from resolver.domain.handle.freshness import Span
from resolver.domain.handle.record import Agency, Answer, ProxyError, Resolution, Unreachable
from resolver.domain.name.doi import fold
from resolver.models.fields import storable
from resolver.proxy.limits.allowance import Allowance
from resolver.proxy.responses import Negotiated
from resolver.services.proxy_answers import cache
from resolver.services.proxy_answers.cache import AgencyAnswer
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.semaphore import OF_THIS_PROCESS
from resolver.services.proxy_answers.single_flight import ask_once

LONGEST_KEPT = 2000  # characters; the longest names that are known have some hundreds
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Held:
    """What the proxy says of a handle, when it was asked, and for how long that counts (P13, P15); the last two are
    None where it did not answer."""

    answer: Answer
    asked_at: datetime | None = None
    span: Span | None = None


def stored(names: Iterable[str], *, proxy: str, now: datetime) -> dict[str, Held]:
    """The records of these very handles that are stored and fresh (P13), by their folded names; one query. `proxy`: its
    base address, since nobody asks it."""
    return _held(names, proxy, cache.oldest_fresh(now), now)


def record(
    name: str,
    *,
    proxy: DoiProxy,
    now: datetime,
    fresh: bool = False,
    certified: bool = False,
    briefly: bool = False,
    allowance: Allowance | None = None,
) -> Held:
    """The record of that very handle; no alias is followed.

    `fresh` goes past all caches, ours and the proxy's, and `certified` demands an authenticated answer (P8). What is
    learned is stored, but of very long names; a failure never is, and is shared by those who waited for it and who come
    just then. `briefly`: it is asked for by one attempt, in a few seconds. `allowance` pays for it, where more
    is to be asked for the same request. Raises Paused.
    """
    began = time.monotonic()
    past = fresh or certified
    day_ago = cache.oldest_fresh(now)
    known = None if past else stored([name], proxy=proxy.base_url, now=now).get(fold(name))
    if known is not None:
        return known

    def ask() -> tuple[Held, ProxyError | Unreachable | None]:
        client = proxy.briefly if briefly else proxy.client
        answer = client.record(name, auth=fresh, certified=certified, allowance=allowance)
        if isinstance(answer, ProxyError | Unreachable):
            return Held(answer), answer
        # Who came before the answer did may share it, however short its values may be kept.
        answer = replace(answer, age=answer.age or began - time.monotonic())
        if _is_kept(name):
            cache.keep({name: Resolution(answer)}, {}, proxy=proxy.base_url, now=now)
        return Held(answer, now, cache.span_of(answer, now)), None

    def kept_since(since: datetime) -> Held | None:
        # Who waited for another's answer may have it, however short it is kept; what was there before must still count.
        counts_at = now if since == day_ago else since
        return _held([name], proxy.base_url, since, counts_at).get(fold(name))

    came = ask_once(
        _digest(proxy, f"record auth={fresh} cert={certified} briefly={briefly}", [name]),
        ask=ask,
        stored=kept_since,
        now=now,
        fresh_since=NEVER if past else day_ago,
    )
    return came if isinstance(came, Held) else Held(came)


def agencies(names: Sequence[str], *, proxy: DoiProxy, now: datetime) -> list[AgencyAnswer]:
    """What Which RA says of each name, in the order asked (R1); those that nothing fresh is stored of are asked for in
    as few requests as it takes (R2), once for all who ask for the same of them. Raises Paused."""
    return agencies_with_age(names, proxy=proxy, now=now)[0]


def agencies_with_age(
    names: Sequence[str], *, proxy: DoiProxy, now: datetime
) -> tuple[list[AgencyAnswer], datetime | None]:
    """The same, and when the oldest of it was asked for; None where something could not be asked."""
    fresh_since = cache.oldest_fresh(now)
    known = _agencies(names, proxy, fresh_since)
    wanted: dict[str, str] = {}
    for name in names:
        if fold(name) not in known:
            wanted.setdefault(fold(name), name)
    if wanted:
        known |= _asked(list(wanted.values()), proxy, now, fresh_since)
    oldest: datetime | None = now
    for _, asked_at in known.values():
        oldest = min(oldest, asked_at) if oldest and asked_at else None
    return [_named(known[fold(name)][0], name) for name in names], oldest


def elsewhere(name: str, accept: str, query: str, *, proxy: DoiProxy) -> Negotiated:
    """Where the proxy sends a client that accepts this, with a raw query: asked for each anew, and stored for nobody.
    Raises Paused."""
    with OF_THIS_PROCESS.place():
        return proxy.client.elsewhere(name, accept, query)


Said = dict[str, tuple[AgencyAnswer, datetime | None]]


def _asked(wanted: list[str], proxy: DoiProxy, now: datetime, fresh_since: datetime) -> Said:
    def ask() -> tuple[Said, ProxyError | Unreachable | None]:
        answered = dict(zip(wanted, proxy.client.agencies(wanted), strict=True))
        kept = {name: answer for name, answer in answered.items() if _is_kept(name)}
        cache.keep({}, kept, proxy=proxy.base_url, now=now)
        failure = next((answer for answer in answered.values() if not isinstance(answer, Agency)), None)
        return {
            fold(n): (answer, now if isinstance(answer, Agency) else None) for n, answer in answered.items()
        }, failure

    def all_stored(since: datetime) -> Said | None:
        found = _agencies(wanted, proxy, since)
        return found if len(found) == len(wanted) else None

    question = _digest(proxy, "agencies", wanted)
    came = ask_once(question, ask=ask, stored=all_stored, now=now, fresh_since=fresh_since)
    if isinstance(came, dict):
        return came
    # Another's request for the same names has failed, perhaps not for all of them.
    failed: Said = {fold(name): (came, None) for name in wanted}
    return failed | _agencies(wanted, proxy, fresh_since)


def _is_kept(name: str) -> bool:
    """Anybody may ask for names that nobody registered; long ones would fill the store."""
    return len(name) <= LONGEST_KEPT


def _held(names: Iterable[str], proxy: str, since: datetime, now: datetime) -> dict[str, Held]:
    found = cache.stored_records(names, proxy=proxy, since=since, now=now)
    return {name: Held(stored.answer, stored.asked_at, stored.span) for name, stored in found.items()}


def _agencies(names: Iterable[str], proxy: DoiProxy, since: datetime) -> Said:
    return dict(cache.agencies(names, proxy=proxy.base_url, since=since))


def _named(answer: AgencyAnswer, name: str) -> AgencyAnswer:
    """The service echoes each name as it was sent (R1)."""
    return Agency(name, answer.ra, answer.status) if isinstance(answer, Agency) else answer


def _digest(proxy: DoiProxy, kind: str, names: Sequence[str]) -> str:
    """The same for the same question, whatever the order and the case (S8) of the names."""
    folded = (storable(fold(name)) for name in names)  # in which no NUL is left
    return sha256("\0".join([proxy.base_url, kind, *sorted(folded)]).encode()).hexdigest()
