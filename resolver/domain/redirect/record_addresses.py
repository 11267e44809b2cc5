"""The addresses of a record: its locations, the locations of its prefix, its URL values (P2, P3, L1, L6)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import islice

from resolver.domain.handle.answers import LOCATIONS, Answer, HandleValue, Record, find_text_values
from resolver.domain.message import NOTHING, Message
from resolver.domain.name.doi import fold
from resolver.domain.redirect.locations import Locations, find_locations_handle, parse_locations
from resolver.domain.redirect.safe_url import is_redirectable, to_location_header
from resolver.domain.redirect.xml import UnreadableXml

NAMESPACE = "HS_NAMESPACE"
MOST_ADDRESSES = 20  # of locations, if there are no URL values


class PrefixHandle(str):
    """A handle that is needed for the prefix, not for the name. Without it the name still leads where its own record
    says, so no request should wait for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class FoundLocations:
    """The locations to choose from, if there are any: those with an address that a redirect may use. `where`: their
    source in words. `remarks`: sentences about unusable parts."""

    locations: Locations | None = None
    where: Message = NOTHING
    remarks: tuple[Message, ...] = ()


def url_values(values: Sequence[HandleValue]) -> tuple[str, ...]:
    """Return the texts of the URL values in index order."""
    return tuple(text for _, text in find_text_values(values, "URL"))


def target_addresses(record: Record) -> tuple[str, ...]:
    """Return the URL values unchanged. Without any, return the addresses of the locations for readers: each once, as a
    redirect would use it (http, https or ftp), the first MOST_ADDRESSES."""
    urls = tuple(url for url in record.urls if url)
    if urls or not record.has_locations:
        return urls
    found = record_locations(record.handle, record.values)
    locations = found.locations.locations if found and found.locations else ()
    hrefs = (to_location_header(one.href_for(record.handle) or "") for one in locations if not one.for_programs)
    return tuple(islice(dict.fromkeys(hrefs), MOST_ADDRESSES))


def prefix_locations(name: str) -> Generator[str, Answer, FoundLocations]:
    """Return the locations for all names of the prefix, from the handle that HS_NAMESPACE in `0.NA/<prefix>` names.

    Yields the handles to ask for, as `PrefixHandle`. If one of them has no usable answer, there are no such locations.
    """
    prefix, slash, _ = name.partition("/")
    authority = f"0.NA/{prefix}"
    if not slash or fold(prefix) == "0.na":
        return FoundLocations()
    answer = yield PrefixHandle(authority)
    handle = _named_by(answer)
    if handle is None:
        return FoundLocations()
    if fold(handle) != fold(authority):
        answer = yield PrefixHandle(handle)
    if not isinstance(answer, Record):
        return FoundLocations()
    return record_locations(name, answer.values, handle) or FoundLocations()


def record_locations(name: str, values: Sequence[HandleValue], handle: str = "") -> FoundLocations | None:
    """Return the locations of the first readable 10320/loc; None if there is no 10320/loc.

    `handle`: the handle of the prefix, if the values are not those of the name itself.
    """
    found = find_text_values(values, LOCATIONS)
    remarks = []
    for index, text in found:
        where = Message("the record's own 10320/loc at index {index}", index=str(index))
        if handle:
            where = Message("the prefix's ({handle}) 10320/loc at index {index}", handle=handle, index=str(index))
        try:
            locations = parse_locations(text)
        except UnreadableXml as error:
            remark = Message("The locations of {where} cannot be read: {reason}.", where=where, reason=error.reason)
            remarks.append(remark)
            continue
        return FoundLocations(usable_locations(locations, name), where, tuple(remarks))
    return FoundLocations(remarks=tuple(remarks)) if found else None


def usable_locations(locations: Locations, name: str) -> Locations:
    """Remove the locations that no redirect may use, so that none of them is chosen."""
    fit = (one for one in locations.locations if is_redirectable(one.href_for(name) or ""))
    return Locations(locations.chooseby, tuple(fit))


def _named_by(answer: Answer) -> str | None:
    if not isinstance(answer, Record):
        return None
    named = (find_locations_handle(text) for _, text in find_text_values(answer.values, NAMESPACE))
    return next((handle for handle in named if handle), None)
