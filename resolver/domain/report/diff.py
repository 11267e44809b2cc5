"""What changed between two answers about one name, or one row: worse, better, otherwise, or nobody could say.

Never is "could not ask" taken for an answer: where one of the two has none, nothing is said of a change.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from resolver.domain.report.report import Outcome
from resolver.domain.report.triage import is_answered, works


class Change(StrEnum):
    """What a pair of findings comes to. The first that holds, in this order, is the one (another agency, where the
    outcome is the same); the two before the last are of what stands in one of the lists alone."""

    BROKEN = "newly-broken"
    WORKING = "newly-working"
    ADDRESS = "address-changed"
    AGENCY = "agency-changed"
    OTHERWISE = "otherwise-changed"
    UNANSWERED = "not-answered"
    ONLY_BEFORE = "only-before"
    ONLY_AFTER = "only-after"
    UNCHANGED = "unchanged"


class Health(StrEnum):
    """Whether one may go by the DOI."""

    WORKS = "works"
    BROKEN = "broken"
    UNKNOWN = "unknown"


class Aspect(StrEnum):
    """In what two findings differ."""

    OUTCOME = "outcome"
    ADDRESS = "address"
    AGENCY = "agency"
    ALIAS = "alias"
    SUGGESTION = "suggestion"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one run found; "" stands for nothing (as an outcome: not asked).

    `deleted`: its address is an agency's page for deleted DOIs. `others`: the other DOIs of the text, each with its
    outcome. `incomplete`: the outcome is known, but something beside it, the agency perhaps, could not be asked.
    """

    outcome: str
    urls: tuple[str, ...] = ()
    agency: str = ""
    alias_of: str = ""
    suggestion: str = ""
    others: tuple[tuple[str, str], ...] = ()
    deleted: bool = False
    incomplete: bool = False


_MISSING = frozenset({Outcome.NOT_FOUND, Outcome.INVALID})


def standing(finding: Finding) -> Health:
    """A DOI works when its record leads to an address, or when all that was asked (quick) is that it is registered. It
    is broken when it is not registered, is no DOI name, leads nowhere, or leads to a page for deleted DOIs."""
    if not is_answered(finding.outcome):
        return Health.UNKNOWN
    return Health.WORKS if works(finding.outcome, deleted=finding.deleted) else Health.BROKEN


def differing(before: Finding, after: Finding) -> frozenset[Aspect]:
    """In what they differ, as far as both were asked: a quick check was not asked for a record, nor was a row without
    an answer for anything."""
    if not (is_answered(before.outcome) and is_answered(after.outcome)):
        return frozenset()
    agency = Aspect.AGENCY if _agencies_differ(before, after) else None
    if (before.outcome == Outcome.REGISTERED) != (after.outcome == Outcome.REGISTERED):
        outcome = Aspect.OUTCOME if (before.outcome in _MISSING) != (after.outcome in _MISSING) else None
        return frozenset(filter(None, (outcome, agency)))
    both = not (before.incomplete or after.incomplete)
    told = (
        Aspect.OUTCOME if (before.outcome, before.deleted) != (after.outcome, after.deleted) else None,
        Aspect.ADDRESS if before.urls != after.urls else None,
        agency,
        Aspect.ALIAS if before.alias_of != after.alias_of else None,
        Aspect.SUGGESTION if both and before.suggestion != after.suggestion else None,
        Aspect.OTHERS if _others_differ(before.others, after.others) else None,
    )
    return frozenset(filter(None, told))


def change(before: Finding | None, after: Finding | None) -> Change:
    """What became of it; None stands for a list that does not hold it. At most one is None."""
    if before is None or after is None:
        return Change.ONLY_AFTER if before is None else Change.ONLY_BEFORE
    was, is_now = standing(before), standing(after)
    if Health.UNKNOWN in (was, is_now):
        return Change.UNANSWERED
    found = differing(before, after)
    if was != is_now and Aspect.OUTCOME in found:
        return Change.WORKING if is_now is Health.WORKS else Change.BROKEN
    if Aspect.ADDRESS in found and was is Health.WORKS:
        return Change.ADDRESS
    if Aspect.AGENCY in found and Aspect.OUTCOME not in found:
        return Change.AGENCY
    return Change.OTHERWISE if found else Change.UNCHANGED


def parted(one: str, other: str) -> tuple[str, str, str, str]:
    """Two texts as the beginning that they share, the middle of each, and the end that they share."""
    start = _same(one, other)
    end = _same(reversed(one[start:]), reversed(other[start:]))
    tail = one[len(one) - end :]
    return one[:start], one[start : len(one) - end], other[start : len(other) - end], tail


def _same(one: Iterable[str], other: Iterable[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _agencies_differ(before: Finding, after: Finding) -> bool:
    """An agency that is not named may be one that could not be asked."""
    if before.agency and after.agency:
        return before.agency != after.agency
    return before.agency != after.agency and not (before.incomplete or after.incomplete)


def _others_differ(before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...]) -> bool:
    was = dict(before)
    return any(
        doi in was and was[doi] != outcome and is_answered(was[doi]) and is_answered(outcome) for doi, outcome in after
    )
