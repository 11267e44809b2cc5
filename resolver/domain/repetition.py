"""Where in a name another DOI begins: the same one twice, or two run together."""

import re

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
