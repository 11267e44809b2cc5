"""What a finding asks of its reader: nothing, work, or to be asked (again). The one place that says what "good" is."""

from collections.abc import Iterable
from enum import StrEnum

from resolver.domain.problems.catalogue import CATALOGUE, Severity
from resolver.domain.report.report import COULD_NOT_ASK, Outcome


class Group(StrEnum):
    """What a row asks of its reader; each row of a list belongs to exactly one."""

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
"""The problems for which a registered DOI may be the wrong one, or lead to nothing: the end of the name was cut off at
a #, say, and what is left is another's."""


def is_answered(outcome: str) -> bool:
    """Whether the proxy was asked and has answered, or there was nothing to ask for. "" is: not asked."""
    return outcome != "" and outcome not in COULD_NOT_ASK


def is_doubtful(outcome: str, problems: Iterable[str]) -> bool:
    """Whether a DOI is registered, but the text or the record is at fault; `problems` are codes."""
    return outcome in GOOD and not DOUBTS.isdisjoint(problems)


def works(outcome: str, *, deleted: bool) -> bool:
    """Whether the DOI itself leads somewhere, or, where only that was asked, is registered: whatever the text is like
    in which it stands. A page for deleted DOIs is nowhere."""
    return outcome in GOOD and not deleted


def group(outcome: str, problems: Iterable[str]) -> Group:
    """Of a row with this outcome ("": not asked) and these problem codes."""
    if not is_answered(outcome):
        return Group.COULD_NOT_ASK if outcome else Group.NOT_ASKED
    return Group.FINE if outcome in GOOD and not is_doubtful(outcome, problems) else Group.NEEDS_WORK
