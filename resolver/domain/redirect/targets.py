"""The addresses that a record leads to: its locations, those of its prefix, its URL values (P2, P3, L1, L6)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import islice

from resolver.domain.handle.record import LOCATIONS, Answer, HandleValue, Record, texts
from resolver.domain.message import NOTHING, Message
from resolver.domain.name.doi import fold
from resolver.domain.redirect.locations import Locations, UnreadableLocations, namespace_locations, parse
from resolver.domain.redirect.safe_url import is_redirectable, redirectable

NAMESPACE = "HS_NAMESPACE"
MOST_ADDRESSES = 20  # of locations, in the place of URL values


class OfPrefix(str):
    """A handle that is asked for on behalf of the prefix, not of the name: when it cannot be had, the name still leads
    where its own record says, so nobody should be kept waiting for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LocationSet:
    """The locations to choose from, where there are any: those with an address to which one can be sent. `where`: whose
    they are, in words; `remarks`: sentences on what could not be used."""

    locations: Locations | None = None
    where: Message = NOTHING
    remarks: tuple[Message, ...] = ()


def url_values(values: Sequence[HandleValue]) -> tuple[str, ...]:
    """The texts of the URL values in index order."""
    return tuple(text for _, text in texts(values, "URL"))


def addresses(record: Record) -> tuple[str, ...]:
    """The URL values as they stand. Of a record that has none, the addresses of its locations for readers, each once
    and as one would be sent there, so http, https or ftp and nothing else; the first MOST_ADDRESSES of them."""
    urls = tuple(url for url in record.urls if url)
    if urls or not record.has_locations:
        return urls
    found = of_record(record.handle, record.values)
    locations = found.locations.locations if found and found.locations else ()
    hrefs = (redirectable(one.href_for(record.handle) or "") for one in locations if not one.for_programs)
    return tuple(islice(dict.fromkeys(hrefs), MOST_ADDRESSES))


def of_record(name: str, values: Sequence[HandleValue]) -> LocationSet | None:
    """The locations of the record itself, None when it has no 10320/loc; of several the first that can be read."""
    return _first_readable(name, values)


def of_prefix(name: str) -> Generator[str, Answer, LocationSet]:
    """The locations for all names of the prefix: those of the handle that HS_NAMESPACE in `0.NA/<prefix>` names.

    Yields the handles to ask for, as `OfPrefix`. One that cannot be had, or says nothing, is as if there were no such
    locations.
    """
    prefix, slash, _ = name.partition("/")
    authority = f"0.NA/{prefix}"
    if not slash or fold(prefix) == "0.na":
        return LocationSet()
    answer = yield OfPrefix(authority)
    handle = _named_by(answer)
    if handle is None:
        return LocationSet()
    if fold(handle) != fold(authority):
        answer = yield OfPrefix(handle)
    if not isinstance(answer, Record):
        return LocationSet()
    return _first_readable(name, answer.values, handle) or LocationSet()


def _first_readable(name: str, values: Sequence[HandleValue], handle: str = "") -> LocationSet | None:
    """`handle`: whose values they are, where they are those of the prefix."""
    found = texts(values, LOCATIONS)
    remarks = []
    for index, text in found:
        where = Message("the record's own 10320/loc at index {index}", index=str(index))
        if handle:
            where = Message("the prefix's ({handle}) 10320/loc at index {index}", handle=handle, index=str(index))
        try:
            locations = parse(text)
        except UnreadableLocations as error:
            remarks.append(
                Message("The locations of {where} cannot be read: {reason}.", where=where, reason=error.reason)
            )
            continue
        return LocationSet(usable(locations, name), where, tuple(remarks))
    return LocationSet(remarks=tuple(remarks)) if found else None


def usable(locations: Locations, name: str) -> Locations:
    """Without those that nobody could be sent to: what they would win, no one would get."""
    fit = (one for one in locations.locations if is_redirectable(one.href_for(name) or ""))
    return Locations(locations.chooseby, tuple(fit))


def _named_by(answer: Answer) -> str | None:
    if not isinstance(answer, Record):
        return None
    named = (namespace_locations(text) for _, text in texts(answer.values, NAMESPACE))
    return next((handle for handle in named if handle), None)
