"""What a click on a name leads to, from the records that are stored or asked for now: one way for all who show it."""

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
from resolver.services.proxy_answers import cache as proxy_answer_cache
from resolver.services.proxy_answers import fetch
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.fetch import Held
from resolver.services.proxy_answers.semaphore import TurnedBack

LEFT_ALONE = 60.0  # seconds for which a prefix that could not be asked is not asked again

_CHANCE = secrets.SystemRandom()
_NOT_ASKED = Held(Unreachable(Message("the prefix couldn't be checked just now")))


def choose_by_chance(among: Sequence[Location]) -> Location:
    """One of the locations, the heavier the likelier (L5)."""
    return choose_by_weight(among, _CHANCE.random())


@dataclass(frozen=True, slots=True)
class Resolved:
    """The outcome, and the records that it took, by their handles in the order in which they were needed."""

    outcome: Outcome
    held: Mapping[str, Held]

    @property
    def span(self) -> Span | None:
        """That of the record which is the first to expire: until then all of them count. None where one could not be
        had."""
        spans = [held.span for held in self.held.values()]
        known = [span for span in spans if span is not None]
        return min(known, key=lambda span: span.expires_at) if len(known) == len(spans) else None


def resolve_link(
    name: str, parameters: Parameters, *, country: str, proxy: DoiProxy, now: datetime, pick: Pick = choose_by_chance
) -> Resolved:
    """What the name leads to (sections P and L), `country` being the requester's.

    What is usually needed is looked for by one query: the record, and that of its prefix. Raises Paused when a record
    of the name itself must be asked for and cannot be. What is wanted on behalf of the prefix alone keeps nobody
    waiting: it is asked for once, briefly, and where that brings no answer, not again for a minute. However many
    aliases there are and whatever the proxy answers, all of it costs no more than one allowance.
    """
    allowance = Allowance()
    demands = {"fresh": parameters.auth, "certified": parameters.cert}
    usual = [name, f"0.NA/{name.partition('/')[0]}"]
    known = {} if any(demands.values()) else fetch.stored(usual, proxy=proxy.base_url, now=now)
    held: dict[str, Held] = {}

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


def _in_passing(handle: str, proxy: DoiProxy, now: datetime, demands: Mapping[str, bool], allowance: Allowance) -> Held:
    left_alone = f"no-answer:{proxy_answer_cache.digest(proxy.base_url)}:{proxy_answer_cache.digest(handle)}"
    if cache.get(left_alone):
        return _NOT_ASKED
    seconds = LEFT_ALONE
    try:
        came = fetch.record(handle, proxy=proxy, now=now, briefly=True, allowance=allowance, **demands)
    except TurnedBack:
        raise
    except Paused as pause:
        came, seconds = _NOT_ASKED, min(pause.seconds, LEFT_ALONE)
    if came.asked_at is None:
        with suppress(OSError):  # on a full disk the name still leads somewhere
            cache.set(left_alone, True, seconds)
    return came


def country_of(request: Any) -> str:
    """The requester's country in two small letters, as the server before us says in a header of the request, or as
    the settings have it; '' where neither does (L4)."""
    header = conf.country_header()
    told = request.headers.get(header, "") if header else ""
    return told.lower() if re.fullmatch("[A-Za-z]{2}", told) else conf.country()
