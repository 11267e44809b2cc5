"""Hints for the Not Found page: what looks wrong in the form of a name (P5)."""

import re
from dataclasses import dataclass

from doi_reading import Message

_PREFIX = re.compile(r"10(?:\.[0-9]+)+/*\Z")


@dataclass(frozen=True, slots=True)
class NotFoundHint:
    """One odd thing about a name: a code, a sentence for the reader, and the name that was perhaps meant."""

    code: str
    sentence: Message
    name: str | None = None


def build_not_found_hints(name: str) -> list[NotFoundHint]:
    """Return the hints of the Not Found page: `trailing-slash`, `bare-prefix`, `doubled-slashes`; often none (P5)."""
    if prefix := build_bare_prefix_hints(name):
        return prefix
    found = []
    bare = name.rstrip("/")
    if bare != name and bare:
        sentence = Message("The name ends in a slash. Try it without the slash.")
        found.append(NotFoundHint("trailing-slash", sentence, bare))
    if "//" in bare:
        single = re.sub("/{2,}", "/", bare)
        found.append(
            NotFoundHint(
                "doubled-slashes", Message("The name contains two slashes in a row. Try it with one slash."), single
            )
        )
    return found


def build_bare_prefix_hints(name: str) -> list[NotFoundHint]:
    """Return the hint that also applies to a name that exists: a registered prefix has a record but is no DOI name."""
    if not _PREFIX.match(name):
        return []
    return [NotFoundHint("bare-prefix", Message("This is only a prefix. A DOI name has a suffix after the slash."))]
