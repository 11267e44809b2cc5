"""The addresses of a record: its locations, those of its prefix, and its URL values (P2, P3, L1, L6)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from doi_reading import Message, fold
from doi_reading.message import NOTHING
from resolver.domain.handle.answers import Answer
from resolver.domain.handle.record import LOCATIONS, HandleValue, Record, find_text_values
from resolver.domain.redirect.locations import Location, Locations, find_locations_handle, parse_locations
from resolver.domain.redirect.safe_url import is_redirectable, to_location_header
from resolver.domain.redirect.xml import UnreadableXml


@dataclass(frozen=True, slots=True)
class FoundLocations:
    """The locations to choose from, if there are any: those with an address that a redirect may use. `where`: their
    source in words. `remarks`: sentences about unusable parts."""

    locations: Locations | None = None
    where: Message = NOTHING
    remarks: tuple[Message, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.locations is None or not self.locations.locations


def find_target_addresses(record: Record) -> tuple[str, ...]:
    """Return the URL values unchanged. Without any, return the addresses of the locations for readers: each once, as a
    redirect would use it (http, https or ftp), the first 20."""
    urls = tuple(url for url in record.urls if url)
    return urls or _find_location_addresses(record)


def find_reader_addresses(record: Record) -> tuple[str, ...]:
    """Return the addresses to which a reader may be sent: the locations for readers, else the first URL value that a
    redirect can use, or the first if it can use none."""
    if found := _find_location_addresses(record):
        return found
    urls = tuple(filter(None, record.urls))
    return urls if len(urls) < 2 else tuple(islice(filter(is_redirectable, urls), 1)) or urls[:1]


def count_homes(record: Record) -> int:
    """Return how many different addresses for readers the record has, among its URL values and its locations. Of these
    the first 20 count."""
    return len({*filter(None, record.urls), *_find_location_addresses(record)})


def _find_location_addresses(record: Record) -> tuple[str, ...]:
    if not record.has_locations:
        return ()
    found = record_locations(record.handle, record.values)
    locations = found.locations.locations if found and found.locations else ()
    hrefs = (to_location_header(one.find_href(record.handle) or "") for one in locations if not one.for_programs)
    return tuple(islice(dict.fromkeys(hrefs), 20))


def record_locations(name: str, values: Sequence[HandleValue], handle: str = "") -> FoundLocations | None:
    """Return the locations of the first readable 10320/loc; None if there is no 10320/loc. `handle`: the handle of the
    prefix, if the values are not those of the name itself."""
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
        return FoundLocations(select_usable_locations(locations, name), where, tuple(remarks))
    return FoundLocations(remarks=tuple(remarks)) if found else None


def select_usable_locations(locations: Locations, name: str) -> Locations:
    """Remove the locations that no redirect may use, so that none of them is chosen."""
    fit = (one for one in locations.locations if is_redirectable(one.find_href(name) or ""))
    return replace(locations, locations=tuple(fit))


def join_prefix(
    own: FoundLocations | None, urls: Sequence[str], of_prefix: FoundLocations, name: str
) -> FoundLocations:
    """Return the locations to choose from: the record's own and those of its prefix, as at doi.org. A record without
    locations of its own offers its URL values beside those of the prefix, each with the weight 1."""
    if of_prefix.locations is None or of_prefix.is_empty:
        return own or of_prefix
    if own is None:
        offered = (Location({"href": url, "weight": "1", "mode": "legacy"}) for url in urls)
        own = FoundLocations(
            select_usable_locations(Locations((), tuple(offered)), name), Message("the record's URL values")
        )
    if own.locations is None or own.is_empty:
        return of_prefix
    where = Message("{first} and {last}", first=own.where, last=of_prefix.where)
    return FoundLocations(own.locations.join(of_prefix.locations), where, own.remarks + of_prefix.remarks)


NAMESPACE = "HS_NAMESPACE"


class PrefixHandle(str):
    """A handle that is needed for the prefix, not for the name. Without it the name still leads where its own record
    says, so no request should wait for it."""

    __slots__ = ()


def find_prefix_locations(name: str) -> Generator[str, Answer, FoundLocations]:
    """Return the locations for all names of the prefix, from the handle that HS_NAMESPACE in `0.NA/<prefix>` names.

    Yields the handles to ask for, as `PrefixHandle`. If one of them has no usable answer, there are no such locations.
    """
    prefix, slash, _ = name.partition("/")
    authority = f"0.NA/{prefix}"
    if not slash or fold(prefix) == "0.na":
        return FoundLocations()
    answer = yield PrefixHandle(authority)
    handle = _find_named_handle(answer)
    if handle is None:
        return FoundLocations()
    if fold(handle) != fold(authority):
        answer = yield PrefixHandle(handle)
    if not isinstance(answer, Record):
        return FoundLocations()
    return record_locations(name, answer.values, handle) or FoundLocations()


def _find_named_handle(answer: Answer) -> str | None:
    if not isinstance(answer, Record):
        return None
    named = (find_locations_handle(text) for _, text in find_text_values(answer.values, NAMESPACE))
    return next((handle for handle in named if handle), None)
