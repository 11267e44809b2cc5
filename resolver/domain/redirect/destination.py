"""Where the addresses of a record lead in the end, from one DOI to the next: to a page, or nowhere, as far as an
address itself shows it.

What counts is where the proxy sends readers: the locations for readers, each of which it may choose, else the first URL
value. The link never leads to a second URL value, so that one neither saves a bad first one nor spoils a good one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError
from typing import NamedTuple
from urllib.parse import unquote

from doi_reading import Message, Problem, fold
from doi_reading.problems import NEUTRAL, make_problem
from doi_reading.tables.resolver_addresses import API_PATHS, RESOLVER_HOSTS
from doi_reading.tables.unopenable_addresses import (
    EMPTY_PART,
    INVENTED_HOST,
    LOGIN_HOSTS,
    LOGIN_PAGES,
    PRIVATE_ENDINGS,
    TEMPLATE,
    TEMPLATE_SIGNS,
    TEST_LABEL,
    TEST_SYSTEMS,
)
from resolver.domain.handle.answers import MAX_HOPS, MissingHandle, ProxyError, Resolution, Unreachable
from resolver.domain.handle.names_in_path import find_name_in_path
from resolver.domain.handle.record import Record
from resolver.domain.redirect.record_addresses import find_reader_addresses
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS
from resolver.domain.redirect.web_host import PORTS, is_public, read_ip_address, read_server

_HANDLES = "hdl.handle.net"
PRIVATE, UNUSABLE, PLACEHOLDER = "private-address", "unusable-address", "placeholder-address"
ITSELF, MISSING = "leads-to-itself", "leads-to-missing"
NOWHERE = (ITSELF, MISSING, PRIVATE, UNUSABLE, PLACEHOLDER)
"""The problems of a record that leads nowhere."""

_ADDRESS = re.compile(r"(https?|ftp)://([^/?#]*)([^?#]*)", re.IGNORECASE)
_TWO_SCHEMES = re.compile(r"(?:https?|ftp)[:/]{1,5}(?:https?|ftp)(?:[:/]|\Z)")
_HALF_SCHEME = re.compile(r"(?:https?|ftp)(?!://)[:;/\\]{1,5}[^\s:;/\\]")
_SECOND_ADDRESS = re.compile(r"(?<=[\w\s;,|.)])(?<!%[23][adf])(?:https?|ftp):/{1,2}(?=[^\s/])")
"""Right after another: `…/1http://…`, `…/1; http://…`. Behind `/`, `=` or `:`, encoded or not, it belongs to the first
address."""
_DOI_AS_HOST = re.compile(r"10\.[0-9]{4,9}")
_HANDLE = re.compile(r"[0-9]{1,9}(?:\.[\w-]{1,40}){0,5}/.")
_FILE_ENDING = re.compile(r"(?:\.(?:php|aspx?|jspx?|jsf|do|action|cgi|x?html?))?(?:;[^/;]{0,200})?/{0,2}\Z")


class AddressFault(NamedTuple):
    """The code of the problem, and its cause as a part of a sentence."""

    code: str
    why: Message


_TEMPLATE = AddressFault(PLACEHOLDER, Message("it is a template that was never filled in"))
_LOGIN_PAGE = AddressFault(PLACEHOLDER, Message("it is a log-in page"))


def find_address_fault(url: str) -> AddressFault | None:
    """Return why readers outside see no document at this address; None if nothing in it says so, and for another scheme
    than http, https and ftp. `example.org`, `example.com` and `.example` are hosts like all others."""
    text = url.strip()[:MAX_URL_CHARACTERS].lower()
    if not TEMPLATE_SIGNS.isdisjoint(text) and (
        TEMPLATE.search(text) or ("%" in text and TEMPLATE.search(unquote(text, errors="replace")))
    ):
        return _TEMPLATE
    if _TWO_SCHEMES.match(text):
        return AddressFault(UNUSABLE, Message("it begins with two schemes"))
    found = _ADDRESS.match(text)
    if found is None:
        half = _HALF_SCHEME.match(text)
        return AddressFault(UNUSABLE, Message("its beginning isn't http:// or https://")) if half else None
    if ":/" in text[found.end(1) + 3 :] and _SECOND_ADDRESS.search(text, found.end(1) + 3):
        return AddressFault(UNUSABLE, Message("it is two addresses in one"))
    if find_resolver_name(found[0]) == "":
        return AddressFault(UNUSABLE, Message("it is the DOI resolver without a DOI"))
    return _find_fault_of_host(found[1], found[2]) or _find_fault_of_path(text, found[3])


def find_resolver_name(url: str) -> str | None:
    """Return the handle that an address at the DOI resolver opens, "" for the resolver alone; None for other addresses,
    and for the resolver's own pages."""
    lower = url.lower()
    if "doi.org" not in lower and "handle.net" not in lower:
        return None
    found = _ADDRESS.match(url.strip()[:MAX_URL_CHARACTERS])
    server = read_server(found[2], PORTS[found[1].lower()]) if found else None
    if found is None or server is None or server[0] not in RESOLVER_HOSTS:
        return None
    path = found[3].lstrip("/")
    api = next((api for api in API_PATHS if path[:12].lower().startswith(api)), "")
    name = find_name_in_path(path[len(api) :]) or ""
    if name.startswith("10."):
        return name if name.partition("/")[2] else ""
    if not name or name.startswith("10/"):
        return name
    return name if server[0] == _HANDLES and _HANDLE.match(name) else None


@lru_cache(maxsize=256)  # the rows of a list share their hosts
def _find_fault_of_host(scheme: str, authority: str) -> AddressFault | None:
    server = read_server(authority, PORTS[scheme])
    host = server[0] if server else ""
    try:
        address = read_ip_address(host)
    except AddressValueError:
        host, address = "", None
    if not host or ".." in f".{host}." or _DOI_AS_HOST.fullmatch(host):
        return AddressFault(UNUSABLE, Message("it has no host that programs can read"))
    if address is not None:
        return None if is_public(address) else AddressFault(PRIVATE, Message("{host} is a private address", host=host))
    dotted = f".{host}"
    if "." not in host or dotted.endswith(PRIVATE_ENDINGS):
        return AddressFault(PRIVATE, Message("{host} is a name in a private network", host=host))
    if dotted.endswith(TEST_SYSTEMS) or TEST_LABEL.match(host):
        return AddressFault(PLACEHOLDER, Message("{host} is a system for tests", host=host))
    if host in LOGIN_HOSTS:
        return _LOGIN_PAGE
    return _TEMPLATE if INVENTED_HOST.match(host) else None


def _find_fault_of_path(text: str, path: str) -> AddressFault | None:
    fragment = text.partition("#")[2]
    page = fragment.lstrip("!").partition("?")[0] if fragment.startswith(("/", "!/")) else path
    if EMPTY_PART.search(page):
        return _TEMPLATE
    if _FILE_ENDING.sub("", page, 1).endswith(LOGIN_PAGES):
        return _LOGIN_PAGE
    return None


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
