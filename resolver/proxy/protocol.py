"""The talk with the proxy, without any I/O: what to ask next, given what came back.

A conversation is a generator: it yields `Send` and is sent a Reply, or the Failure that stood in its place; it yields
`Wait` and is sent None. `client.py` drives it with requests and `async_client.py` with aiohttp, so that both retry,
follow aliases (P7) and halve batches in the same way.
"""

import logging
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from resolver.domain.handle.aliases import follow
from resolver.domain.handle.record import Agency, Answer, ProxyError, Resolution, Unasked
from resolver.domain.message import Message
from resolver.domain.name.encoding import UNSENDABLE
from resolver.domain.parsing.reading import OUR_FAULT
from resolver.proxy.config import ProxyConfig
from resolver.proxy.responses import (
    STALE,
    Failure,
    Negotiated,
    Reply,
    Unusable,
    backoff,
    decide_agencies,
    decide_elsewhere,
    decide_record,
)

MAX_SPOILT = 3
MORE_TRIES = 3  # for a name that met a limit on requests: that is about all of us, and passes when all slow down
STUMBLED = Unusable(ProxyError(OUR_FAULT), splittable=True, at_once=True)
UNWRITABLE = ProxyError(Message("the name cannot be written in a URL"))

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Send:
    """Send a GET for this address, exactly as it stands, within the budget. `accept`: what kind of answer is wanted,
    where it is not data. `anew`: on a new connection, since the last attempt failed: when a proxy was started again,
    every connection that was kept is dead."""

    url: str
    accept: str = ""
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """Let this time pass before this name is asked again. (A pause for all is the budget's to keep.)"""

    seconds: float


T = TypeVar("T")
Step = Send | Wait
Conversation = Generator[Step, Reply | Failure | None, T]
Verdict = Agency | Failure


def _attempt(
    ask: Send, config: ProxyConfig, decide: Callable[[Reply], T], give_up: Callable[[Unusable], bool]
) -> Conversation[T | Unusable]:
    """Ask until there is a verdict, or all attempts have given none, or there is a better way than to repeat this."""
    number = 1
    while True:
        heard = yield replace(ask, anew=number > 1)
        if heard == STALE:  # no byte came: the proxy may never have got this GET, and that is no failure of it
            heard = yield replace(ask, anew=True)
        outcome = _decided(heard, decide) if isinstance(heard, Reply) else Unusable(_failure(heard))
        if not isinstance(outcome, Unusable) or isinstance(outcome.failure, Unasked):
            return outcome
        if number >= config.tries + (MORE_TRIES if outcome.patient else 0) or give_up(outcome):
            return outcome
        yield Wait(backoff(number, config.backoff))
        number += 1


def _decided(reply: Reply, decide: Callable[[Reply], T]) -> T | Unusable:
    """The verdict. A stranger wrote the answer: one over which we stumble is no use, and spoils no other name's."""
    try:
        return decide(reply)
    except Exception:
        log.exception("An answer of the DOI proxy could not be read")
        return STUMBLED


def _never(outcome: Unusable) -> bool:
    return False


def _splits_at_once(outcome: Unusable) -> bool:
    return outcome.at_once


def _splits(outcome: Unusable) -> bool:
    return outcome.splittable


def _failure(heard: Failure | None) -> Failure:
    return heard if heard is not None else ProxyError(Message("there was no answer"))


def resolution(name: str, config: ProxyConfig) -> Conversation[Resolution]:
    """Ask for the record of `name`, and for that of each name it is an alias of (P7)."""
    followed = follow(name)
    asked = next(followed)
    while True:
        answer = yield from record(asked, config)
        try:
            asked = followed.send(answer)
        except StopIteration as end:
            found: Resolution = end.value
            return found


def record(name: str, config: ProxyConfig, *, auth: bool = False, certified: bool = False) -> Conversation[Answer]:
    """Ask for the record of that very handle; no alias is followed. `auth`, `certified`: as P8 has it."""
    if not _writable(name):
        return UNWRITABLE
    decide: Callable[[Reply], Answer | Unusable] = partial(decide_record, asked=name)
    url = config.record_url(name, auth=auth, certified=certified)
    outcome: Answer | Unusable = yield from _attempt(Send(url), config, decide, _never)
    return outcome.failure if isinstance(outcome, Unusable) else outcome


def negotiation(name: str, accept: str, config: ProxyConfig, query: str = "") -> Conversation[Negotiated]:
    """Ask where the proxy would send a client that accepts `accept`, without going there; `query` is the raw one."""
    if not _writable(name):
        return UNWRITABLE
    ask = Send(config.name_url(name, query), accept=accept)
    outcome: Negotiated | Unusable = yield from _attempt(ask, config, decide_elsewhere, _never)
    return outcome.failure if isinstance(outcome, Unusable) else outcome


def _writable(name: str) -> bool:
    """JSON can write half of a surrogate pair in an alias, but no URL can: it has no UTF-8 form. Nor can it `..`."""
    return name not in UNSENDABLE and not any("\ud800" <= character <= "\udfff" for character in name)


def agencies(names: Sequence[str], config: ProxyConfig) -> Conversation[list[Verdict]]:
    """Ask Which RA for one batch; the verdicts stand in the order of the names (R1, R2)."""
    verdicts = iter((yield from _agencies([name for name in names if _writable(name)], config)))
    return [next(verdicts) if _writable(name) else UNWRITABLE for name in names]


def _agencies(names: Sequence[str], config: ProxyConfig) -> Conversation[list[Verdict]]:
    """One batch, halved as long as the service cannot take it or answer it as a whole.

    One name can spoil the answer for all, so an unusable answer is looked for in the halves. When a few single names
    get none either, and nothing else was answered, the service is at fault and the rest is left unasked.
    """
    found: dict[int, Verdict] = {}
    waiting = [(0, len(names))] if names else []
    give_up = _splits_at_once
    spoilt = 0
    while waiting:
        start, end = waiting.pop()
        part = names[start:end]
        single = len(part) == 1
        decide = partial(decide_agencies, asked=part)
        outcome = yield from _attempt(Send(config.agencies_url(part)), config, decide, _never if single else give_up)
        give_up = _splits
        if not isinstance(outcome, Unusable):
            found.update(zip(range(start, end), outcome, strict=True))
        elif outcome.splittable and not single:
            middle = (start + end) // 2
            waiting += [(middle, end), (start, middle)]
        else:
            found.update(dict.fromkeys(range(start, end), outcome.failure))
            spoilt += 1 if outcome.splittable else MAX_SPOILT
            if spoilt >= MAX_SPOILT and not any(isinstance(verdict, Agency) for verdict in found.values()):
                found.update(dict.fromkeys(range(end, len(names)), outcome.failure))
                break
    return [found[index] for index in range(len(names))]
