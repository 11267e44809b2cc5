"""What the command says beside the problems of a text: of a field, and with `--check` of a registration, in the words
of the portal."""

from collections.abc import Mapping
from types import MappingProxyType

from doi_reading.message import Message
from doi_reading.problems.catalogue import Entry, Severity
from doi_reading.problems.problem import Problem

PREFIX_IN_FIELD, NOT_FOUND, COULD_NOT_ASK = "prefix-in-field", "not-found", "could-not-ask"
OF_OTHER = "other-not-registered"
"""The problem of a field in which another DOI isn't registered."""
OUTCOMES: Mapping[str, Entry] = MappingProxyType(
    {
        PREFIX_IN_FIELD: Entry(
            PREFIX_IN_FIELD, Severity.WARNING, "Link or label in a field for a DOI",
            "Only the DOI belongs in this field: programs put the link or the label before it.",
            "S8", "Write the DOI alone.",
        ),
        NOT_FOUND: Entry(
            NOT_FOUND, Severity.ERROR, "Not registered",
            "This DOI isn't registered: its link shows an error page.",
            "B2", "Compare the DOI with its source.",
        ),
        COULD_NOT_ASK: Entry(
            COULD_NOT_ASK, Severity.WARNING, "Couldn't check",
            "Whether this DOI is registered isn't known: {why}.",
            "B2", "Check again later.",
        ),
    }
)  # fmt: skip


def make_prefix_problem(end: int) -> Problem:
    """Return the problem of a link or label that ends at `end` of a field."""
    entry = OUTCOMES[PREFIX_IN_FIELD]
    return Problem(entry.code, entry.severity, Message(entry.sentence), 0, end)
