"""What to request from the proxy next, given its answers: without any I/O.

A conversation is a generator: it yields `SendStep` and gets a reply or a Failure; it yields `WaitStep` and gets None.
`client.py` drives it with requests and `bulk_client.py` with libcurl, so both retry, follow aliases (P7) and halve
batches alike.
"""

import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TypeVar

from doi_reading import Message, encode
from doi_reading.name import UNSENDABLE
from resolver.domain.handle.answers import (
    OUR_FAULT,
    Answer,
    Failure,
    ProxyError,
    Resolution,
    Unasked,
    WhichRaAnswer,
    follow_aliases,
)
from resolver.proxy.proxy_config import ProxyConfig
from resolver.proxy.proxy_reply import (
    STALE,
    FailedAttempt,
    Negotiated,
    ProxyReply,
    compute_retry_wait,
    decide_agencies,
    decide_negotiated,
    decide_record,
)

MOST_SPOILING_NAMES = 3  # that get no answer even alone, before the rest of a batch is left out
STUMBLED = FailedAttempt(ProxyError(OUR_FAULT), splittable=True, at_once=True)
UNWRITABLE = ProxyError(Message("the name cannot be written in a URL"))

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SendStep:
    """Send a GET for this address, exactly as it is, within the budget. `accept`: the kind of answer, if not data;
    `on_new_connection`: since after a failure every kept one may be dead; `service`: the host of an agency, if it isn't
    for the DOI proxy; `more`: so many attempts follow if this one fails."""

    url: str
    accept: str = ""
    on_new_connection: bool = False
    service: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class WaitStep:
    """Wait before the next attempt for this name. (The budget keeps the pauses for all.)"""

    seconds: float


T = TypeVar("T")
Step = SendStep | WaitStep
Conversation = Generator[Step, ProxyReply | Failure | None, T]
Verdict = WhichRaAnswer | Failure
GiveUp = Callable[[FailedAttempt], bool]
"""Whether there is a better way than to repeat an attempt that ended so."""


def _never_give_up(outcome: FailedAttempt) -> bool:
    return False


def attempt(
    ask: SendStep, config: ProxyConfig, decide: Callable[[ProxyReply], T], give_up: GiveUp = _never_give_up
) -> Conversation[T | FailedAttempt]:
    """Repeat the request until there is a verdict, or no attempt is left."""
    number = 1
    while True:
        if ask.more != (more := max(config.tries - number, 0)):
            ask = replace(ask, more=more)
        heard = yield replace(ask, on_new_connection=True) if number > 1 else ask
        if heard == STALE:  # the proxy may never have received this GET, so it doesn't count as an attempt
            heard = yield replace(ask, on_new_connection=True)
        if isinstance(heard, ProxyReply):
            outcome = _decide_safely(heard, decide)
        else:
            outcome = FailedAttempt(heard or ProxyError(Message("there was no answer")))
        if not isinstance(outcome, FailedAttempt) or isinstance(outcome.failure, Unasked):
            return outcome
        most = config.tries + 3 if outcome.patient else config.tries  # HTTP 429 passes when all processes slow down
        if number >= most or give_up(outcome):
            return outcome
        yield WaitStep(compute_retry_wait(number, config.backoff))
        number += 1


def _decide_safely(reply: ProxyReply, decide: Callable[[ProxyReply], T]) -> T | FailedAttempt:
    """Return the verdict. A stranger wrote the answer: an exception about it must not spoil other names."""
    try:
        return decide(reply)
    except Exception:
        log.exception("An answer of the DOI proxy could not be read")
        return STUMBLED


def ask_resolution(name: str, config: ProxyConfig, *, auth: bool = False) -> Conversation[Resolution]:
    """Ask for the record of `name`, and of each name it is an alias of (P7). `auth`: as in P8."""
    followed = follow_aliases(name)
    current = next(followed)
    while True:
        answer = yield from ask_record(current, config, auth=auth)
        try:
            current = followed.send(answer)
        except StopIteration as end:
            found: Resolution = end.value
            return found


def ask_record(name: str, config: ProxyConfig, *, auth: bool = False, certified: bool = False) -> Conversation[Answer]:
    """Ask for the record of that very handle, without following an alias. `auth`, `certified`: as in P8."""
    if not is_writable(name):
        return UNWRITABLE
    decide: Callable[[ProxyReply], Answer | FailedAttempt] = partial(decide_record, name=name)
    url = config.record_url(name, auth=auth, certified=certified)
    outcome: Answer | FailedAttempt = yield from attempt(SendStep(url, more=config.tries - 1), config, decide)
    return outcome.failure if isinstance(outcome, FailedAttempt) else outcome


def ask_negotiation(name: str, accept: str, config: ProxyConfig, query: str = "") -> Conversation[Negotiated]:
    """Ask where the proxy redirects a client with this Accept header and raw query."""
    if not is_writable(name):
        return UNWRITABLE
    ask = SendStep(config.build_name_url(name, query), accept=accept)
    outcome: Negotiated | FailedAttempt = yield from attempt(ask, config, decide_negotiated)
    return outcome.failure if isinstance(outcome, FailedAttempt) else outcome


def is_writable(name: str) -> bool:
    """Return whether a URL can name it: not half of a surrogate pair, which JSON can write, and not `..`."""
    return name not in UNSENDABLE and (name.isascii() or not any("\ud800" <= one <= "\udfff" for one in name))


def ask_agencies(names: Sequence[str], config: ProxyConfig) -> Conversation[list[Verdict]]:
    """Ask Which RA for one batch; return the verdicts in the order of the names (R1, R2)."""
    verdicts = iter((yield from _ask_one_batch([name for name in names if is_writable(name)], config)))
    return [next(verdicts) if is_writable(name) else UNWRITABLE for name in names]


def _ask_one_batch(names: Sequence[str], config: ProxyConfig) -> Conversation[list[Verdict]]:
    """Ask for one batch, halved while the service can't accept or answer it as a whole: one name can spoil the answer
    for all. If a few single names get no answer either, and no other name got one, the rest is left out: it gets the
    same failure.
    """
    found: dict[int, Verdict] = {}
    waiting = [(0, len(names))] if names else []
    give_up: GiveUp = attrgetter("at_once")
    spoiling = 0
    while waiting:
        start, end = waiting.pop()
        part = names[start:end]
        single = len(part) == 1
        decide = partial(decide_agencies, names=part)
        outcome = yield from attempt(
            SendStep(config.build_agencies_url(part)), config, decide, _never_give_up if single else give_up
        )
        give_up = attrgetter("splittable")
        if not isinstance(outcome, FailedAttempt):
            found.update(zip(range(start, end), outcome, strict=True))
        elif outcome.splittable and not single:
            middle = (start + end) // 2
            waiting += [(middle, end), (start, middle)]
        else:
            found.update(dict.fromkeys(range(start, end), outcome.failure))
            spoiling += 1 if outcome.splittable else MOST_SPOILING_NAMES
            if spoiling >= MOST_SPOILING_NAMES and not any(
                isinstance(verdict, WhichRaAnswer) for verdict in found.values()
            ):
                found.update(dict.fromkeys(range(end, len(names)), outcome.failure))
                break
    return [found[index] for index in range(len(names))]


MAX_BATCH_NAMES = 50
MAX_BATCH_BYTES = 3000  # doi.org answered 5.7 kB in 7.6 s and refused 11.5 kB with HTTP 414


def split_batches(names: Sequence[str]) -> Iterator[list[str]]:
    """Cut the names into lists that one Which RA request can hold, in order, but names with a comma last.

    A comma inside a name is `%2C` (R2). Whether the service splits before it decodes is not documented. If not, the
    answer does not fit, and the batch is halved until each name is alone: apart, they harm no other name.
    """
    for group in ([name for name in names if "," not in name], [name for name in names if "," in name]):
        yield from split_by_length(group, MAX_BATCH_NAMES, MAX_BATCH_BYTES, lambda name: encode(name, "which-ra"))


def split_by_length(
    names: Sequence[str], most: int, most_bytes: int, write: Callable[[str], str]
) -> Iterator[list[str]]:
    """Cut the names, in order, into lists of at most `most`, which `write` and commas make at most `most_bytes` long. A
    name that is longer stands alone."""
    batch: list[str] = []
    size = 0
    for name in names:
        length = len(write(name)) + 1
        if batch and (len(batch) == most or size + length > most_bytes):
            yield batch
            batch, size = [], 0
        batch.append(name)
        size += length
    if batch:
        yield batch
