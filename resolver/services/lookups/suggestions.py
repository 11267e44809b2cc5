"""For a name that isn't registered: find its other readings that are registered."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from doi_reading import encode, fold
from doi_reading.name import is_doi
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.proxy.limits import Paused
from resolver.proxy.request_logic import MAX_BATCH_BYTES
from resolver.services.lookups.inspection import inspect_input
from resolver.services.proxy_answers.cache import deduplicate_names
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.fetch import fetch_agencies


@dataclass(frozen=True, slots=True)
class ExistingNames:
    """Names that exist. `complete`: there is an answer about each that was tried."""

    names: list[str]
    complete: bool = True


def find_existing_names(name: str, *, proxy: DoiProxy, now: datetime, others: Iterable[str] = ()) -> ExistingNames:
    """Return the names that exist, the best first: of `others`, and of the other readings of the name as a text. At
    most eight are tried, and as many as one Which RA request has room for. A name with a comma gets its own request."""
    reading = inspect_input(name)
    offered = [*others, *([str(reading.doi)] if reading.doi else []), *(each.doi for each in reading.candidates)]
    others_of = deduplicate_names(other for other in offered if is_doi(other) and fold(other) != fold(name))
    wanted = list(others_of.values())[:8]
    sizes = itertools.accumulate(len(encode(other, "which-ra")) + 1 for other in wanted)
    tried = [other for other, size in zip(wanted, sizes, strict=True) if size <= MAX_BATCH_BYTES]
    if not tried:
        return ExistingNames([], complete=not wanted)
    try:
        known = fetch_agencies(tried, proxy=proxy, now=now)
    except Paused:
        return ExistingNames([], complete=False)
    answered = [one.answer for one in known if isinstance(one.answer, WhichRaAnswer)]
    return ExistingNames([agency.name for agency in answered if agency.exists], len(answered) == len(wanted))
