"""The registered DOIs that a text may mean, as candidates of the reconciliation service."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from doi_reading import Reading, Severity, fold
from resolver.domain.report.correction import MAY_BE_ANOTHER_NAME, UNPROVEN, is_main_doi
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.report import Report, weigh_codes

DOI_TYPE = {"id": "doi", "name": "DOI name"}
"""The only type of this service."""


class CandidateScore(IntEnum):
    """How likely a candidate is meant."""

    AS_READ = 100  # the name that the text is read as
    SUGGESTED = 90  # the suggestion, or the main DOI of an alias; a found work that is surely the same
    ALSO_REGISTERED = 80  # the other candidates, or found works that are the same; one less for each
    OTHER_DOI = 60  # the other DOIs in the text, or found works with an equal title; one less for each
    UNPROVEN = 20  # a suggestion that may not lead to the work
    DOUBTFUL = 10  # a guess that only a person may accept


@dataclass(frozen=True, slots=True)
class ReconcileCandidate:
    """A registered DOI. `match`: a client may accept it without a person's decision. `title`: that of a found work."""

    doi: str
    score: int
    description: str = ""
    match: bool = False
    title: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the candidate as the specification has it (0.2, section 4.2). The name is the DOI too: clients write
        it into the catalogue. Only a found work has its title as its name: people choose it by that."""
        description = {"description": self.description} if self.description else {}
        return {
            "id": self.doi,
            "name": self.title or self.doi,
            **description,
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
        yield ReconcileCandidate(str(reading.doi), CandidateScore.AS_READ, about, is_certain(reading, report))
        if report.alias_of and is_main_doi(report.outcome, report.alias_of):
            about = f"main DOI of the alias {reading.doi}"[:500]
            yield ReconcileCandidate(report.alias_of, CandidateScore.SUGGESTED, about)
    suggestion = report.suggestion
    if suggestion is not None:
        if any(one.code == UNPROVEN for one in report.problems):
            score = CandidateScore.UNPROVEN
        else:
            score = CandidateScore.DOUBTFUL if suggestion.doubtful else CandidateScore.SUGGESTED
        yield ReconcileCandidate(suggestion.doi, score, str(suggestion.reason))
    reasons = {fold(tried.doi): tried.reason for tried in report.candidates}
    # No other candidate scores above a suggestion that only a person may accept.
    is_doubtful = suggestion is not None and suggestion.doubtful
    highest = CandidateScore.DOUBTFUL if is_doubtful else CandidateScore.ALSO_REGISTERED
    for place, doi in enumerate(report.also_registered):
        yield ReconcileCandidate(doi, highest - place, str(reasons[fold(doi)]))
    registered = [other.doi for other in report.others if other.outcome in EXISTS]
    for place, doi in enumerate(registered[:20]):  # so many, that each scores above an unproven suggestion
        yield ReconcileCandidate(doi, CandidateScore.OTHER_DOI - place, "another DOI in the same text")
