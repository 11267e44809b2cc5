"""One problem of an input: a code of the catalogue, its sentence, and where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from resolver.domain.problems.catalogue import CATALOGUE, Entry, Severity

__all__ = ["CATALOGUE", "NEUTRAL", "Entry", "Problem", "Severity", "problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to tell a librarian; `start` and `end` are code point offsets in the input, end exclusive."""

    code: str
    severity: str
    message: str
    start: int = 0
    end: int = 0


NEUTRAL: Mapping[str, str] = {
    "characters": "a character",
    "length": "too many",
    "most": "the set number",
    "escaped": "its percent-encoded form",
    "plain": "a common one",
    "alias_of": "named in the record",
    "url": "see the record",
    "linked": "see the other DOIs",
}
"""The words for a detail that nobody gave."""


class _Details(dict[str, str]):
    """What a sentence is filled with; a detail that nobody gave has neutral words, so a message never fails."""

    def __missing__(self, name: str) -> str:
        return NEUTRAL.get(name, "")


def problem(code: str, start: int = 0, end: int = 0, *, severity: str | None = None, **details: object) -> Problem:
    """The catalogue's problem `code` at a place of the input; `details` fill its sentence."""
    entry = CATALOGUE[code]
    message = entry.sentence
    if entry.details:
        words = _Details({name: str(value) for name, value in details.items()})
        message = message.format_map(words)
        # A detail of the user's that begins the sentence keeps its case: É is not é (S8).
        if not any(entry.sentence.startswith(f"{{{name}}}") for name in words):
            message = message[0].upper() + message[1:]
    return Problem(code, severity or entry.severity.value, message, start, end)
