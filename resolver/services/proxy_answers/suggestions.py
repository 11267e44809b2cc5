"""What a name that does not exist may have been meant to be: other readings of it that do exist."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from resolver.domain.handle.record import Agency
from resolver.domain.name.doi import fold, is_doi
from resolver.domain.name.encoding import which_ra_item
from resolver.proxy.config import MAX_BATCH_BYTES
from resolver.proxy.limits import Paused
from resolver.services.inspect import inspect
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.fetch import agencies

MOST = 8


@dataclass(frozen=True, slots=True)
class Existing:
    """The names that exist. `complete`: each that there was to try could be asked for."""

    names: list[str]
    complete: bool = True


def find_existing(name: str, *, proxy: DoiProxy, now: datetime, others: Iterable[str] = ()) -> Existing:
    """The names that exist, the best first: `others`, and what the reading of the name as a text offers. None that
    could not be asked for: a suggestion has been tried. As many are asked for as one request to Which RA has room
    for, though names with a comma get one of their own."""
    reading = inspect(name)
    offered = [*others, *([str(reading.doi)] if reading.doi else []), *(each.doi for each in reading.candidates)]
    distinct: dict[str, str] = {}
    for other in offered:
        if is_doi(other) and fold(other) != fold(name):
            distinct.setdefault(fold(other), other)
    wanted = list(distinct.values())[:MOST]
    sizes = itertools.accumulate(len(which_ra_item(other)) + 1 for other in wanted)
    asked = [other for other, size in zip(wanted, sizes, strict=True) if size <= MAX_BATCH_BYTES]
    if not asked:
        return Existing([], complete=not wanted)
    try:
        said = agencies(asked, proxy=proxy, now=now)
    except Paused:
        return Existing([], complete=False)
    answered = [(other, agency) for other, agency in zip(asked, said, strict=True) if isinstance(agency, Agency)]
    return Existing([other for other, agency in answered if agency.exists], len(answered) == len(wanted))
