"""Where the addresses of a record lead in the end, from one DOI to the next: to a page, or nowhere.

What counts is where the proxy sends readers: the locations for readers, each of which it may choose, else the first URL
value. The link never leads to a second URL value, so that one neither saves a bad first one nor spoils a good one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from doi_reading import Message, Problem, fold
from doi_reading.problems import NEUTRAL, make_problem
from resolver.domain.handle.aliases import MAX_HOPS
from resolver.domain.handle.answers import MissingHandle, ProxyError, Resolution, Unreachable
from resolver.domain.handle.record import Record
from resolver.domain.redirect.address_fault import (
    PLACEHOLDER,
    PRIVATE,
    UNUSABLE,
    find_address_fault,
    find_resolver_name,
)
from resolver.domain.redirect.record_addresses import find_reader_addresses

ITSELF, MISSING = "leads-to-itself", "leads-to-missing"
NOWHERE = (ITSELF, MISSING, PRIVATE, UNUSABLE, PLACEHOLDER)
"""The problems of a record that leads nowhere."""


@dataclass(frozen=True, slots=True)
class Destination:
    """What is known of where a record leads. `unasked`: the name whose record must be requested to know more, or "".
    `failed`: such a record couldn't be had."""

    problem: Problem | None = None
    unasked: str = ""
    failed: bool = False


def find_destination(name: str, resolution: Resolution | None, records: Mapping[str, Resolution]) -> Destination:
    """Return where the record of the name leads, by `records`, which are by folded name. The first address that leads
    nowhere counts, else the first of which it is unknown."""
    record = resolution.answer if resolution else None
    if resolution is None or not isinstance(record, Record) or resolution.loop:
        return Destination()
    start = _list_handles(name, resolution)
    found = [_follow(url, start, records) for url in find_reader_addresses(record)]
    unknown = (one for one in found if one.unasked or one.failed)
    return next((one for one in found if one.problem), next(unknown, Destination()))


def find_unasked(name: str, resolution: Resolution, records: Mapping[str, Resolution]) -> str:
    """Return the name whose record must be requested to know where this one leads; "" for none."""
    record = resolution.answer
    if not isinstance(record, Record) or not any(map(find_resolver_name, find_reader_addresses(record))):
        return ""
    return find_destination(name, resolution, records).unasked


def _follow(url: str, passed: frozenset[str], records: Mapping[str, Resolution]) -> Destination:
    """Follow one address, over as many DOIs as aliases may have hops (P7)."""
    address = url
    for _ in range(MAX_HOPS + 1):
        if fault := find_address_fault(address):
            return _report(fault.code, url, fault.why)
        name = find_resolver_name(address)
        if not name:
            return Destination()
        if fold(name) in passed:
            break
        resolution = records.get(fold(name))
        if resolution is None:
            return Destination(unasked=name)
        handles = _list_handles(name, resolution)
        if resolution.loop or not passed.isdisjoint(handles):
            break
        match resolution.answer:
            case ProxyError() | Unreachable():
                return Destination(failed=True)
            case MissingHandle():
                return _report(MISSING, url)
            case Record() as record if addresses := find_reader_addresses(record):
                address, passed = addresses[0], passed | handles
            case _:
                return _report(UNUSABLE, url, Message("it is the link of a DOI without a web address"))
    return _report(ITSELF, url)


def _list_handles(name: str, resolution: Resolution) -> frozenset[str]:
    return frozenset({fold(name), *(fold(handle) for handle, _ in resolution.way)})


def _report(code: str, url: str, why: Message = NEUTRAL["why"]) -> Destination:
    shown = url[:200] + "…" * (len(url) > 200)
    return Destination(make_problem(code, url=shown, why=why))
