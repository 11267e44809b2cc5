"""The groups of rows, which only this module defines: needs attention, works but could be tidier, fine, empty,
couldn't be checked, not checked yet."""

from collections.abc import Collection
from enum import StrEnum

from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.correction import OTHER_WORK, REVIEWED
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome
from resolver.domain.report.target import ELSEWHERE, Target


class RowGroup(StrEnum):
    """The group of a row; each row of a list belongs to exactly one."""

    FINE = "fine"
    TIDIER = "tidier"
    NEEDS_WORK = "needs-work"
    EMPTY = "empty"
    COULD_NOT_ASK = "could-not-ask"
    NOT_CHECKED = "not-asked"


EMPTY = "empty"  # the only problem of a text without anything in it
DELETED = "deleted"  # the problem of a record that leads to an agency's page for deleted DOIs
LEADS_NOWHERE = (DELETED, *NOWHERE)
"""The problems of a record whose address opens no document. The first that a row has counts."""
WATCHED_FAULTS = (*LEADS_NOWHERE, OTHER_WORK)
"""The problems of a registered DOI that a watch tells: its link opens no document, or it is of another work."""
GOOD = frozenset({Outcome.RESOLVED, Outcome.REGISTERED})
BAD = tuple(outcome for outcome in Outcome if outcome not in GOOD | COULD_NOT_ASK)

UNTIDY = frozenset(
    {
        # Another address is preferred, lasts longer, or is the one that is meant.
        "old-resolver",
        "damaged-resolver",
        "wrapped",
        "publisher-url",
        "from-link",
        "broken-link",
        "alias",
        # The cell holds more than the DOI.
        "surrounding-text",
        "proxy-parameter",
        "tracking-parameter",
        "repeated-prefix",
        # Programs decode the text differently, or change it. We read it, and the name is registered.
        "double-encoded",
        "percent-in-name",
        "html-entity",
        "unescaped-recommended",
        "unescaped-non-ascii",
        "dot-segment",
        # The name is registered with this end, but many programs drop it: the encoded link is safer.
        "trailing-slash",
    }
)
"""Problems of a DOI that works and is certainly the one that is meant, but should be written differently."""

BELONGS = frozenset(
    {
        # The registered name itself is like this, so there is nothing to write differently.
        "reserved-suffix",
        "look-alike",
        "not-normalized",
        "trailing-punctuation",
        # A doi: URI with a plain slash is how nearly everybody writes it.
        "unescaped-slash",
        # It is of the record, and each address may be right.
        "several-homes",
        # The DOI works. A person compares the titles (the task `compare`).
        "compare-work",
        "found-by-title",
        "found-by-identifier",
        # Only of texts without a name, or of names that aren't registered.
        "empty",
        "short-doi",
        "check-digit",
        "test-prefix",
        "unproven-suggestion",
        "link-suggests",
        "wrong-character",
        # Of the work. Only a retraction needs a decision.
        "concern",
        "corrected-later",
        "reinstated",
    }
)
"""Problems that ask nothing of a DOI that works."""


def is_answered(outcome: str) -> bool:
    """Return whether the proxy answered, or there was no name to check. "" means not checked yet."""
    return outcome != "" and outcome not in COULD_NOT_ASK


def needs_review(outcome: str, problems: Collection[str], address: str = "") -> bool:
    """Return whether the DOI is registered but its text or record has an error, or its record leads to another site
    than expected. `problems` are codes; `address` is a class of `Target`, or "" if no address was compared."""
    return outcome in GOOD and (not REVIEWED.isdisjoint(problems) or address in ELSEWHERE)


def could_be_tidier(outcome: str, problems: Collection[str], address: str = "") -> bool:
    """Return whether the DOI works without a doubt, but should be written differently, or leads to another page of the
    expected site: a moved page may still be found there, or it is another work. Arguments as of `needs_review`."""
    if outcome not in GOOD or needs_review(outcome, problems, address):
        return False
    return not UNTIDY.isdisjoint(problems) or address == Target.SAME_HOST


def find_fault_of_record(outcome: str, problems: Collection[str]) -> str:
    """Return which of WATCHED_FAULTS a registered DOI has among its problem codes; "" for none."""
    return next((code for code in WATCHED_FAULTS if code in problems), "") if outcome in GOOD else ""


def is_working(outcome: str, *, nowhere: bool) -> bool:
    """Return whether the DOI itself has an address, or in a quick check is registered, whatever its text looks like. An
    address that leads nowhere doesn't count, such as a page for deleted DOIs."""
    return outcome in GOOD and not nowhere


def find_row_group(outcome: str, problems: Collection[str], address: str = "") -> RowGroup:
    """Return the group of a row with this outcome ("": not checked yet). The other arguments as of `needs_review`."""
    if not is_answered(outcome):
        return RowGroup.COULD_NOT_ASK if outcome else RowGroup.NOT_CHECKED
    if outcome == Outcome.INVALID and EMPTY in problems:
        return RowGroup.EMPTY
    if outcome not in GOOD or needs_review(outcome, problems, address):
        return RowGroup.NEEDS_WORK
    return RowGroup.TIDIER if could_be_tidier(outcome, problems, address) else RowGroup.FINE
