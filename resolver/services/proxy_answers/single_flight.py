"""One request to the proxy for all who ask the same at once, in whatever thread, process or machine.

Whoever comes first asks; the others wait, and share the answer or the failure of that very request. The claim is a row,
since the database is what all of them have; a cache made of files knows no claim that only one can get.

A web process has few threads: of a thousand who ask at once, most stand in line when a failure is told to those who
wait. They came at the same time, but nothing here can see it. So where anybody waited, a failure is told for some
seconds more.

And the threads are for what is stored too. So a process keeps some free of all this (semaphore.py), and nobody waits
for a question that has been under way for as long as a person is kept waiting: these are told to come again (503).
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.utils import timezone

from resolver.domain.handle.record import ProxyError, Unreachable
from resolver.models import Question
from resolver.proxy.limits import Paused
from resolver.proxy.responses import Failure
from resolver.services.leases import keep_renewing
from resolver.services.proxy_answers.doi_proxy import PATIENCE
from resolver.services.proxy_answers.semaphore import OF_THIS_PROCESS, ProxyBusy

LEASE = timedelta(seconds=10)  # for so long at most a killed asker keeps the others waiting
RENEW_EVERY = 3.0
TOLD_FOR = timedelta(seconds=3)
LONGEST_WAIT = timedelta(seconds=PATIENCE)
SHORTEST_POLL, LONGEST_POLL = 0.005, 0.1

T = TypeVar("T")
_KINDS: dict[str, type[ProxyError] | type[Unreachable]] = {"error": ProxyError, "unreachable": Unreachable}


def ask_once(
    what: str,
    *,
    ask: Callable[[], tuple[T, Failure | None]],
    stored: Callable[[datetime], T | None],
    now: datetime,
    fresh_since: datetime,
) -> T | Failure:
    """What `ask` returns, which stores what it learns, and says beside it if it came to a failure; or what `stored`
    finds that another has asked for since the time that it is given.

    `what` is the same for the same question, 64 characters at most. An answer stored since `fresh_since` will do, so
    that who comes just when another is done does not ask again. Raises Paused, ProxyBusy where the answer takes too
    long to wait for, and what `ask` raises.
    """
    with OF_THIS_PROCESS.place():
        while True:
            mine = Question(what=what, until=timezone.now() + LEASE, asked_at=now)
            other = _other(what) or _claim(mine)
            if other is None:
                return _answered(mine, ask, stored, fresh_since)
            failure = _wait_for(*other)
            if failure is not None:
                return failure
            answer = stored(other[1])
            if answer is not None:
                return answer


def _other(what: str) -> tuple[UUID, datetime] | None:
    """Who asks this, and since when; a claim that ran out is none."""
    now = timezone.now()
    row = Question.objects.filter(what=what).values_list("pk", "asked_at", "until").first()
    if row is None:
        return None
    if row[2] >= now:
        return row[0], row[1]
    Question.objects.filter(pk=row[0], until__lt=now).update(what=None)
    return None


def _claim(mine: Question) -> tuple[UUID, datetime] | None:
    """None when it is ours now; else who was faster."""
    while True:
        Question.objects.bulk_create([mine], ignore_conflicts=True)
        holder = Question.objects.filter(what=mine.what).values_list("pk", "asked_at").first()
        if holder is not None:
            return None if holder[0] == mine.pk else holder


def _answered(
    mine: Question,
    ask: Callable[[], tuple[T, Failure | None]],
    stored: Callable[[datetime], T | None],
    fresh_since: datetime,
) -> T:
    row = Question.objects.filter(pk=mine.pk)
    failure: Any = None
    try:
        answer = stored(fresh_since)
        if answer is None:
            with keep_renewing(lambda: _renew(mine.pk), every=RENEW_EVERY):
                answer, came_to = ask()
            failure = _told(came_to) if came_to else None
    except Paused as pause:
        failure = {"kind": "paused", "seconds": pause.seconds}
        raise
    finally:
        if failure is None:
            row.delete()
        else:
            told = row.filter(awaited=True).update(failure=failure, until=timezone.now() + TOLD_FOR)
            if not told:
                row.update(what=None, failure=failure)
    return answer


def _renew(question: UUID) -> None:
    Question.objects.filter(pk=question).update(until=timezone.now() + LEASE)


def _wait_for(question: UUID, asked_at: datetime) -> Failure | None:
    """Until it is over. The failure that it came to; None when there is an answer, or nobody asks it any more. Raises
    ProxyBusy when that takes too long."""
    Question.objects.filter(pk=question, awaited=False).update(awaited=True)
    polls = _polls()
    while True:
        row = Question.objects.filter(pk=question).values_list("what", "failure", "until").first()
        if row is None or row[1]:
            return _failure(row[1]) if row else None
        if row[0] is None or row[2] < timezone.now():
            return None
        if timezone.now() - asked_at > LONGEST_WAIT:
            raise ProxyBusy
        time.sleep(next(polls))


def _polls() -> Iterator[float]:
    """Seconds between two looks."""
    poll = SHORTEST_POLL
    while True:
        yield poll
        poll = min(poll * 1.5, LONGEST_POLL)


def _told(failure: Failure) -> dict[str, Any]:
    kind = next(kind for kind, made in _KINDS.items() if isinstance(failure, made))
    return {"kind": kind, **asdict(failure)}


def _failure(told: dict[str, Any]) -> Failure:
    if told["kind"] == "paused":
        raise Paused(told["seconds"])
    return _KINDS[told["kind"]](**{name: value for name, value in told.items() if name != "kind"})
