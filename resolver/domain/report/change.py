"""The change between two answers about one name or one row: worse, better, different, or unknown.

"Couldn't check" is never an answer: if one of the two findings has no answer, there is no verdict on a change.
"""

from dataclasses import dataclass
from enum import StrEnum

from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import is_answered, is_working
from resolver.domain.work.evidence import COULD_NOT_ASK


class Change(StrEnum):
    """The kinds of change. The first that applies counts (a changed agency only with the same outcome). ONLY_BEFORE and
    ONLY_AFTER are for names in only one of the lists."""

    BROKEN = "newly-broken"
    WORKING = "newly-working"
    ADDRESS = "address-changed"
    AGENCY = "agency-changed"
    OTHERWISE = "otherwise-changed"
    UNANSWERED = "not-answered"
    ONLY_BEFORE = "only-before"
    ONLY_AFTER = "only-after"
    UNCHANGED = "unchanged"


class Aspect(StrEnum):
    """An aspect in which two findings differ."""

    OUTCOME = "outcome"
    ADDRESS = "address"
    TARGET = "target"
    AGENCY = "agency"
    ALIAS = "alias"
    SUGGESTION = "suggestion"
    OTHERS = "others"
    WORK = "work"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one run. "" means nothing (as an outcome: not checked).

    `nowhere`: the address leads nowhere, such as to an agency's page for deleted DOIs. `others`: the other DOIs of the
    text, each with its outcome. `incomplete`: the outcome is known, but another part, such as the agency, couldn't be
    checked. `target`: how the address differs from the expected one (`Target`). `work`: the verdict about the work.
    """

    outcome: str
    urls: tuple[str, ...] = ()
    agency: str = ""
    alias_of: str = ""
    suggestion: str = ""
    others: tuple[tuple[str, str], ...] = ()
    nowhere: bool = False
    incomplete: bool = False
    target: str = ""
    work: str = ""


_MISSING = frozenset({Outcome.NOT_FOUND, Outcome.INVALID})


def find_differing_aspects(before: Finding, after: Finding) -> frozenset[Aspect]:
    """Return the aspects in which the findings differ, as far as both were checked. A quick check has no record, and a
    row without an answer has nothing to compare."""
    if not (is_answered(before.outcome) and is_answered(after.outcome)):
        return frozenset()
    if (before.outcome == Outcome.REGISTERED) != (after.outcome == Outcome.REGISTERED):
        differ = {
            Aspect.OUTCOME: (before.outcome in _MISSING) != (after.outcome in _MISSING),
            Aspect.AGENCY: _do_agencies_differ(before, after),
        }
    else:
        complete = not (before.incomplete or after.incomplete)
        differ = {
            Aspect.OUTCOME: (before.outcome, before.nowhere) != (after.outcome, _still_leads_nowhere(before, after)),
            Aspect.ADDRESS: before.urls != after.urls,
            Aspect.TARGET: bool(before.target and after.target) and before.target != after.target,
            Aspect.AGENCY: _do_agencies_differ(before, after),
            Aspect.ALIAS: before.alias_of != after.alias_of,
            Aspect.SUGGESTION: complete and before.suggestion != after.suggestion,
            Aspect.OTHERS: _do_others_differ(before.others, after.others),
            Aspect.WORK: _is_compared(before) and _is_compared(after) and before.work != after.work,
        }
    return frozenset(aspect for aspect, differs in differ.items() if differs)


def find_change(before: Finding | None, after: Finding | None) -> Change:
    """Return the kind of change. None means that a list doesn't hold the name; at most one is None.

    A DOI works if its record has an address, or, in a quick check, if it is registered. It is broken if it is not
    registered, is no DOI name, has no address, or leads nowhere.
    """
    if before is None or after is None:
        return Change.ONLY_AFTER if before is None else Change.ONLY_BEFORE
    if not (is_answered(before.outcome) and is_answered(after.outcome)):
        return Change.UNANSWERED
    worked = is_working(before.outcome, nowhere=before.nowhere)
    works_now = is_working(after.outcome, nowhere=_still_leads_nowhere(before, after))
    found = find_differing_aspects(before, after)
    if worked != works_now and Aspect.OUTCOME in found:
        return Change.WORKING if works_now else Change.BROKEN
    if Aspect.ADDRESS in found and worked:
        return Change.ADDRESS
    if Aspect.AGENCY in found and Aspect.OUTCOME not in found:
        return Change.AGENCY
    return Change.OTHERWISE if found else Change.UNCHANGED


def _is_compared(finding: Finding) -> bool:
    return finding.work not in ("", COULD_NOT_ASK)


def _still_leads_nowhere(before: Finding, after: Finding) -> bool:
    """Return whether the later address leads nowhere. If the DOI to which it leads couldn't be checked, it does as
    before."""
    return after.nowhere or (before.nowhere and after.incomplete)


def _do_agencies_differ(before: Finding, after: Finding) -> bool:
    """Return whether the agencies differ. A missing agency may be one that couldn't be checked."""
    if before.agency and after.agency:
        return before.agency != after.agency
    return before.agency != after.agency and not (before.incomplete or after.incomplete)


def _do_others_differ(before: tuple[tuple[str, str], ...], after: tuple[tuple[str, str], ...]) -> bool:
    was = dict(before)
    return any(
        doi in was and was[doi] != outcome and is_answered(was[doi]) and is_answered(outcome) for doi, outcome in after
    )
