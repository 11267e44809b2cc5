"""The registered DOIs that a text may mean, as candidates of the reconciliation service."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from doi_reading import Reading, Severity, fold
from resolver.domain.report.correction import MAY_BE_ANOTHER_NAME, UNPROVEN, is_main_doi
from resolver.domain.report.link_signs import weigh_codes
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.report import Report

DOI_TYPE = {"id": "doi", "name": "DOI name"}
"""The only type of this service."""
AS_GIVEN, SUGGESTED, ALSO_REGISTERED, BESIDE, UNPROVEN_SCORE, DOUBTFUL = 100, 90, 80, 60, 20, 10
"""Scores: the name that the text is read as; the suggestion and the main DOI of an alias; the other candidates, one
less for each; other DOIs in the text; a suggestion that may not lead to the work; a guess that only a person may
accept."""
MOST_OTHERS = 20  # scored above the next: DOIs beside the first


@dataclass(frozen=True, slots=True)
class ReconcileCandidate:
    """A registered DOI. `match`: it can be taken without a person's look."""

    doi: str
    score: int
    description: str = ""
    match: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the candidate as the specification has it (0.2, section 4.2). The name is the DOI too: clients write
        it into the catalogue."""
        told = {"description": self.description} if self.description else {}
        return {
            "id": self.doi,
            "name": self.doi,
            **told,
            "score": self.score,
            "match": self.match,
            "type": [DOI_TYPE],
        }


def list_candidates(reading: Reading, report: Report) -> list[ReconcileCandidate]:
    """Return the registered DOIs that the text may mean, each once, the best first."""
    distinct: dict[str, ReconcileCandidate] = {}
    for candidate in _find_candidates(reading, report):
        distinct.setdefault(fold(candidate.doi), candidate)
    return sorted(distinct.values(), key=lambda one: -one.score)


def is_unsettled(report: Report) -> bool:
    """Return whether something that decides about the candidates couldn't be checked."""
    if report.outcome in COULD_NOT_ASK or any(tried.exists is None for tried in report.candidates):
        return True
    if any(other.outcome in COULD_NOT_ASK for other in report.others):
        return True
    return report.incomplete and report.outcome not in EXISTS and report.suggestion is None


def is_certain(reading: Reading, report: Report) -> bool:
    """Return whether the text names this registered DOI and nothing else: no problem of severity error, no other DOI
    beside it, and nothing that may belong to the name."""
    if report.outcome not in EXISTS or reading.others:
        return False
    codes = weigh_codes(report.outcome, [one.code for one in report.problems], reading.input, str(reading.doi))
    errors = any(one.severity == Severity.ERROR for one in report.problems)
    return not errors and MAY_BE_ANOTHER_NAME.isdisjoint(codes)


def _find_candidates(reading: Reading, report: Report) -> Iterator[ReconcileCandidate]:
    if reading.doi and report.outcome in EXISTS:
        about = " · ".join(filter(None, [report.ra, *report.urls[:1]]))[:500]
        yield ReconcileCandidate(str(reading.doi), AS_GIVEN, about, is_certain(reading, report))
        if report.alias_of and is_main_doi(report.outcome, report.alias_of):
            yield ReconcileCandidate(report.alias_of, SUGGESTED, f"main DOI of the alias {reading.doi}"[:500])
    suggestion = report.suggestion
    if suggestion is not None:
        unproven = any(one.code == UNPROVEN for one in report.problems)
        score = UNPROVEN_SCORE if unproven else DOUBTFUL if suggestion.doubtful else SUGGESTED
        yield ReconcileCandidate(suggestion.doi, score, str(suggestion.reason))
    reasons = {fold(tried.doi): tried.reason for tried in report.candidates}
    highest = DOUBTFUL if suggestion is not None and suggestion.doubtful else ALSO_REGISTERED
    for place, doi in enumerate(report.also_registered):
        yield ReconcileCandidate(doi, highest - place, str(reasons[fold(doi)]))
    registered = [other.doi for other in report.others if other.outcome in EXISTS]
    for place, doi in enumerate(registered[:MOST_OTHERS]):
        yield ReconcileCandidate(doi, BESIDE - place, "another DOI in the same text")
