"""The outcomes of an input, each with its word for people."""

from enum import StrEnum
from typing import Literal

from doi_reading import Message


class Outcome(StrEnum):
    """The outcome of one input; each input has exactly one. `word` is for people."""

    RESOLVED = "resolved"
    NO_URL = "no-url"
    NO_VALUES = "no-values"
    NOT_FOUND = "not-found"
    REGISTERED = "registered"
    INVALID = "invalid"
    PROXY_ERROR = "proxy-error"
    UNREACHABLE = "unreachable"

    @property
    def word(self) -> Message:
        """The outcome in a table or a sentence."""
        return _WORDS[self]


_WORDS = {
    Outcome.RESOLVED: Message("resolved"),
    Outcome.NO_URL: Message("no web address"),
    Outcome.NO_VALUES: Message("empty record"),
    Outcome.NOT_FOUND: Message("not registered"),
    Outcome.REGISTERED: Message("registered"),
    Outcome.INVALID: Message("not a DOI"),
    Outcome.PROXY_ERROR: Message("couldn't check (DOI service error)"),
    Outcome.UNREACHABLE: Message("couldn't check (DOI service unreachable)"),
}
EXISTS = frozenset({Outcome.RESOLVED, Outcome.REGISTERED, Outcome.NO_URL, Outcome.NO_VALUES})
COULD_NOT_ASK = frozenset({Outcome.PROXY_ERROR, Outcome.UNREACHABLE})
NOT_CHECKED: Literal[""] = ""
