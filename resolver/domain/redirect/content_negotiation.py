"""Content negotiation: whether a request for a name wants its metadata rather than a page (P1), and which locations its
headers ask for (L3)."""

import re
from collections.abc import Iterator
from itertools import takewhile
from operator import itemgetter

from resolver.domain.handle.proxy_parameters import Attribute

_READABLE = frozenset({"text/html", "application/xhtml+xml", "text/*", "*/*"})
_WORD = "[A-Za-z0-9][A-Za-z0-9.+_-]{0,99}"
_RANGE = re.compile(rf"(?:\*/\*|{_WORD}/(?:\*|{_WORD}))\Z")
_PARAMETER = re.compile(rf"{_WORD}={_WORD}\Z")
MOST_RANGES, MOST_PARAMETERS = 10, 4
_BROWSER = re.compile(
    r"[^*]*\*.*|(?:image|audio|video)/.*|text/(?:x?html|vnd\.wap\.wml)|application/(?:(?:vnd\.wap\.)?xhtml\+xml|pdf)"
)
"""What the proxy of doi.org takes for the media type of a browser."""
_BROWSER_NAMES = ("mozilla/", "opera/")
_ROLE, _KIND, _LANGUAGE = "http_role", ("ctype", "media-type"), "language"
HEADER_ATTRIBUTES = frozenset({_ROLE, *_KIND, _LANGUAGE})
"""The attributes of locations for which the headers of a request ask."""
_TEXT_HTML = tuple((key, "text/html") for key in _KIND)
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z")


def wants_data(accept: str) -> bool:
    """Return whether an Accept header prefers data to a page for readers.

    Then doi.org redirects to a Registration Agency. A browser, a `*/*` and a missing header want a page, and so does a
    header that accepts a page as well as data.
    """
    data = page = 0.0
    for kind, quality in _read_ranges(accept):
        if kind in _READABLE:
            page = max(page, quality)
        elif "/" in kind:
            data = max(data, quality)
    return data > page


def find_header_attributes(accept: str, user_agent: str, languages: str) -> tuple[Attribute, ...]:
    """Return the attributes of locations that the headers of a request ask for, as at doi.org (L3): `http_role`, then
    the media types and the languages, the preferred ones first. Of the languages and types MOST_RANGES count."""
    ranges = list(_read_ranges(accept))[:MOST_RANGES]
    best = max((quality for _, quality in ranges), default=0.0)
    kinds = [kind for kind, _ in sorted(ranges, key=itemgetter(1), reverse=True)]
    if all(kind == "*/*" for kind in kinds):
        browser = user_agent.strip().lower().startswith(_BROWSER_NAMES)
        found = [(_ROLE, "browser"), *_TEXT_HTML] if browser else [(_ROLE, "no_conneg")]
    elif any(quality == best and _BROWSER.fullmatch(kind) for kind, quality in ranges):
        html = not {"text/html", "text/*", "*/*"}.isdisjoint(kinds)
        found = [(_ROLE, "browser"), *(_TEXT_HTML if html else ())]
    else:
        plain = takewhile(lambda kind: "*" not in kind, kinds)
        found = [*((key, kind) for kind in plain for key in _KIND), (_ROLE, "conneg")]
    spoken = sorted(list(_read_ranges(languages))[:MOST_RANGES], key=itemgetter(1), reverse=True)
    return (*found, *((_LANGUAGE, language) for language, _ in spoken))


def sanitize_accept(accept: str) -> str:
    """Return the plain media ranges of an Accept header, rewritten with their plain parameters (`q`, `style`,
    `locale`); '' if there are none.

    The header is untrusted, and the portal sends it in its own name. Anything that a web firewall might take for an
    attack is left out.
    """
    written: list[str] = []
    for part in accept.split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        if _RANGE.match(kind):
            plain = [parameter for parameter in parameters if _PARAMETER.match(parameter)]
            written.append("; ".join([kind, *plain[:MOST_PARAMETERS]]))
    return ", ".join(written[:MOST_RANGES])


def _read_ranges(header: str) -> Iterator[tuple[str, float]]:
    """Yield each item of an Accept header, or one like it, in small letters, and its quality."""
    for part in header.split(","):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if kind:
            yield kind, _read_quality(parameters)


def _read_quality(parameters: list[str]) -> float:
    """Return the `q` of a media range; 1 if it is missing or unreadable."""
    text = next((value.strip() for name, _, value in (each.partition("=") for each in parameters) if name == "q"), "1")
    return float(text) if _QUALITY.match(text) else 1.0
