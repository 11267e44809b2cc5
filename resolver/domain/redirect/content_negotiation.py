"""Content negotiation: whether a request for a name wants its metadata rather than a page (P1)."""

import re

_READABLE = frozenset({"text/html", "application/xhtml+xml", "text/*", "*/*"})
_WORD = "[A-Za-z0-9][A-Za-z0-9.+_-]{0,99}"
_RANGE = re.compile(rf"(?:\*/\*|{_WORD}/(?:\*|{_WORD}))\Z")
_PARAMETER = re.compile(rf"{_WORD}={_WORD}\Z")
MOST_RANGES, MOST_PARAMETERS = 10, 4
_QUALITY = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)\Z")


def wants_data(accept: str) -> bool:
    """Return whether an Accept header prefers data to a page for readers.

    Then doi.org redirects to a Registration Agency. A browser, a `*/*` and a missing header want a page, and so does a
    header that accepts a page as well as data.
    """
    data = page = 0.0
    for part in accept.split(","):
        kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = _read_quality(parameters)
        if kind in _READABLE:
            page = max(page, quality)
        elif "/" in kind:
            data = max(data, quality)
    return data > page


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


def _read_quality(parameters: list[str]) -> float:
    """Return the `q` of a media range; 1 if it is missing or unreadable."""
    text = next((value.strip() for name, _, value in (each.partition("=") for each in parameters) if name == "q"), "1")
    return float(text) if _QUALITY.match(text) else 1.0
