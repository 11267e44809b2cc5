"""The groups of rows: fine, needs attention, couldn't be checked, not asked. Only this module defines "good"."""

from collections.abc import Iterable
from enum import StrEnum

from resolver.domain.problems.catalogue import CATALOGUE, Severity
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome


class RowGroup(StrEnum):
    """The group of a row; each row of a list belongs to exactly one."""

    FINE = "fine"
    NEEDS_WORK = "needs-work"
    COULD_NOT_ASK = "could-not-ask"
    NOT_ASKED = "not-asked"


DELETED = "deleted"  # the problem of a record that leads to an agency's page for deleted DOIs
GOOD = frozenset({Outcome.RESOLVED, Outcome.REGISTERED})
BAD = tuple(outcome for outcome in Outcome if outcome not in GOOD | COULD_NOT_ASK)
DOUBTS = frozenset(
    {code for code, entry in CATALOGUE.items() if entry.severity is Severity.ERROR}
    | {DELETED, "unsafe-url", "several-dois"}
)
"""Problems with which a registered DOI may be the wrong one or lead nowhere. Example: a # cut off the end of the name,
and the rest is another DOI."""


def is_answered(outcome: str) -> bool:
    """Return whether the proxy answered, or there was no name to check. "" means not asked."""
    return outcome != "" and outcome not in COULD_NOT_ASK


def needs_review(outcome: str, problems: Iterable[str]) -> bool:
    """Return whether the DOI is registered but its text or record has an error. `problems` are codes."""
    return outcome in GOOD and not DOUBTS.isdisjoint(problems)


def is_working(outcome: str, *, deleted: bool) -> bool:
    """Return whether the DOI itself has an address, or in a quick check is registered, whatever its text looks like. A
    page for deleted DOIs doesn't count."""
    return outcome in GOOD and not deleted


def find_row_group(outcome: str, problems: Iterable[str]) -> RowGroup:
    """Return the group of a row with this outcome ("": not asked) and these problem codes."""
    if not is_answered(outcome):
        return RowGroup.COULD_NOT_ASK if outcome else RowGroup.NOT_ASKED
    return RowGroup.FINE if outcome in GOOD and not needs_review(outcome, problems) else RowGroup.NEEDS_WORK
