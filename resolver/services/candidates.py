"""What a name that does not exist may have been meant to be: other readings of it that do exist."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from resolver.domain.doi import fold, is_doi
from resolver.domain.record import Agency
from resolver.proxy.budget import Paused
from resolver.proxy.config import batches
from resolver.services.asking import Proxy
from resolver.services.lookup import inspect
from resolver.services.records import agencies

MOST = 8


@dataclass(frozen=True, slots=True)
class Existing:
    """The names that exist. `complete`: each that there was to try could be asked for."""

    names: list[str]
    complete: bool = True


def existing(name: str, *, proxy: Proxy, now: datetime, others: Iterable[str] = ()) -> Existing:
    """The names that exist, the best first, by one request to Which RA at most: `others`, and what the reading of the
    name as a text offers. None that could not be asked for: a suggestion has been tried."""
    reading = inspect(name)
    offered = [*others, *([str(reading.doi)] if reading.doi else []), *(each.doi for each in reading.candidates)]
    distinct = {fold(other): other for other in reversed(offered) if is_doi(other) and fold(other) != fold(name)}
    wanted = next(batches(list(reversed(distinct.values()))[:MOST]), [])  # as many as one request holds
    if not wanted:
        return Existing([])
    try:
        said = agencies(wanted, proxy=proxy, now=now)
    except Paused:
        return Existing([], complete=False)
    answered = [(other, agency) for other, agency in zip(wanted, said, strict=True) if isinstance(agency, Agency)]
    return Existing([other for other, agency in answered if agency.exists], len(answered) == len(wanted))
