"""What goes back into a catalogue: the corrected DOI of a row, and how it came about."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple, Protocol

from resolver.domain.parsing.reading import CUTS
from resolver.domain.problems.catalogue import CATALOGUE, Severity
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome


class Correction(StrEnum):
    """How the corrected DOI of a row came about, or why there is none."""

    UNCHANGED = "unchanged"  # the text names this registered DOI and nothing else
    SUGGESTED = "suggested"  # the DOI as given isn't registered; a candidate was tried and is
    MAIN_DOI = "main-doi"  # the DOI behind an alias
    ACCEPTED = "accepted"  # a person agreed to what we propose
    EDITED = "edited"  # a person entered another DOI
    REJECTED = "rejected"  # a person refused what we propose
    REVIEW = "review"  # a person must look
    NOT_REGISTERED = "not-registered"
    NO_DOI = "no-doi"
    UNCHECKED = "unchecked"  # not checked yet, or the proxy couldn't say


class CorrectedDoi(NamedTuple):
    """A value of `correction` and the DOI for the catalogue; "" where a person must look, or there is none."""

    correction: Correction
    doi: str = ""


class Correctable(Protocol):
    """A row, as far as it decides about its correction. "" means none."""

    @property
    def outcome(self) -> str:
        """The outcome; "" if the row isn't checked."""

    @property
    def doi(self) -> str:
        """The DOI as read."""

    @property
    def problem_codes(self) -> Collection[str]:
        """The codes of the problems."""

    @property
    def suggestion(self) -> str:
        """The suggested DOI."""

    @property
    def doubtful(self) -> bool:
        """Whether only a person may accept the suggestion."""

    @property
    def alias_of(self) -> str:
        """The main DOI."""

    @property
    def decision(self) -> str:
        """One of PERSONAL."""

    @property
    def decided_doi(self) -> str:
        """The DOI of the decision."""


PERSONAL = frozenset({Correction.ACCEPTED, Correction.EDITED, Correction.REJECTED})
"""The decisions of a person."""

_HARMLESS = frozenset({"double-encoded"})  # an error in the link only: the name that was read is the registered one
MAY_BE_ANOTHER_NAME = CUTS | {"leftover", "glued-dois"}
"""Problems, besides errors, with which the text may mean another name than the one that was read, or a longer one."""
UNPROVEN = "unproven-suggestion"  # the problem of a suggestion that may not lead to the work
CUT_SHORT = "cut-short"  # the problem of a name that is shortened in the text
_UNSURE = frozenset({"several-dois", "glued-dois", "link-differs", "other-not-registered", CUT_SHORT, UNPROVEN})
"""Problems with which the suggestion may be another work than the one that was meant."""
_HAS_RECORD = frozenset({Outcome.RESOLVED, Outcome.NO_VALUES})
_NOT_THE_WORK = frozenset({"deleted", "unsafe-url", "several-dois"})
REVIEWED = (frozenset(code for code, entry in CATALOGUE.items() if entry.severity is Severity.ERROR) - _HARMLESS) | (
    MAY_BE_ANOTHER_NAME | _NOT_THE_WORK
)
"""Problems with which a registered DOI may not be the one that was meant, or leads nowhere: a person must look.
Example: a # cut off the end of the name, and the rest is another DOI."""


def find_correction(
    outcome: str,
    doi: str,
    problems: Collection[str],
    *,
    suggestion: str = "",
    doubtful: bool = False,
    alias_of: str = "",
    decision: str = "",
    decided_doi: str = "",
) -> CorrectedDoi:
    """Return what goes back into the catalogue for a row.

    `outcome` is "" for a row that is not checked; `problems` are codes; `doubtful` tells that the suggestion is a guess
    that only a person may accept; `decision` is one of PERSONAL or "". Nothing but what was tried and can't be another
    work has a DOI, unless a person decided.
    """
    if decision:
        return CorrectedDoi(Correction(decision), decided_doi if decision != Correction.REJECTED else "")
    if outcome == "" or outcome in COULD_NOT_ASK:
        return CorrectedDoi(Correction.UNCHECKED)
    if outcome in EXISTS:
        if not REVIEWED.isdisjoint(problems):
            return CorrectedDoi(Correction.REVIEW)
        if alias_of:
            known = is_main_doi(outcome, alias_of)
            return CorrectedDoi(Correction.MAIN_DOI, alias_of) if known else CorrectedDoi(Correction.REVIEW)
        return CorrectedDoi(Correction.UNCHANGED, doi)
    if suggestion:
        if doubtful or not _UNSURE.isdisjoint(problems):
            return CorrectedDoi(Correction.REVIEW)
        return CorrectedDoi(Correction.SUGGESTED, suggestion)
    return CorrectedDoi(Correction.NOT_REGISTERED if outcome == Outcome.NOT_FOUND else Correction.NO_DOI)


def find_row_correction(row: Correctable) -> CorrectedDoi:
    """Return the result of `find_correction` for the columns of a row, be it a stored row or one of an export."""
    return find_correction(
        row.outcome,
        row.doi,
        row.problem_codes,
        suggestion=row.suggestion,
        doubtful=row.doubtful,
        alias_of=row.alias_of,
        decision=row.decision,
        decided_doi=row.decided_doi,
    )


def is_main_doi(outcome: str, alias_of: str) -> bool:
    """Return whether the name behind an alias is a registered DOI: it may be missing, or a handle of another kind."""
    return outcome in _HAS_RECORD and alias_of.startswith("10.") and "/" in alias_of


def find_proposal(doi: str, *, suggestion: str = "", alias_of: str = "", also_registered: Collection[str] = ()) -> str:
    """Return the DOI that a person is asked to accept: the suggestion, else the whole name where the text was cut and
    the whole is registered too, else the main DOI, else the name as read. "" for none."""
    return suggestion or next(iter(also_registered), "") or alias_of or doi
