"""Why an address of a record opens no document for readers outside, as far as the address itself shows it."""

import re
from functools import lru_cache
from ipaddress import AddressValueError
from typing import NamedTuple
from urllib.parse import unquote

from doi_reading import Message
from doi_reading.tables.resolver_addresses import API_PATHS, RESOLVER_HOSTS
from doi_reading.tables.useless_addresses import (
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
from resolver.domain.handle.names_in_path import find_name_in_path
from resolver.domain.redirect.ip_address import is_public, read_ip_address
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS
from resolver.domain.redirect.web_host import PORTS, read_server

_HANDLES = "hdl.handle.net"
_RESOLVERS = ("doi.org", "handle.net")
PRIVATE, UNUSABLE, PLACEHOLDER = "private-address", "unusable-address", "placeholder-address"

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
    if any(sign in text for sign in TEMPLATE_SIGNS) and (
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
    if not any(host in url.lower() for host in _RESOLVERS):
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
