"""A handle's own record, what Which RA says, or the metadata of a name: stored, or requested once for all that wait."""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

from doi_reading import Message, fold
from resolver.domain.handle.answers import AgencyAnswer, Answer, Failure, Resolution, Unreachable, WhichRaAnswer
from resolver.domain.work.metadata import MetadataAnswer
from resolver.models.fields import encode_storable
from resolver.proxy.limits.request_deadline import Paused, TimeLimitReached, time_limit
from resolver.proxy.limits.requests_per_text import RequestAllowance
from resolver.proxy.proxy_reply import Negotiated
from resolver.proxy.work_lists import split_work_lists
from resolver.services.http.request_run import measure_wait
from resolver.services.proxy_answers import cache, dated_answer
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import MetadataService, find_budget
from resolver.services.proxy_answers.dated_answer import DatedAnswer, Found
from resolver.services.proxy_answers.single_flight import request_once
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS, PROXY_PLACES

LONGEST_STORED_NAME = 2000  # characters: anyone may request unregistered names, and long ones would fill the store


def fetch_record(
    name: str,
    *,
    proxy: DoiProxy,
    now: datetime,
    fresh: bool = False,
    certified: bool = False,
    briefly: bool = False,
    allowance: RequestAllowance | None = None,
) -> DatedAnswer[Answer]:
    """Return the record of that very handle; no alias is followed.

    `fresh` goes past all caches, ours and the proxy's, and `certified` demands an authenticated answer (P8). Answers
    are stored, except of very long names. Failures are not, but requests that wait share them. `briefly`: one attempt,
    in a few seconds. `allowance` pays for the request. Raises Paused.
    """
    began = time.monotonic()
    client = proxy.briefly if briefly else proxy.client

    def send(names: Sequence[str]) -> Found[Answer]:
        answer = client.record(name, auth=fresh, certified=certified, allowance=allowance)
        if isinstance(answer, Failure):
            return {fold(name): DatedAnswer(answer)}
        # A request that came before the answer may share it, however short its time to live.
        answer = replace(answer, age=answer.age or began - time.monotonic())
        if len(name) <= LONGEST_STORED_NAME:
            cache.store_answers({name: Resolution(answer)}, {}, proxy=proxy.base_url, now=now)
        return {fold(name): dated_answer.build_dated_record(name, answer, now)}

    kind = f"record auth={fresh} cert={certified} briefly={briefly}"
    found = _find([name], kind, send, cache.load_records, proxy=proxy, now=now, anew=fresh or certified)
    return found[fold(name)]


def fetch_agencies(names: Sequence[str], *, proxy: DoiProxy, now: datetime) -> list[DatedAnswer[AgencyAnswer]]:
    """Return what Which RA says about each name, in this order (R1). The names without a fresh stored answer share as
    few requests as possible (R2), once for all that want the same of them. Raises Paused."""

    def send(wanted: Sequence[str]) -> Found[AgencyAnswer]:
        said = dict(zip(wanted, proxy.client.find_agencies(wanted), strict=True))
        short = {name: answer for name, answer in said.items() if len(name) <= LONGEST_STORED_NAME}
        cache.store_answers({}, short, proxy=proxy.base_url, now=now)
        return {
            fold(name): dated_answer.build_dated_agency(answer, now)
            if isinstance(answer, WhichRaAnswer)
            else DatedAnswer(answer)
            for name, answer in said.items()
        }

    found = _find(names, "agencies", send, cache.load_agencies, proxy=proxy, now=now)
    return [_rename_agency(found[fold(name)], name) for name in names]


def fetch_metadata(
    name: str, *, proxy: DoiProxy, now: datetime, fresh: bool = False
) -> DatedAnswer[MetadataAnswer | Failure]:
    """Return what the agency says about the work of the name, in at most 18 seconds.

    `fresh`: stored answers don't count. That an agency gives nothing is an answer, and stored; a failure is not. A
    service that demands fewer requests gets none until its Retry-After is over. Raises Paused.
    """

    def send(names: Sequence[str]) -> Found[MetadataAnswer | Failure]:
        answer = proxy.client.find_metadata(name, find_budget)
        if isinstance(answer, Failure):
            return {fold(name): DatedAnswer(answer)}
        if len(name) <= LONGEST_STORED_NAME:
            cache.store_metadata({name: answer}, proxy=proxy.base_url, now=now)
        return {fold(name): dated_answer.build_dated_metadata(answer, now)}

    with time_limit(LOOKUP_SECONDS - measure_wait()):
        found = _find([name], "metadata", send, cache.load_metadata, proxy=proxy, now=now, anew=fresh)
    return found[fold(name)]


def fetch_works(
    names: Sequence[str], service: MetadataService, *, proxy: DoiProxy, now: datetime, until: float = math.inf
) -> Found[MetadataAnswer | Failure]:
    """Return what the service of an agency says about the works of its names, stored or requested in lists
    (`proxy/work_lists.py`). A list that a pause leaves out has a failure, and one for which there is no time none:
    after `until` (monotonic seconds) only the first is requested. Raises Paused."""

    def send(wanted: Sequence[str]) -> Found[MetadataAnswer | Failure]:
        found: Found[MetadataAnswer | Failure] = {}
        for place, some in enumerate(split_work_lists(wanted)):
            if place and time.monotonic() > until:
                break
            try:
                answers = service.find_works(some)
            except TimeLimitReached:
                break
            except Paused as pause:
                answers = explain_pause(pause)
            if isinstance(answers, Failure):
                found |= {fold(name): DatedAnswer(answers) for name in some}
                continue
            said = {name: answers[fold(name)] for name in some if fold(name) in answers}
            short = {name: answer for name, answer in said.items() if len(name) <= LONGEST_STORED_NAME}
            cache.store_metadata(short, proxy=proxy.base_url, now=now)
            found |= {fold(name): dated_answer.build_dated_metadata(answer, now) for name, answer in said.items()}
        return found

    return _find(names, f"works {service.config.base_url}", send, cache.load_metadata, proxy=proxy, now=now)


def explain_pause(pause: Paused) -> Failure:
    """Return the failure of names that a pause leaves out."""
    return Unreachable(Message("requests pause for {seconds} seconds", seconds=f"{pause.seconds:.0f}"))


def fetch_redirect(name: str, accept: str, query: str, *, proxy: DoiProxy) -> Negotiated:
    """Return where the proxy sends a client with this Accept header and raw query. Nothing is stored. Raises Paused."""
    with PROXY_PLACES.take_place():
        return proxy.client.find_redirect(name, accept, query)


def _find(
    names: Sequence[str],
    kind: str,
    send: Callable[[Sequence[str]], Found[Any]],
    recall: Callable[..., Found[Any]],
    *,
    proxy: DoiProxy,
    now: datetime,
    anew: bool = False,
) -> Found[Any]:
    def recall_stored(some: Iterable[str], at: datetime, since: datetime | None) -> Found[Any]:
        return recall(some, proxy=proxy.base_url, now=at, since=since)

    found = {} if anew else recall_stored(names, now, None)
    wanted = [name for key, name in cache.deduplicate_names(names).items() if key not in found]
    if wanted:
        key = _digest(proxy, kind, wanted)
        found |= request_once(
            key, wanted, send=partial(send, wanted), recall=partial(recall_stored, wanted), now=now, anew=anew
        )
    return found


def _rename_agency(known: DatedAnswer[AgencyAnswer], name: str) -> DatedAnswer[AgencyAnswer]:
    """The service echoes each name as it was sent (R1)."""
    return replace(known, answer=replace(known.answer, name=name)) if isinstance(known.answer, WhichRaAnswer) else known


def _digest(proxy: DoiProxy, kind: str, names: Sequence[str]) -> str:
    """Return a key that doesn't depend on the order and the case (S8) of the names."""
    folded = (encode_storable(fold(name)) for name in names)  # without NUL
    return sha256("\0".join([proxy.base_url, kind, *sorted(folded)]).encode()).hexdigest()
