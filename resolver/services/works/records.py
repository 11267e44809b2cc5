"""What the agencies say about the works of many names."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from doi_reading import Message, fold
from resolver.domain.agencies.metadata_services import AGENCIES_BY_HOST
from resolver.domain.handle.answers import Failure, Unreachable, WhichRaAnswer
from resolver.domain.work.metadata import MetadataAnswer, NoMetadata, NoMetadataReason
from resolver.proxy.limits.request_deadline import Paused, TimeLimitReached, time_limit
from resolver.services.http.request_run import measure_wait
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import MetadataService
from resolver.services.proxy_answers.dated_answer import DatedAnswer, Found
from resolver.services.proxy_answers.fetch import explain_pause, fetch_agencies, fetch_metadata, fetch_works
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS

_ASKED = frozenset(AGENCIES_BY_HOST.values())
TOO_LATE = Unreachable(Message("there was no time left to ask"))


def find_records(
    names: Sequence[str],
    *,
    proxy: DoiProxy,
    services: Mapping[str, MetadataService],
    now: datetime,
    longest: float = LOOKUP_SECONDS,
) -> Found[MetadataAnswer | Failure]:
    """Return an answer for each name, by folded names, in at most `longest` seconds: what its agency says about the
    work, or why it couldn't be asked."""
    until = time.monotonic() + longest - measure_wait()
    found = find_records_in_time(names, proxy=proxy, services=services, now=now, until=until)
    return {fold(name): DatedAnswer(TOO_LATE) for name in names} | found


def find_records_in_time(
    names: Sequence[str], *, proxy: DoiProxy, services: Mapping[str, MetadataService], now: datetime, until: float
) -> Found[MetadataAnswer | Failure]:
    """Return what `find_records` does for the names for which there was time until then (monotonic seconds). Crossref
    and DataCite are asked for lists, other agencies for one name at a time."""
    found: Found[MetadataAnswer | Failure] = {}
    by_agency: dict[str, list[str]] = defaultdict(list)
    with time_limit(until - time.monotonic()):
        try:
            agencies = fetch_agencies(names, proxy=proxy, now=now)
        except Paused as pause:
            return {fold(name): DatedAnswer(explain_pause(pause)) for name in names}
    for name, said in zip(names, agencies, strict=True):
        if not isinstance(said.answer, WhichRaAnswer):
            found[fold(name)] = DatedAnswer(said.answer)
        elif said.answer.ra in _ASKED:
            by_agency[said.answer.ra].append(name)
        elif said.answer.ra:
            found[fold(name)] = DatedAnswer(NoMetadata(NoMetadataReason.NO_SERVICE))
        else:
            found[fold(name)] = DatedAnswer(NoMetadata(NoMetadataReason.NOT_REGISTERED))
    for left, (agency, some) in zip(range(len(by_agency), 0, -1), by_agency.items(), strict=True):
        seconds = (until - time.monotonic()) / left  # a service that never answers leaves the others their share
        found |= _find_of_agency(some, services.get(agency), proxy=proxy, now=now, seconds=seconds)
    return found


def _find_of_agency(
    names: Sequence[str], service: MetadataService | None, *, proxy: DoiProxy, now: datetime, seconds: float
) -> Found[MetadataAnswer | Failure]:
    found: Found[MetadataAnswer | Failure] = {}
    with time_limit(seconds):
        if service:
            return fetch_works(names, service, proxy=proxy, now=now)
        try:
            for name in names:
                found[fold(name)] = fetch_metadata(name, proxy=proxy, now=now)
        except TimeLimitReached:
            return found
        except Paused as pause:
            return {fold(name): DatedAnswer(explain_pause(pause)) for name in names} | found
    return found
