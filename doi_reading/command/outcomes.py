"""What `--check` says about a name beside its problems, in the words of the portal: an outcome, and a group of them."""

from collections.abc import Mapping
from types import MappingProxyType

from doi_reading.problems.catalogue import Entry, Severity

NOT_FOUND, COULD_NOT_ASK = "not-found", "could-not-ask"
OF_OTHER = "other-not-registered"
"""The problem of a field in which another DOI isn't registered."""
OUTCOMES: Mapping[str, Entry] = MappingProxyType(
    {
        NOT_FOUND: Entry(
            NOT_FOUND, Severity.ERROR, "DOI not registered",
            "This DOI isn't registered: its link shows an error page.",
            "B2", "Compare the DOI with its source.",
        ),
        COULD_NOT_ASK: Entry(
            COULD_NOT_ASK, Severity.WARNING, "Could not ask",
            "Whether this DOI is registered isn't known: {why}.",
            "B2", "Check again later.",
        ),
    }
)  # fmt: skip
