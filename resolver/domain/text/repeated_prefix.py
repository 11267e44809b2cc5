"""Where in a name another DOI begins: the same one twice, or two run together."""

import re

from resolver.domain.name.doi import Doi, NotADoi, fold

_REPEATED = re.compile(
    r"(?:(?:https?:?/{1,2})?(?:dx\.|www\.)?doi\.org/|doi:)*10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/.", re.IGNORECASE
)
_LABELLED = re.compile(
    r"(?:https?:?/{1,2})?(?:dx\.|www\.)?(?:doi\.org/|doi:)10\.[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}/.", re.IGNORECASE
)
_GLUED = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}/.")


def inner(name: str) -> int:
    """Where in the suffix another DOI begins, label and resolver included, or -1."""
    slash = name.find("/")
    if slash < 0 or name.find("10.", slash) < 0:
        return -1
    match = _REPEATED.match(name, slash + 1) or _LABELLED.search(name, slash + 1) or _GLUED.search(name, slash + 1)
    return match.start() if match else -1


def another(name: str) -> str | None:
    """The second of two different DOIs run together; None where it is the first one again, or a prefix twice."""
    at = inner(name)
    if at < 0:
        return None
    first, second = fold(name[:at]), name[name.index("10.", at) :]
    begun = first.rstrip(".,;:/ ")
    if "/" not in begun or fold(second).startswith(begun) or begun.startswith(fold(second)):
        return None
    try:
        Doi.parse(second)
    except NotADoi:
        return None
    return second
