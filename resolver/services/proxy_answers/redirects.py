"""Where a name leads, by records that are stored or requested now, for the gateway and the record page."""

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import redis
from django.conf import settings
from django.core.cache import cache

from doi_reading import Message, fold
from resolver.domain.handle.answers import Answer, Unreachable
from resolver.domain.handle.freshness import FreshnessSpan
from resolver.domain.handle.proxy_parameters import Attribute, ProxyParameters
from resolver.domain.redirect.content_negotiation import find_header_attributes
from resolver.domain.redirect.locations import Location, choose_by_weight
from resolver.domain.redirect.record_addresses import PrefixHandle
from resolver.domain.redirect.resolve import Pick, resolve, run_resolve
from resolver.domain.redirect.resolve_results import ResolveResult
from resolver.proxy.limits import Paused
from resolver.proxy.limits.requests_per_text import RequestAllowance
from resolver.services.proxy_answers import fetch
from resolver.services.proxy_answers.cache import digest_name, load_records
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.dated_answer import DatedAnswer, find_earliest_span
from resolver.services.proxy_answers.waiting_places import TurnedBack

RETRY_PREFIX_SECONDS = 60.0
LOCATION_HEADERS = ("Accept", "User-Agent", "Accept-Language")
"""The headers that choose locations by their attributes."""

_CHANCE = secrets.SystemRandom()
_NOT_REQUESTED: DatedAnswer[Answer] = DatedAnswer(Unreachable(Message("the prefix couldn't be checked just now")))


def choose_random_location(among: Sequence[Location]) -> Location:
    """Choose one of the locations by weight (L5)."""
    return choose_by_weight(among, _CHANCE.random())


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """The outcome, and the records that it took, by their handles in the order in which they were needed."""

    outcome: ResolveResult
    held: Mapping[str, DatedAnswer[Answer]]

    @property
    def span(self) -> FreshnessSpan | None:
        """The span of the record that expires first; None if there is a failure."""
        return find_earliest_span(self.held.values())


def resolve_link(
    name: str,
    parameters: ProxyParameters,
    *,
    country: str,
    proxy: DoiProxy,
    now: datetime,
    pick: Pick = choose_random_location,
) -> ResolvedLink:
    """Return where the name leads (sections P and L); `country` is the requester's.

    One query looks for the usual records: the name's and its prefix's. All requests together cost at most one
    allowance, however many aliases there are. No caller waits for the prefix: it is requested once, briefly, and after
    a failure not again for a minute. Raises Paused if a record of the name itself can't be requested.
    """
    allowance = RequestAllowance()
    demands = {"fresh": parameters.auth, "certified": parameters.cert}
    usual = [name, f"0.NA/{name.partition('/')[0]}"]
    known = {} if any(demands.values()) else load_records(usual, proxy=proxy.base_url, now=now)
    held: dict[str, DatedAnswer[Answer]] = {}

    def get_answer(handle: str) -> Answer:
        if handle not in held:
            stored = known.get(fold(handle))
            if stored is not None:
                held[handle] = stored
            elif isinstance(handle, PrefixHandle):
                held[handle] = _fetch_in_passing(handle, proxy, now, demands, allowance)
            else:
                held[handle] = fetch.fetch_record(handle, proxy=proxy, now=now, allowance=allowance, **demands)
        return held[handle].answer

    return ResolvedLink(run_resolve(resolve(name, parameters, country=country, pick=pick), get_answer), held)


def _fetch_in_passing(
    handle: str, proxy: DoiProxy, now: datetime, demands: Mapping[str, bool], allowance: RequestAllowance
) -> DatedAnswer[Answer]:
    """Return the record of a prefix's handle from one short attempt. After a failure, don't retry for a minute."""
    left_alone = f"no-answer:{digest_name(proxy.base_url)}:{digest_name(handle)}"
    with suppress(OSError, redis.RedisError):  # without the cache the name still leads somewhere
        if cache.get(left_alone):
            return _NOT_REQUESTED
    seconds = RETRY_PREFIX_SECONDS
    try:
        found = fetch.fetch_record(handle, proxy=proxy, now=now, briefly=True, allowance=allowance, **demands)
    except TurnedBack:
        raise
    except Paused as pause:
        found, seconds = _NOT_REQUESTED, min(pause.seconds, RETRY_PREFIX_SECONDS)
    except redis.RedisError:  # without the budget nothing may be requested
        found = _NOT_REQUESTED
    if found.answered_at is None:
        with suppress(OSError, redis.RedisError):
            cache.set(left_alone, True, seconds)
    return found


def get_header_attributes(request: Any) -> tuple[Attribute, ...]:
    """Return the attributes of locations that the request's headers choose (L3)."""
    # Only the beginning of a long header is read.
    return find_header_attributes(*(request.headers.get(name, "")[:1000] for name in LOCATION_HEADERS))


def get_country(request: Any) -> str:
    """Return the requester's country in two small letters: from the header that the server in front sets, or from the
    settings; "" if neither says (L4)."""
    header = settings.COUNTRY_HEADER
    named = request.headers.get(header, "") if header else ""
    return named.lower() if re.fullmatch("[A-Za-z]{2}", named) else settings.COUNTRY
