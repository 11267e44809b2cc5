"""One problem of an input: a code of the catalogue, its sentence, and its place."""

from dataclasses import dataclass

from resolver.domain.message import Detail, Message
from resolver.domain.problems.catalogue import CATALOGUE, Entry, Severity

__all__ = ["CATALOGUE", "NEUTRAL", "Entry", "Problem", "Severity", "problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `start` and `end` are code point offsets in the input, end exclusive."""

    code: str
    severity: str
    message: Message
    start: int = 0
    end: int = 0


NEUTRAL: dict[str, Message] = {
    "characters": Message("a character"),
    "length": Message("too many"),
    "most": Message("the limit"),
    "escaped": Message("its percent-encoded form"),
    "plain": Message("a common one"),
    "alias_of": Message("named in the record"),
    "url": Message("see the record"),
    "linked": Message("see the other DOIs"),
    "kind": Message("identifier"),
}
"""The words for unknown details."""
_AT_THE_START = {"characters": Message("A character")}


def problem(code: str, start: int = 0, end: int = 0, *, severity: str | None = None, **details: Detail) -> Problem:
    """Return the catalogue's problem `code` at a place of the input. `details` fill its sentence; a missing one gets
    neutral words, so that a message never fails."""
    entry = CATALOGUE[code]
    neutral = NEUTRAL | _AT_THE_START if entry.sentence.startswith("{") else NEUTRAL
    filled = {name: details.get(name, neutral[name]) for name in entry.details}
    return Problem(code, severity or entry.severity.value, Message(entry.sentence, **filled), start, end)
