"""Where a DOI leads, compared with the address that its owner expects.

Two addresses lead to the same page here if they differ only in what a web server treats alike, or in what measures
visits: the scheme (http and https), user info, `www.`, the spelling of the host (case, Unicode or Punycode, a final
dot), a default port, a final slash, percent-encoding, the form of accents, a session id and parameters that only
track visits. A `#` part counts only where a site's program reads it as a page: `#!…` and `#/…`. The path keeps its
case, its `.` and `..`, and the query its order.

Percent-encoding is alike where it has no meaning: `%7E` and `~`, `%2f` and `%2F`, `%28` and `(`. An encoded delimiter
is another character: `%2F` in a path is no `/`, `%26` in a query no `&`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal
from urllib.parse import quote

from doi_reading.tables.link_parameters import is_only_tracking
from doi_reading.tables.resolver_addresses import RESOLVER_HOSTS
from resolver.domain.redirect.safe_url import CONTROL
from resolver.domain.redirect.web_host import PORTS, read_server
from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_CHECKED, Outcome


class Target(StrEnum):
    """Where a DOI leads, compared with the expected address; the best first."""

    SAME = "same"
    SAME_PAGE = "same-page"
    SAME_HOST = "same-host"
    OTHER_HOST = "other-host"
    NO_ADDRESS = "no-address"


ELSEWHERE = (Target.OTHER_HOST, Target.NO_ADDRESS)
"""The classes of a row that surely needs work."""

TO_CORRECT = (Target.SAME_HOST, Target.OTHER_HOST, Target.NO_ADDRESS)
"""The classes of a row whose registered address isn't the expected page."""

_NOT_COMPARED = frozenset({NOT_CHECKED, *COULD_NOT_ASK, Outcome.REGISTERED, Outcome.INVALID})

_ADDRESS = re.compile(
    r"(?P<scheme>https?|ftp)://(?P<authority>[^/?#\\\s]+)(?P<path>(?:/[^?#]*)?)(?:\?(?P<query>[^#]*))?"
    r"(?:#(?P<fragment>.*))?\Z",
    re.IGNORECASE | re.DOTALL,
)
_SCHEME = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
# Without a scheme, so that 10.1000 is none.
_NAMED_HOST = re.compile(r"(?=[a-z0-9._-]+\Z)[^.]+(?:\.[^.]+)*\.(?:[a-z]{2,}|xn--[a-z0-9-]+)")
_FILE_NAME = re.compile(
    r"[^/?#]+\.(?:html?|xhtml|php|aspx?|jspx?|cgi|pdf|xml|json|txt|csv|xlsx?|docx?|pptx?|rtf|zip|gz|tar|png|jpe?g|gif"
    r"|tiff?|svg|epub|ris|bib|mp3|mp4)(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
_DOI_PATH = re.compile(r"/+(?:10|doi:)", re.IGNORECASE)
# Leftovers of programs, which readers don't see in a cell.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_JOINED = " | "  # how exports join values

_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PLAIN_IN_PATH = _UNRESERVED | frozenset("!$&'()*+,:@[]")
_PLAIN_IN_QUERY = _UNRESERVED | frozenset("!$'()*,:@/?[]")
_KEPT = "%!$&'()*+,;=:@/?[]#"

_SESSION = frozenset({"jsessionid", "phpsessid", "sessionid", "session_id", "aspsessionid", "cfid", "cftoken"})
_SESSION_IN_PATH = re.compile(rf";(?:{'|'.join(sorted(_SESSION))})=[^/;]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Page:
    """The parts of an address that decide to which page it leads."""

    is_ftp: bool
    host: str
    port: int
    path: str
    query: tuple[str, ...]
    fragment: str


def compare_target(expected: str, urls: Iterable[str]) -> Target | Literal[""]:
    """Return how the addresses of a record differ from the expected one: the best class of all. No address gives
    NO_ADDRESS, and one that can't be read or has no scheme, which no browser can follow, leads to another host.

    Return "" if the expected text is empty or no address: another text, several values, the name of a file, another
    scheme than http, https or ftp, or a link to a DOI, which says nothing about where the DOI should lead. An expected
    address without a scheme is read as https.
    """
    wanted = _read_expected(expected)
    if wanted is None:
        return ""
    text, page = wanted
    classes = [_compare(text, page, url.strip()) for url in urls if url]
    return min(classes, key=list(Target).index, default=Target.NO_ADDRESS)


def find_target(expected: str, outcome: str, urls: Iterable[str]) -> Target | Literal[""]:
    """Return the class of a row. It is "" if the row has no address to compare: it has no DOI, it was not checked, it
    couldn't be checked, or a quick check requested no record."""
    return "" if outcome in _NOT_COMPARED else compare_target(expected, urls)


def is_readable_target(expected: str) -> bool:
    """Return whether the text can be compared with addresses."""
    return _read_expected(expected) is not None


def complete_target(expected: str) -> str:
    """Return the expected address with its scheme, for a file of addresses; "" if it can't be read."""
    wanted = _read_expected(expected)
    return wanted[0] if wanted else ""


def _read_expected(expected: str) -> tuple[str, _Page] | None:
    text = _INVISIBLE.sub("", expected).replace("&amp;", "&").strip()
    if CONTROL.search(text) or _JOINED in text or _FILE_NAME.fullmatch(text):
        return None
    text = _complete(text)
    page = _read(text)
    if page is None or (page.host in RESOLVER_HOSTS and _DOI_PATH.match(page.path)):
        return None
    return text, page


def _compare(expected: str, wanted: _Page, url: str) -> Target:
    if url == expected:
        return Target.SAME
    found = _read(url)
    if found is None or _remove_www(found.host) != _remove_www(wanted.host):
        return Target.OTHER_HOST
    return Target.SAME_PAGE if replace(found, host=wanted.host) == wanted else Target.SAME_HOST


def _complete(text: str) -> str:
    """Return the text with a scheme; "" if it has none and isn't clearly an address."""
    if _SCHEME.match(text):
        return text
    text = text.removeprefix("//")
    authority = re.split(r"[/?#]", text, maxsplit=1)[0]
    server = None if "@" in authority else read_server(authority, PORTS["https"])  # not the address of a person
    return f"https://{text}" if server and _NAMED_HOST.fullmatch(server[0]) else ""


def _read(text: str) -> _Page | None:
    found = _ADDRESS.match(text)
    if found is None:
        return None
    scheme = found["scheme"].lower()
    server = read_server(found["authority"], PORTS[scheme])
    if server is None:
        return None
    host, port = server
    fragment = found["fragment"] or ""
    return _Page(
        is_ftp=scheme == "ftp",
        host=host,
        port=0 if port == PORTS[scheme] else port,
        path=_normalize_spelling(_SESSION_IN_PATH.sub("", found["path"]), _PLAIN_IN_PATH).removesuffix("/"),
        query=tuple(f"{key}{rest}" for key, rest, tracks in _split_query(found["query"] or "") if not tracks),
        fragment=_normalize_spelling(fragment, _PLAIN_IN_QUERY) if fragment.startswith(("!", "/")) else "",
    )


def _split_query(query: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each parameter's name, its rest, and whether it only measures visits or names a session."""
    for parameter in filter(None, query.split("&")):
        key, equals, value = _normalize_spelling(parameter, _PLAIN_IN_QUERY).partition("=")
        yield key, equals + value, is_only_tracking(key.lower()) or key.lower() in _SESSION


def _normalize_spelling(text: str, plain: frozenset[str]) -> str:
    """Return the text with one spelling for each character: these plain, all others percent-encoded or as they are."""

    def spell(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in plain else found[0].upper()

    return _ENCODED.sub(spell, quote(unicodedata.normalize("NFC", text), safe=_KEPT, errors="replace"))


def _remove_www(host: str) -> str:
    return host.removeprefix("www.") if host.count(".") > 1 else host
