"""One request to the proxy for all that want the same answer at once, in any thread, process or machine.

The first sends it, under a lease. The others wait, and share its answer or its failure. The lease is a row of the
database, which all processes share. Django's cache of files has no lock that only one process can get.

A web process has few threads: when a failure reaches the waiting requests, most of a thousand are still in line. If any
request waited, later ones share the failure for some seconds more.

Stored answers need threads too. So a process keeps some free (waiting_places.py). An answer that has been under way for
as long as a person waits is not waited for: the request gets ProxyBusy (503).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from doi_reading import fold
from resolver.domain.handle.answers import Failure, ProxyError, Unreachable
from resolver.models import InFlightRequest
from resolver.proxy.limits.request_deadline import Paused, TimeLimitReached
from resolver.proxy.metadata_requests import ServicePaused
from resolver.services.proxy_answers.configured_proxy import PATIENCE_SECONDS
from resolver.services.proxy_answers.dated_answer import DatedAnswer, Found
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES, ProxyBusy
from resolver.services.storage.clock import read_clock
from resolver.services.storage.leases import Lease, LeaseColumns

LEASES = LeaseColumns("token", "until", timedelta(seconds=10))
FAILURE_SHARED_FOR = timedelta(seconds=3)
LONGEST_WAIT = timedelta(seconds=PATIENCE_SECONDS)
_KINDS: dict[str, type[ProxyError] | type[Unreachable]] = {"error": ProxyError, "unreachable": Unreachable}
_PAUSES: dict[str, tuple[type[Paused], tuple[str, ...]]] = {
    "service": (ServicePaused, ("host", "seconds")),
    "time": (TimeLimitReached, ()),
    "busy": (ProxyBusy, ()),
    "paused": (Paused, ("seconds",)),
}
"""The pauses with their arguments. Waiting requests get the pause itself: each kind has its own sentence for people."""


def request_once(
    key: str,
    names: Sequence[str],
    *,
    send: Callable[[], Found[Any]],
    recall: Callable[[datetime, datetime | None], Found[Any]],
    now: datetime,
    anew: bool = False,
    leases: LeaseColumns = LEASES,
    shared_for: timedelta = FAILURE_SHARED_FOR,
) -> Found[Any]:
    """Return an answer for each name: what `send` returns and stores, or what another request has stored meanwhile.

    `key`: equal for equal requests, 64 characters at most. `recall(at, since)` returns the stored answers that count
    `at` that time and were requested `since`. `anew`: only answers requested after this call count. Raises Paused,
    ProxyBusy if another's answer takes too long, and what `send` raises.
    """
    row = InFlightRequest.objects.filter(pk=key)
    with PROXY_PLACES.take_place():
        while True:
            other = row.filter(until__gte=read_clock()).first()
            if other is None:
                InFlightRequest.objects.bulk_create([InFlightRequest(key=key, asked_at=now)], ignore_conflicts=True)
                lease = leases.take(row, read_clock(), asked_at=now, awaited=False, failure=None)
                if lease is not None:
                    return _send_and_share(lease, names, send, lambda: {} if anew else recall(now, None), shared_for)
                continue
            failure = _wait_for(other)
            if failure is not None:
                # Of several names, perhaps not all have failed.
                others = recall(now, None) if len(names) > 1 and not anew else {}
                return dict.fromkeys(map(fold, names), DatedAnswer(failure)) | others
            # An answer that this request waited for counts for it, however short its time to live.
            found = recall(other.asked_at, other.asked_at)
            if len(found) == len(names):
                return found


def _send_and_share(
    lease: Lease[InFlightRequest],
    names: Sequence[str],
    send: Callable[[], Found[Any]],
    recall: Callable[[], Found[Any]],
    shared_for: timedelta,
) -> Found[Any]:
    failure: dict[str, Any] | None = None
    try:
        found = recall()  # another may just have stored it
        if len(found) < len(names):
            with lease.keep(read_clock):
                found = send()
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
            lease.find_row().filter(awaited=True).update(failure=failure, until=ended + shared_for)
    return found


def _wait_for(other: InFlightRequest) -> Failure | None:
    """Wait until the request has ended. Return its failure, or None if it has an answer or was given up. Raises Paused
    if it did, and ProxyBusy if it takes too long."""
    waited_for = InFlightRequest.objects.filter(pk=other.pk, token=other.token)
    if not other.awaited:
        waited_for.update(awaited=True)
    row: InFlightRequest | None = other
    poll = 0.005  # seconds
    while row is not None and not row.failure:
        if row.until is None or row.until < read_clock():
            return None
        if read_clock() - other.asked_at > LONGEST_WAIT:
            raise ProxyBusy
        time.sleep(poll)
        poll = min(poll * 1.5, 0.1)
        row = waited_for.first()
    return _from_json(row.failure) if row else None


def _to_json(failure: Failure) -> dict[str, Any]:
    kind = next(kind for kind, made in _KINDS.items() if isinstance(failure, made))
    return {"kind": kind, **asdict(failure)}


def _pause_to_json(pause: Paused) -> dict[str, Any]:
    kind, names = next((kind, names) for kind, (made, names) in _PAUSES.items() if isinstance(pause, made))
    return {"kind": kind} | {name: getattr(pause, name) for name in names}


def _from_json(stored: dict[str, Any]) -> Failure:
    kind, arguments = stored["kind"], {name: value for name, value in stored.items() if name != "kind"}
    if kind in _PAUSES:
        raise _PAUSES[kind][0](**arguments)
    return _KINDS[kind](**arguments)
