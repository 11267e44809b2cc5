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
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS, ProxyBusy

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
    found: Found[MetadataAnswer | Failure] = {fold(name): DatedAnswer(TOO_LATE) for name in names}
    with time_limit(until - time.monotonic()):
        by_agency = _sort_by_agency(names, found, proxy=proxy, now=now)
    for left, (agency, some) in zip(range(len(by_agency), 0, -1), by_agency.items(), strict=True):
        # A service that never answers leaves the others their share.
        share = time.monotonic() + (until - time.monotonic()) / left
        with time_limit(share - time.monotonic()):
            found |= _find_of_agency(some, services.get(agency), proxy=proxy, now=now, until=share)
    return found


def find_records_in_turn(
    names: Sequence[str], *, proxy: DoiProxy, services: Mapping[str, MetadataService], now: datetime, until: float
) -> Found[MetadataAnswer | Failure]:
    """Return what `find_records` does, for a list: no request is cut short, and after that time (monotonic seconds) no
    other is begun. The names that are left out wait for another turn; there are some for which it isn't so."""
    found: Found[MetadataAnswer | Failure] = {}
    for agency, some in _sort_by_agency(names, found, proxy=proxy, now=now).items():
        found |= _find_of_agency(some, services.get(agency), proxy=proxy, now=now, until=until)
    return found


def _sort_by_agency(
    names: Sequence[str], found: Found[MetadataAnswer | Failure], *, proxy: DoiProxy, now: datetime
) -> Mapping[str, list[str]]:
    """Return the names by the agency to ask; write into `found` why no agency is asked for the others."""
    try:
        agencies = fetch_agencies(names, proxy=proxy, now=now)
    except Paused as pause:
        found |= {fold(name): DatedAnswer(explain_pause(pause)) for name in names}
        return {}
    by_agency: dict[str, list[str]] = defaultdict(list)
    for name, said in zip(names, agencies, strict=True):
        if not isinstance(said.answer, WhichRaAnswer):
            found[fold(name)] = DatedAnswer(said.answer)
        elif said.answer.ra in _ASKED:
            by_agency[said.answer.ra].append(name)
        else:
            reason = NoMetadataReason.NO_SERVICE if said.answer.ra else NoMetadataReason.NOT_REGISTERED
            found[fold(name)] = DatedAnswer(NoMetadata(reason))
    return by_agency


def _find_of_agency(
    names: Sequence[str], service: MetadataService | None, *, proxy: DoiProxy, now: datetime, until: float
) -> Found[MetadataAnswer | Failure]:
    """Return the answers until that time. A name that another process asks for at this moment has none."""
    found: Found[MetadataAnswer | Failure] = {}
    try:
        if service:
            return fetch_works(names, service, proxy=proxy, now=now, until=until)
        for place, name in enumerate(names):
            if place and time.monotonic() > until:
                break
            found[fold(name)] = fetch_metadata(name, proxy=proxy, now=now)
    except (TimeLimitReached, ProxyBusy):
        return found
    except Paused as pause:
        return {fold(name): DatedAnswer(explain_pause(pause)) for name in names} | found
    return found
