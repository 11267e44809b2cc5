"""Find where another DOI starts inside a name: one DOI twice, or two run together."""

import re

from doi_reading.name.doi import fold, is_doi

_REPEATED = re.compile(
    r"(?:(?:https?:?/{1,2})?(?:dx\.|www\.)?doi\.org/|doi:)*10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/.", re.IGNORECASE
)
_LABELLED = re.compile(
    r"(?:https?:?/{1,2})?(?:dx\.|www\.)?(?:doi\.org/|doi:)10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/.", re.IGNORECASE
)
_GLUED = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/.")


def find_inner_doi(name: str) -> int:
    """Return the place in the suffix where another DOI starts, with its label and resolver, or -1."""
    slash = name.find("/")
    if slash < 0 or name.find("10.", slash) < 0:
        return -1
    match = _REPEATED.match(name, slash + 1) or _LABELLED.search(name, slash + 1) or _GLUED.search(name, slash + 1)
    return match.start() if match else -1


def find_second_doi(name: str) -> str | None:
    """Return the second of two different DOIs run together. None if it repeats the first DOI or its prefix."""
    at = find_inner_doi(name)
    if at < 0:
        return None
    first, second = fold(name[:at]), name[name.index("10.", at) :]
    begun = first.rstrip(".,;:/ ")
    if "/" not in begun or fold(second).startswith(begun) or begun.startswith(fold(second)):
        return None
    return second if is_doi(second) else None
