"""Where a DOI leads, compared with the address that its owner expects.

Two addresses lead to the same page here if they differ only in what a web server treats alike, or in what measures
visits: the scheme (http and https), user info, `www.`, the spelling of the host (case, Unicode or Punycode, a final
dot), a default port, a final slash, percent-encoding, a session id and tracking parameters. A `#` part counts only
where a site's program reads it as a page: `#!…` and `#/…`. The path keeps its case, its `.` and `..`, and the query its
order.

Percent-encoding is alike where it has no meaning: `%7E` and `~`, `%2f` and `%2F`, `%28` and `(`. An encoded delimiter
is another character: `%2F` in a path is no `/`, `%26` in a query no `&`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from urllib.parse import quote

from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_ASKED, Outcome
from resolver.domain.tables.library_proxies import RESOLVER_HOSTS
from resolver.domain.tables.link_parameters import is_tracking

LONGEST_HOST = 255


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

_NOT_COMPARED = frozenset({NOT_ASKED, *COULD_NOT_ASK, Outcome.REGISTERED, Outcome.INVALID})

_ADDRESS = re.compile(
    r"(?:(?P<scheme>https?|ftp)://|(?P<slashes>//)?)(?P<authority>[^/?#\\\s]+)(?P<path>(?:/[^?#]*)?)(?:\?(?P<query>[^#]*))?"
    r"(?:#(?P<fragment>.*))?\Z",
    re.IGNORECASE | re.DOTALL,
)
_SCHEME = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_PORT = re.compile(r":([0-9]{0,5})\Z")
_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}
_ASCII_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_NAMED_HOST = re.compile(r".+\.(?:[a-z]{2,}|xn--[a-z0-9-]+)")  # without a scheme, so that 10.1000 is none
_IDEOGRAPHIC_DOTS = str.maketrans("。．｡", "...")

_ENCODED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PLAIN_IN_PATH = _UNRESERVED | frozenset("!$&'()*+,:@[]")
_PLAIN_IN_QUERY = _UNRESERVED | frozenset("!$'()*,:@/?[]")
_KEPT = "%!$&'()*+,;=:@/?[]#"

_SESSION = frozenset({"jsessionid", "phpsessid", "sessionid", "session_id", "aspsessionid", "cfid", "cftoken"})
_SESSION_IN_PATH = re.compile(rf";(?:{'|'.join(sorted(_SESSION))})=[^/;]*", re.IGNORECASE)
# Some sites name a page with these. They count where both addresses have one.
_MAY_NAME_A_PAGE = frozenset({"ref", "source", "src", "sid", "cid"})


@dataclass(frozen=True, slots=True)
class _Page:
    """An address as far as it tells which page it leads to."""

    scheme: str
    host: str
    port: int
    path: str
    query: tuple[str, ...]
    fragment: str
    unsure: Mapping[str, str]


def compare_target(expected: str, urls: Iterable[str]) -> Target | Literal[""]:
    """Return how the addresses of a record differ from the expected one: the best class of all. No address gives
    NO_ADDRESS, and one that can't be read leads to another host.

    Return "" if the expected text is empty or no address: another text, another scheme than http, https or ftp, or a
    link to a DOI, which says nothing about where the DOI should lead. An address without a scheme is read as https.
    """
    wanted = _read_expected(expected)
    if wanted is None:
        return ""
    text, page = wanted
    classes = [_compare(text, page, url.strip()) for url in urls if url]
    return min(classes, key=list(Target).index, default=Target.NO_ADDRESS)


def find_target(expected: str, outcome: str, urls: Iterable[str]) -> Target | Literal[""]:
    """Return the class of a row. It is "" if the row has no address to compare: it has no DOI, it was not checked, it
    couldn't be checked, or a quick check asked for no record."""
    return "" if outcome in _NOT_COMPARED else compare_target(expected, urls)


def is_readable_target(expected: str) -> bool:
    """Return whether the text can be compared with addresses."""
    return _read_expected(expected) is not None


def complete_target(expected: str) -> str:
    """Return the expected address with its scheme, for a file of addresses; "" if it can't be read."""
    wanted = _read_expected(expected)
    return wanted[0] if wanted else ""


def find_host(url: str) -> str:
    """Return the host of an address in lower-case ASCII (an international one in Punycode); "" if there is none."""
    page = _read(url.strip())
    return page.host if page else ""


def _read_expected(expected: str) -> tuple[str, _Page] | None:
    text = expected.strip()
    page = _read(text)
    if page is None or (page.host in RESOLVER_HOSTS and page.path.startswith("/10.")):
        return None
    return _complete(text), page


def _compare(expected: str, wanted: _Page, url: str) -> Target:
    if url == expected:
        return Target.SAME
    found = _read(url)
    if found is None or _without_www(found.host) != _without_www(wanted.host):
        return Target.OTHER_HOST
    if expected == _complete(url):
        return Target.SAME
    return Target.SAME_PAGE if _is_same_page(wanted, found) else Target.SAME_HOST


def _complete(text: str) -> str:
    return text if _SCHEME.match(text) else f"https://{text.removeprefix('//')}"


def _is_same_page(one: _Page, other: _Page) -> bool:
    def pages(page: _Page) -> tuple[object, ...]:
        return (page.scheme == "ftp", page.port, page.path, page.query, page.fragment)

    return pages(one) == pages(other) and all(
        one.unsure[key] == other.unsure[key] for key in one.unsure.keys() & other.unsure.keys()
    )


def _read(text: str) -> _Page | None:
    found = _ADDRESS.match(text)
    if found is None:
        return None
    scheme = (found["scheme"] or "https").lower()
    if not found["scheme"] and "@" in found["authority"]:
        return None  # the address of a person
    authority = found["authority"].rpartition("@")[2]
    port = _PORT.search(authority)
    number = int(port[1]) if port and port[1] else _DEFAULT_PORTS[scheme]
    host = _to_ascii(authority[: port.start()] if port else authority)
    if not host or not (found["scheme"] or _NAMED_HOST.fullmatch(host)):
        return None
    parts = list(_split_query(found["query"] or ""))
    fragment = found["fragment"] or ""
    return _Page(
        scheme=scheme,
        host=host,
        port=0 if number == _DEFAULT_PORTS[scheme] else number,
        path=_plain(_SESSION_IN_PATH.sub("", found["path"]), _PLAIN_IN_PATH).removesuffix("/"),
        query=tuple(f"{key}{rest}" for key, rest, tracks in parts if not tracks),
        fragment=_plain(fragment, _PLAIN_IN_QUERY) if fragment.startswith(("!", "/")) else "",
        unsure={key.lower(): rest for key, rest, _ in parts if key.lower() in _MAY_NAME_A_PAGE},
    )


def _split_query(query: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each parameter's name, its rest, and whether it only measures visits or names a session."""
    for parameter in filter(None, query.split("&")):
        key, equals, value = _plain(parameter, _PLAIN_IN_QUERY).partition("=")
        yield key, equals + value, is_tracking(key.lower()) or key.lower() in _SESSION


def _plain(text: str, plain: frozenset[str]) -> str:
    """Return the text with one spelling for each character: these plain, all others percent-encoded or as they are."""

    def spell(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in plain else found[0].upper()

    return _ENCODED.sub(spell, quote(text, safe=_KEPT, errors="replace"))


def _to_ascii(host: str) -> str:
    """Return the host in lower-case ASCII; "" if it can't be one.

    An international label is written in Punycode as browsers do it. The codec of the standard library follows the older
    IDNA 2003, which has no ß.
    """
    if len(host) > 4 * LONGEST_HOST:
        return ""
    if not host.isascii():
        host = unicodedata.normalize("NFKC", host.translate(_IDEOGRAPHIC_DOTS))
        host = unicodedata.normalize("NFC", host.lower())
        host = ".".join(label if label.isascii() else _to_punycode(label) for label in host.split("."))
    host = host.lower().removesuffix(".")
    return host if len(host) <= LONGEST_HOST and _ASCII_HOST.fullmatch(host) else ""


def _to_punycode(label: str) -> str:
    if len(label) > 63:  # the codec takes time that grows with the square of the length
        return ""
    try:
        return f"xn--{label.encode('punycode').decode('ascii')}"
    except UnicodeError:
        return ""


def _without_www(host: str) -> str:
    return host.removeprefix("www.") if host.count(".") > 1 else host
