"""Where a name leads, by records that are stored or requested now, for the gateway and the record page."""

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache

from resolver import conf
from resolver.domain.handle.freshness import Span
from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.record import Answer, Unreachable
from resolver.domain.message import Message
from resolver.domain.name.doi import fold
from resolver.domain.redirect.locations import Location, choose_by_weight
from resolver.domain.redirect.resolve import Pick, drive, resolve
from resolver.domain.redirect.result import Outcome
from resolver.domain.redirect.targets import OfPrefix
from resolver.proxy.limits import Paused
from resolver.proxy.limits.allowance import Allowance
from resolver.services.proxy_answers import fetch
from resolver.services.proxy_answers.cache import Known, digest, first_to_expire, stored_records
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.semaphore import TurnedBack

LEFT_ALONE = 60.0  # seconds until a prefix without an answer is tried again

_CHANCE = secrets.SystemRandom()
_NOT_ASKED: Known[Answer] = Known(Unreachable(Message("the prefix couldn't be checked just now")))


def choose_by_chance(among: Sequence[Location]) -> Location:
    """Choose one of the locations by weight (L5)."""
    return choose_by_weight(among, _CHANCE.random())


@dataclass(frozen=True, slots=True)
class Resolved:
    """The outcome, and the records that it took, by their handles in the order in which they were needed."""

    outcome: Outcome
    held: Mapping[str, Known[Answer]]

    @property
    def span(self) -> Span | None:
        """The span of the record that expires first; None if there is a failure."""
        return first_to_expire(self.held.values())


def resolve_link(
    name: str, parameters: Parameters, *, country: str, proxy: DoiProxy, now: datetime, pick: Pick = choose_by_chance
) -> Resolved:
    """Return where the name leads (sections P and L); `country` is the requester's.

    One query looks for the usual records: the name's and its prefix's. All requests together cost at most one
    allowance, however many aliases there are. Nobody waits for the prefix: it is requested once, briefly, and after a
    failure not again for a minute. Raises Paused if a record of the name itself can't be requested.
    """
    allowance = Allowance()
    demands = {"fresh": parameters.auth, "certified": parameters.cert}
    usual = [name, f"0.NA/{name.partition('/')[0]}"]
    known = {} if any(demands.values()) else stored_records(usual, proxy=proxy.base_url, now=now)
    held: dict[str, Known[Answer]] = {}

    def ask(handle: str) -> Answer:
        if handle not in held:
            stored = known.get(fold(handle))
            if stored is not None:
                held[handle] = stored
            elif isinstance(handle, OfPrefix):
                held[handle] = _in_passing(handle, proxy, now, demands, allowance)
            else:
                held[handle] = fetch.record(handle, proxy=proxy, now=now, allowance=allowance, **demands)
        return held[handle].answer

    return Resolved(drive(resolve(name, parameters, country=country, pick=pick), ask), held)


def _in_passing(
    handle: str, proxy: DoiProxy, now: datetime, demands: Mapping[str, bool], allowance: Allowance
) -> Known[Answer]:
    left_alone = f"no-answer:{digest(proxy.base_url)}:{digest(handle)}"
    if cache.get(left_alone):
        return _NOT_ASKED
    seconds = LEFT_ALONE
    try:
        found = fetch.record(handle, proxy=proxy, now=now, briefly=True, allowance=allowance, **demands)
    except TurnedBack:
        raise
    except Paused as pause:
        found, seconds = _NOT_ASKED, min(pause.seconds, LEFT_ALONE)
    if found.asked_at is None:
        with suppress(OSError):  # on a full disk the name still leads somewhere
            cache.set(left_alone, True, seconds)
    return found


def country_of(request: Any) -> str:
    """Return the requester's country in two small letters: from the header that the server before us sets, or from the
    settings; "" if neither says (L4)."""
    header = conf.country_header()
    told = request.headers.get(header, "") if header else ""
    return told.lower() if re.fullmatch("[A-Za-z]{2}", told) else conf.country()
