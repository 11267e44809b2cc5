"""One request to the proxy for all that want the same answer at once, in any thread, process or machine.

The first asks, under a lease; the others wait, and share its answer or its failure. The lease is a row, because the
database is what all processes have: Django's cache of files has no lock that only one can get.

A web process has few threads: when a failure reaches those that wait, most of a thousand requests are still in line.
So if anything waited, the failure is told for some seconds more.

Stored answers need threads too. So a process keeps some free (waiting_places.py), and requests wait for no answer that
has been under way for as long as a person waits: they get ProxyBusy (503).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from doi_reading import fold
from resolver.domain.handle.answers import Failure, ProxyError, Unreachable
from resolver.models import InFlightRequest
from resolver.proxy.limits.wait_limit import Paused, TimeLimitReached
from resolver.proxy.metadata_requests import ServicePaused
from resolver.services.proxy_answers.configured_proxy import PATIENCE
from resolver.services.proxy_answers.known_answer import Found, KnownAnswer
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES, ProxyBusy
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Lease, LeaseColumns

LEASES = LeaseColumns("token", "until", timedelta(seconds=10))
TOLD_FOR = timedelta(seconds=3)
LONGEST_WAIT = timedelta(seconds=PATIENCE)
SHORTEST_POLL, LONGEST_POLL = 0.005, 0.1  # seconds
_KINDS: dict[str, type[ProxyError] | type[Unreachable]] = {"error": ProxyError, "unreachable": Unreachable}
_PAUSES: dict[str, Callable[[dict[str, Any]], Paused]] = {
    "paused": lambda told: Paused(told["seconds"]),
    "service": lambda told: ServicePaused(told["host"], told["seconds"]),
    "time": lambda _: TimeLimitReached(),
    "busy": lambda _: ProxyBusy(),
}
"""Those that wait get the pause itself: each kind has a sentence of its own for people."""


def ask_once(
    key: str,
    names: Sequence[str],
    *,
    ask: Callable[[], Found[Any]],
    recall: Callable[[datetime, datetime | None], Found[Any]],
    now: datetime,
    anew: bool = False,
    leases: LeaseColumns = LEASES,
    told_for: timedelta = TOLD_FOR,
) -> Found[Any]:
    """Return an answer for each of the names: what `ask` returns, which stores it, or what another request has stored
    meanwhile.

    `key`: equal for equal questions, 64 characters at most. `recall(at, since)` returns the stored answers that count
    `at` that time and were requested `since`. `anew`: only answers requested after this call count. Raises Paused,
    ProxyBusy if another's answer takes too long, and what `ask` raises.
    """
    row = InFlightRequest.objects.filter(pk=key)
    with PROXY_PLACES.take_place():
        while True:
            other = row.filter(until__gte=read_clock()).first()
            if other is None:
                InFlightRequest.objects.bulk_create([InFlightRequest(key=key, asked_at=now)], ignore_conflicts=True)
                lease = leases.take(row, read_clock(), asked_at=now, awaited=False, failure=None)
                if lease is not None:
                    return _answer_waiting(lease, names, ask, lambda: {} if anew else recall(now, None), told_for)
                continue
            failure = _wait_for(other)
            if failure is not None:
                # Of several names, perhaps not all have failed.
                others = recall(now, None) if len(names) > 1 and not anew else {}
                return dict.fromkeys(map(fold, names), KnownAnswer(failure)) | others
            # An answer that this request waited for counts for it, however short its time to live.
            found = recall(other.asked_at, other.asked_at)
            if len(found) == len(names):
                return found


def _answer_waiting(
    lease: Lease[InFlightRequest],
    names: Sequence[str],
    ask: Callable[[], Found[Any]],
    recall: Callable[[], Found[Any]],
    told_for: timedelta,
) -> Found[Any]:
    failure: dict[str, Any] | None = None
    try:
        found = recall()  # another may just have stored it
        if len(found) < len(names):
            with lease.keep(read_clock):
                found = ask()
            failed = [known.answer for known in found.values() if isinstance(known.answer, Failure)]
            failure = _to_json(failed[0]) if failed else None
    except Paused as pause:
        failure = _pause_to_json(pause)
        raise
    finally:
        if failure is None:
            lease.find_row().delete()
        else:
            ended = read_clock()
            lease.find_row().filter(awaited=False).update(failure=failure, until=ended)
            lease.find_row().filter(awaited=True).update(failure=failure, until=ended + told_for)
    return found


def _wait_for(other: InFlightRequest) -> Failure | None:
    """Wait until the request has ended. Return its failure, or None if it has an answer or was given up. Raises Paused
    if it did, and ProxyBusy if it takes too long."""
    waited_for = InFlightRequest.objects.filter(pk=other.pk, token=other.token)
    if not other.awaited:
        waited_for.update(awaited=True)
    row: InFlightRequest | None = other
    poll = SHORTEST_POLL
    while row is not None and not row.failure:
        if row.until is None or row.until < read_clock():
            return None
        if read_clock() - other.asked_at > LONGEST_WAIT:
            raise ProxyBusy
        time.sleep(poll)
        poll = min(poll * 1.5, LONGEST_POLL)
        row = waited_for.first()
    return _from_json(row.failure) if row else None


def _to_json(failure: Failure) -> dict[str, Any]:
    kind = next(kind for kind, made in _KINDS.items() if isinstance(failure, made))
    return {"kind": kind, **asdict(failure)}


def _pause_to_json(pause: Paused) -> dict[str, Any]:
    match pause:
        case ServicePaused():
            return {"kind": "service", "host": pause.host, "seconds": pause.seconds}
        case TimeLimitReached():
            return {"kind": "time"}
        case ProxyBusy():
            return {"kind": "busy"}
    return {"kind": "paused", "seconds": pause.seconds}


def _from_json(told: dict[str, Any]) -> Failure:
    if told["kind"] in _PAUSES:
        raise _PAUSES[told["kind"]](told)
    return _KINDS[told["kind"]](**{name: value for name, value in told.items() if name != "kind"})
