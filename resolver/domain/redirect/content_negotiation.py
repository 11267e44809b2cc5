"""Whether a request for a name wants its metadata rather than the thing itself (P1, content negotiation)."""

import re

_READABLE = frozenset({"text/html", "application/xhtml+xml", "text/*", "*/*"})
_WORD = "[A-Za-z0-9][A-Za-z0-9.+_-]{0,99}"
_RANGE = re.compile(rf"(?:\*/\*|{_WORD}/(?:\*|{_WORD}))\Z")
_PARAMETER = re.compile(rf"{_WORD}={_WORD}\Z")
MOST_RANGES, MOST_PARAMETERS = 10, 4
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z")


def wants_data(accept: str) -> bool:
    """Whether an Accept header asks for something else than a page to read, and would rather have it.

    Then a registration agency answers, by a redirect of doi.org. A browser, a `*/*`, and no header at all do not ask
    so; where a page is as welcome as anything else, it is a page.
    """
    data = page = 0.0
    for part in accept.split(","):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = _quality(parameters)
        if kind in _READABLE:
            page = max(page, quality)
        elif "/" in kind:
            data = max(data, quality)
    return data > page


def media_ranges(accept: str) -> str:
    """The plain media ranges of an Accept header, with their plain parameters (`q`, `style`, `locale`), written
    anew; '' where there is none.

    The header is a stranger's, and whoever passes it on speaks in its own name: what a web firewall might take for an
    attack is left out.
    """
    written: list[str] = []
    for part in accept.split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        if _RANGE.match(kind):
            plain = [parameter for parameter in parameters if _PARAMETER.match(parameter)]
            written.append("; ".join([kind, *plain[:MOST_PARAMETERS]]))
    return ", ".join(written[:MOST_RANGES])


def _quality(parameters: list[str]) -> float:
    """The `q` of a media range; 1 where there is none, or none that can be read."""
    text = next((value.strip() for name, _, value in (each.partition("=") for each in parameters) if name == "q"), "1")
    return float(text) if _QUALITY.match(text) else 1.0
