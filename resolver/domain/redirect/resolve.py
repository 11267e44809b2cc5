"""Resolve a name as the redirecting proxy does (clauses P and L), without I/O.

`resolve` is a generator: it yields the name of each handle whose own record it needs, receives the answer, and returns
an outcome. `run_resolve` feeds it with the answers of `ask`: from the DOI proxy, a cache, or the sample records.
"""

import re
from collections.abc import Callable, Generator, Sequence
from http import HTTPStatus

from doi_reading import Message, encode
from doi_reading.message import join_messages
from doi_reading.name import is_short_doi
from resolver.domain.handle.answers import Answer, MissingHandle, NoValues, Resolution, follow_aliases
from resolver.domain.handle.names_in_path import PREFIX
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import HandleValue, Record, find_url_values
from resolver.domain.redirect.locations import Location, LocationChoice, choose_location
from resolver.domain.redirect.record_addresses import (
    FoundLocations,
    find_prefix_locations,
    join_prefix,
    record_locations,
)
from resolver.domain.redirect.resolve_results import (
    AddressList,
    AliasLoop,
    ListedAddress,
    NameNotFound,
    NoAnswer,
    Redirect,
    ResolveResult,
    ShownValues,
    build_bare_prefix_hints,
    build_not_found_hints,
)
from resolver.domain.redirect.safe_url import NotRedirectable, is_redirectable, needs_slash, to_location_header

SHOW_URLS = "showurls"
_HAS_PATH = re.compile(f"{PREFIX}/")

Pick = Callable[[Sequence[Location]], Location]
Resolving = Generator[str, Answer, ResolveResult]


def resolve(name: str, parameters: ProxyParameters, *, country: str = "", pick: Pick) -> Resolving:
    """Work out where a click on the name leads.

    `country` is the requester's, in two letters, '' if unknown. `pick` is the random choice, as in `choose_location`:
    `choose_by_weight` with a number that the caller draws. A name without a slash may be a short DOI, a handle under
    `10/`. If the name doesn't exist, this handle is tried (S12), and then is the first in the outcome's `way`.
    """
    found = yield from _ask_for_record(name, parameters)
    if isinstance(found.answer, MissingHandle) and not found.way and is_short_doi("10/" + name):
        short = yield from _ask_for_record("10/" + name, parameters)
        if short.way or not isinstance(short.answer, MissingHandle):
            name, found = "10/" + name, short
    way = tuple(handle for handle, _ in found.way) or (name,)
    answer = found.answer
    if found.loop and isinstance(answer, Record):
        return AliasLoop(name, (*way, answer.alias or ""))
    match answer:
        case MissingHandle():
            return NameNotFound(way[-1], tuple(build_not_found_hints(way[-1])), way)
        case NoValues():
            return _show_values(answer, way, [], ())
        case Record():
            return (yield from _from_record(answer, way, parameters, country, pick))
        case _:
            return NoAnswer(way[-1], answer, way)


def run_resolve(steps: Resolving, ask: Callable[[str], Answer]) -> ResolveResult:
    """Return the outcome of `resolve`. `ask` returns the record of one handle and follows no alias. A handle needed
    only for the prefix is a `PrefixHandle`. Exceptions of `ask` are passed on."""
    try:
        handle = next(steps)
        while True:
            handle = steps.send(ask(handle))
    except StopIteration as end:
        outcome: ResolveResult = end.value
        return outcome


def _ask_for_record(name: str, parameters: ProxyParameters) -> Generator[str, Answer, Resolution]:
    """Ask for the record behind the name's aliases, or for its own record if aliases are ignored."""
    return Resolution((yield name)) if parameters.ignore_aliases else (yield from follow_aliases(name))


def find_main_path(outcome: ResolveResult, parameters: ProxyParameters) -> str:
    """Return the path, without the slash before it, to which doi.org redirects a link with an alias: that of its main
    name (P7). '' if the name is no alias or its link doesn't redirect, or if no path has the main name alone."""
    found = isinstance(outcome, Redirect) or (isinstance(outcome, ShownValues) and isinstance(outcome.record, Record))
    shown = parameters.noredirect or parameters.action == SHOW_URLS
    if not found or shown or len(outcome.way) == 1 or not _HAS_PATH.match(outcome.name):
        return ""
    path = encode(outcome.name, "path")
    return path if len(path) <= 4000 else ""  # the address with the query of the request must not be too long


def _from_record(
    record: Record, way: tuple[str, ...], parameters: ProxyParameters, country: str, pick: Pick
) -> Resolving:
    name = way[-1]
    values = tuple(parameters.select(record.values))
    if parameters.noredirect and parameters.action != SHOW_URLS:
        return _show_values(record, way, [Message("The request asks for the values.")], values)
    urls = find_url_values(values)
    own = record_locations(name, values)
    # A request for some values of the record doesn't concern its prefix.
    alone = parameters.selects or (own is not None and (own.locations is None or own.locations.without_prefix))
    of_prefix = FoundLocations() if alone else (yield from find_prefix_locations(name))
    found = join_prefix(own, urls, of_prefix, name)
    if parameters.action == SHOW_URLS:
        return AddressList(_list_addresses(name, found, urls), name, way)
    remarks = list(found.remarks)
    offers: list[tuple[str, Message, LocationChoice | None]] = []
    varies, status = False, int(HTTPStatus.FOUND)
    if found.locations is not None:
        choice = choose_location(found.locations, locatt=parameters.locatt, country=country, pick=pick)
        if choice.location is not None:
            offers.append((choice.location.find_href(name) or "", _explain_choice(choice, found), choice))
            varies, status = choice.varies, found.locations.find_status(choice.location)
        else:
            remarks.append(Message("No location in {where} is for readers.", where=found.where))
    offers += [(text, _explain_url(number, len(urls)), None) for number, text in enumerate(urls, 1)]
    for address, why, chosen in offers:
        try:
            url = to_location_header(address, parameters.urlappend)
        except NotRedirectable as refused:
            remarks.append(Message("An address was skipped because it {refused}.", refused=refused.reason))
            continue
        if needs_slash(address, parameters.urlappend):
            remarks.append(Message("A slash separates the appended text, so that it can't change the host."))
        varies = varies or (chosen is None and len(urls) > 1)
        why = join_messages(" ", why, *remarks)
        return Redirect(url, name, why, way, chosen, varies, status if chosen else HTTPStatus.FOUND)
    return _show_values(record, way, [*remarks, Message("There is no address to redirect to.")], values)


def _show_values(
    record: Record | NoValues, way: tuple[str, ...], why: list[Message], values: tuple[HandleValue, ...]
) -> ShownValues:
    """Return the values. If there are none, say whether the record has any (P9)."""
    if not values:
        none = isinstance(record, NoValues) or not record.values
        other = Message("The record has no value with a requested type or index.")
        why = [*why, Message("The record has no values.") if none else other]
    return ShownValues(record, way[-1], join_messages(" ", *why), values, way, tuple(build_bare_prefix_hints(way[-1])))


_DECIDED = {
    "locatt": Message("the only one with the attribute that the request asks for"),
    "country": Message("the only one left for the reader's country"),
    "weighted": Message("the only one left with a positive weight"),
}


def _explain_choice(choice: LocationChoice, found: FoundLocations) -> Message:
    if len(choice.among) > 1:
        return Message(
            "One of {count} locations in {where} is chosen at random.", where=found.where, count=len(choice.among)
        )
    why = _DECIDED.get(choice.method, Message("the only one for readers"))
    return Message("A location in {where} is chosen: {why}.", where=found.where, why=why)


def _explain_url(number: int, count: int) -> Message:
    if count == 1:
        return Message("It comes from the URL in the DOI record.")
    return Message("Of {count} URL values, number {number} is used.", count=str(count), number=str(number))


def _list_addresses(name: str, found: FoundLocations, urls: Sequence[str]) -> tuple[ListedAddress, ...]:
    """Return the locations with all their attributes, else the URL values, each once."""
    if found.locations is None or found.is_empty:
        return tuple(
            ListedAddress(url) for url in dict.fromkeys(to_location_header(url) for url in urls if is_redirectable(url))
        )
    return tuple(
        ListedAddress(to_location_header(one.find_href(name) or ""), one.attributes)
        for one in found.locations.locations
    )
