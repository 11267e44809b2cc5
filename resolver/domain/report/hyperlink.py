"""What the hyperlink of a cell says about the DOI in its text: the hyperlink is evidence, and no second opinion."""

from dataclasses import replace
from typing import NamedTuple

from doi_reading import OF_HYPERLINK, Message, Problem, Reading, fold
from doi_reading.name import is_beginning_of
from doi_reading.problems import make_problem
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, NOT_CHECKED, Outcome
from resolver.domain.report.report import OtherDoi, Suggestion, TriedCandidate
from resolver.domain.report.suggestion import find_difference

_DOTS = ".\u2026"


class HyperlinkVerdict(NamedTuple):
    """The suggestion with what the hyperlink says, the problem of both, and whether its DOI is another one."""

    suggestion: Suggestion | None
    problems: tuple[Problem, ...] = ()
    differs: bool = False


def weigh_hyperlink(
    reading: Reading,
    linked: OtherDoi,
    outcome: Outcome,
    alias_of: str | None,
    suggestion: Suggestion | None,
    tried: tuple[TriedCandidate, ...],
) -> HyperlinkVerdict:
    """Return what the DOI that the hyperlink opens, `linked`, says about a text with this outcome and suggestion.

    Two registered names that differ are a conflict, and so is one that couldn't be checked. If only that of the
    hyperlink is registered, it is the suggestion: for certain if a rule gives it too or it differs in a few characters.
    One that isn't registered says nothing about the text.
    """
    conflict = HyperlinkVerdict(suggestion, (make_problem("link-differs", linked=linked.doi),), differs=True)
    if linked.outcome == Outcome.NOT_FOUND:
        return HyperlinkVerdict(suggestion, (make_problem("broken-link", linked=linked.doi),))
    if linked.outcome in {*COULD_NOT_ASK, NOT_CHECKED} or outcome in COULD_NOT_ASK:
        return conflict
    if outcome in EXISTS:
        return HyperlinkVerdict(suggestion) if alias_of and fold(alias_of) == fold(linked.doi) else conflict
    given = (one for one in tried if one.reason != OF_HYPERLINK and not one.doubtful)
    own = next((one for one in given if fold(one.doi) == fold(linked.doi)), None)
    if own is None and suggestion is not None and not suggestion.doubtful:
        return conflict
    sure = own is not None or (reading.doi is not None and _is_near(str(reading.doi), linked.doi))
    found = Suggestion(linked.doi, own.reason if own else OF_HYPERLINK, doubtful=not sure)
    return HyperlinkVerdict(found, (describe_evidence(linked.doi, sure=sure),))


def describe_evidence(suggested: str, *, sure: bool) -> Problem:
    """Return what is said of a suggestion that the hyperlink opens: that it is confirmed, or only where it is from."""
    found = make_problem("link-suggests", suggested=suggested)
    said = Message("The suggested DOI {suggested} is confirmed by the cell's hyperlink.", suggested=suggested)
    return replace(found, message=said) if sure else found


def _is_near(name: str, other: str) -> bool:
    """Return whether the names differ in up to 2 characters in one place, as by a typing error, or one begins with the
    whole other."""
    if is_beginning_of(name.rstrip(_DOTS), other):
        return True
    first, last = find_difference(name, other)
    return max(last - first, len(other) - len(name) + last - first) <= 2
