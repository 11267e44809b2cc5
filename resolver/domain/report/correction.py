"""What goes back into a catalogue: the corrected DOI of a row, and how it came about."""

import re
from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple, Protocol

from doi_reading import CATALOGUE, Severity, encode, fold
from doi_reading.name import RESOLVER
from doi_reading.problems import CUTS, OF_SEARCHES
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.report import weigh_codes
from resolver.domain.work.events import RETRACTED


class Correction(StrEnum):
    """How the corrected DOI of a row came about, or why there is none."""

    UNCHANGED = "unchanged"  # the text is this registered DOI, or its link, correctly encoded, or a link that stays
    CLEANED = "cleaned"  # the text names this registered DOI and no other work, but not plainly
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


class CorrectableRow(Protocol):
    """A row, as far as it decides about its correction. "" means none, or for `outcome` and `correction` that the row
    isn't checked."""

    @property
    def input(self) -> str:
        """The text that was read."""

    @property
    def outcome(self) -> str: ...

    @property
    def doi(self) -> str:
        """The DOI as read."""

    @property
    def problem_codes(self) -> Collection[str]: ...

    @property
    def correction(self) -> str: ...

    @property
    def suggestion(self) -> str:
        """The suggested DOI."""

    @property
    def doubtful(self) -> bool:
        """Whether only a person may accept the suggestion."""

    @property
    def also_registered(self) -> Collection[str]:
        """Its other candidates that are registered."""

    @property
    def alias_of(self) -> str:
        """The main DOI."""

    @property
    def decision(self) -> str:
        """One of PERSONAL."""

    @property
    def decided_doi(self) -> str:
        """The DOI of a person's decision."""


PERSONAL = frozenset({Correction.ACCEPTED, Correction.EDITED, Correction.REJECTED})
"""The decisions of a person."""

_LOOKED_AT = PERSONAL | {Correction.REVIEW}
_HARMLESS = frozenset({"double-encoded"})  # an error in the link only: the name that was read is the registered one
MAY_BE_ANOTHER_NAME = CUTS | {"leftover", "glued-dois"}
"""Problems, besides errors, with which the text may mean another name than the one that was read, or a longer one."""
UNPROVEN = "unproven-suggestion"  # the problem of a suggestion that may not lead to the work
HYPERLINK = "link-suggests"  # the problem of a suggestion that the hyperlink of the cell opens
CUT_SHORT = "cut-short"  # the problem of a name that is shortened in the text
OTHER_WORK = "other-work"  # the problem of a DOI that stands for another work than its row describes
COMPARE_WORK = "compare-work"  # that of one that may do so
FOUND_BY_TITLE, FOUND_BY_IDENTIFIER = "found-by-title", "found-by-identifier"
FOUND = OF_SEARCHES
"""The notes about a DOI that was searched for: only a person may accept it."""
UNSURE = frozenset(
    {"several-dois", "glued-dois", "link-differs", "other-not-registered", CUT_SHORT, UNPROVEN, OTHER_WORK}
)
"""Problems with which the suggestion may be another work than the one that was meant."""
_BLANKS = " \t\r\n\v\f"
_ALSO_PLAIN = re.compile(r"%(?:2[146-9AC]|3[ABD]|40)", re.IGNORECASE)
"""Signs that a link may have encoded or not: ! $ & ' ( ) * , : ; = @."""
_RESOLVERS = frozenset({"", "doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net"})
_OF_LINKS = frozenset({"publisher-url", "wrapped", "damaged-resolver", "surrounding-text", "from-link"})
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
    text: str,
    suggestion: str = "",
    doubtful: bool = False,
    alias_of: str = "",
    decision: str = "",
    decided_doi: str = "",
) -> CorrectedDoi:
    """Return what goes back into the catalogue for a row.

    `outcome` is "" for a row that is not checked; `problems` are codes; `text` is what was read; `doubtful`:
    the suggestion is a guess that only a person may accept; `decision` is one of PERSONAL or "". Nothing but what was
    tried and can't be another work has a DOI, unless a person decided.
    """
    if decision:
        return CorrectedDoi(Correction(decision), decided_doi if decision != Correction.REJECTED else "")
    if outcome == "" or outcome in COULD_NOT_ASK:
        return CorrectedDoi(Correction.UNCHECKED)
    if outcome in EXISTS:
        if not REVIEWED.isdisjoint(weigh_codes(outcome, [*problems], text, doi)):
            return CorrectedDoi(Correction.REVIEW)
        if alias_of:
            known = is_main_doi(outcome, alias_of)
            return CorrectedDoi(Correction.MAIN_DOI, alias_of) if known else CorrectedDoi(Correction.REVIEW)
        plain = "from-link" not in problems and is_plain(text, doi)
        stays = plain or _is_other_link(text, problems)
        return CorrectedDoi(Correction.UNCHANGED if stays else Correction.CLEANED, doi)
    if not FOUND.isdisjoint(problems):
        return CorrectedDoi(Correction.REVIEW)
    if suggestion:
        if doubtful or needs_person(problems):
            return CorrectedDoi(Correction.REVIEW)
        return CorrectedDoi(Correction.SUGGESTED, suggestion)
    return CorrectedDoi(Correction.NOT_REGISTERED if outcome == Outcome.NOT_FOUND else Correction.NO_DOI)


def find_row_correction(row: CorrectableRow) -> CorrectedDoi:
    """Return the result of `find_correction` for the columns of a row."""
    return find_correction(
        row.outcome,
        row.doi,
        row.problem_codes,
        text=row.input,
        suggestion=row.suggestion,
        doubtful=row.doubtful,
        alias_of=row.alias_of,
        decision=row.decision,
        decided_doi=row.decided_doi,
    )


def get_corrected_doi(row: CorrectableRow) -> CorrectedDoi:
    """Return the stored correction of a row with its DOI. A row of an earlier version keeps what it got then."""
    correction = Correction(row.correction or Correction.UNCHECKED)
    match correction:
        case Correction.UNCHANGED | Correction.CLEANED:
            return CorrectedDoi(correction, row.doi)
        case Correction.SUGGESTED:
            return CorrectedDoi(correction, row.suggestion)
        case Correction.MAIN_DOI:
            return CorrectedDoi(correction, row.alias_of)
        case Correction.ACCEPTED | Correction.EDITED:
            return CorrectedDoi(correction, row.decided_doi)
    return CorrectedDoi(correction)


class DecidedRow(Protocol):
    """A row with a person's decision. `decided_proposal`: what was proposed then, or the text of a cell that stays."""

    @property
    def input(self) -> str: ...
    @property
    def doi(self) -> str: ...
    @property
    def correction(self) -> str: ...
    @property
    def decided_doi(self) -> str: ...
    @property
    def decided_proposal(self) -> str: ...


def is_cell_kept(row: DecidedRow) -> bool:
    """Return whether a person said that the cell is right as it is. Its own DOI counts, and the cell isn't changed."""
    own = row.correction == Correction.EDITED and fold(row.decided_doi) == fold(row.doi)
    return own and row.decided_proposal == row.input


def is_plain(text: str, doi: str) -> bool:
    """Return whether the text is the DOI, or its link at doi.org encoded as it must be (E1-E5, E17), in any case and
    with blanks around it."""
    written = fold(text.strip(_BLANKS))
    if written == fold(doi):
        return True
    encoded = written.removeprefix(RESOLVER)
    return encoded != written and _decode_plain(encoded) == fold(_decode_plain(encode(doi, "path")))


def _is_other_link(text: str, problems: Collection[str]) -> bool:
    """Return whether the text is a link to a publisher in a field of a bibliography that may hold one: anywhere else it
    has a problem."""
    written = fold(text.strip(_BLANKS))
    is_link = written.startswith(("http://", "https://")) and _OF_LINKS.isdisjoint(problems)
    return is_link and find_host(written) not in _RESOLVERS


def _decode_plain(path: str) -> str:
    return _ALSO_PLAIN.sub(lambda match: chr(int(match.group()[1:], 16)), path)


def is_unsure(problems: Collection[str]) -> bool:
    """Return whether the suggestion may be another work. A hyperlink that opens it shows a cut end."""
    return not (UNSURE - {CUT_SHORT} if HYPERLINK in problems else UNSURE).isdisjoint(problems)


def needs_person(problems: Collection[str]) -> bool:
    """Return whether only a person may accept a suggestion with these problems: it may be another work, or the work was
    retracted."""
    return RETRACTED in problems or is_unsure(problems)


def is_main_doi(outcome: str, alias_of: str) -> bool:
    """Return whether the name behind an alias is a registered DOI: it may be missing, or a handle of another kind."""
    return outcome in _HAS_RECORD and alias_of.startswith("10.") and "/" in alias_of


def find_proposal(doi: str, *, suggestion: str = "", alias_of: str = "", also_registered: Collection[str] = ()) -> str:
    """Return the DOI that a person may accept: the suggestion, else the whole name where the text was cut and
    the whole is registered too, else the main DOI, else the name as read. "" for none."""
    return suggestion or next(iter(also_registered), "") or alias_of or doi


def find_row_proposal(row: CorrectableRow) -> str:
    """Return the registered DOI that a person may accept for the row; "" for none, for two guesses, and where
    a search found several works."""
    if row.outcome not in EXISTS or not FOUND.isdisjoint(row.problem_codes):
        return row.suggestion
    alias_of = row.alias_of if is_main_doi(row.outcome, row.alias_of) else ""
    return find_proposal(row.doi, suggestion=row.suggestion, alias_of=alias_of, also_registered=row.also_registered)


def find_proposal_for_review(row: CorrectableRow) -> str:
    """Return the proposal of a registered name that a person must look at, or has decided about, if it is another DOI
    than the one that was read; "" otherwise. Programs see it as a doubtful suggestion before they accept it."""
    if row.suggestion or row.correction not in _LOOKED_AT:
        return ""
    checked = find_correction(row.outcome, row.doi, row.problem_codes, text=row.input, alias_of=row.alias_of)
    proposal = find_row_proposal(row) if checked.correction is Correction.REVIEW else ""
    return "" if fold(proposal) == fold(row.doi) else proposal
