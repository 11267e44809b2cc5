"""The verdicts on texts, from the answers about their names and about other names that they may mean."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from doi_reading import Candidate, Reading, fold
from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.redirect.destination import find_unasked
from resolver.domain.report.judge import ProxyAnswers, judge, judge_other
from resolver.domain.report.outcome import COULD_NOT_ASK, NOT_CHECKED
from resolver.domain.report.report import OtherDoi, Report, TriedCandidate
from resolver.services.proxy_answers.dated_answer import DatedAnswer
from resolver.services.proxy_answers.name_answers import NameAnswers, get_name_to_ask


@dataclass(frozen=True, slots=True)
class CheckedText:
    """What a text means, the report on it, and the answer that decided about its name."""

    reading: Reading
    report: Report
    source: DatedAnswer[Any]


@dataclass
class ReadingJudge:
    """Judges readings by the answers that are known, and says which further names would change the verdict."""

    answers: NameAnswers
    guesses: dict[str, tuple[Candidate, ...]] = field(default_factory=dict)  # further, doubtful candidates by text

    def check(self, reading: Reading, *, quick: bool = False) -> CheckedText:
        """Return the text with the verdict and its source."""
        return CheckedText(reading, self.report(reading, quick=quick), self.answers.source(reading, quick=quick))

    def report(self, reading: Reading, *, quick: bool = False) -> Report:
        """Return the verdict on one input from everything known."""
        known = self.answers
        name = get_name_to_ask(reading)
        others = tuple(
            judge_other(other, known.find_resolution(other, quick=quick), known.agency(other), quick=quick)
            for other in reading.others
        )
        candidates, guesses = self.list_candidates_to_try(reading), self.guesses.get(reading.input, ())
        answers = ProxyAnswers(
            known.find_resolution(name, quick=quick) if name else None,
            known.agency(name) if name else None,
            prefix_agency=known.agency(reading.doi.prefix) if reading.doi else None,
            exists={fold(one.doi): known.exists(one.doi) for one in candidates},
            records={} if quick else known.view_resolutions(),
            guesses=tuple(
                TriedCandidate(each.doi, each.reason, known.exists(each.doi), each.doubtful) for each in guesses
            ),
            others=others,
            others_incomplete=any(map(self._is_incomplete, others)),
        )
        return judge(reading, answers, quick=quick)

    def list_candidates_to_try(self, reading: Reading) -> tuple[Candidate, ...]:
        """Return the candidates of a name that doesn't exist, or the longer names of a cut text after one that does."""
        if self.answers.is_missing(reading):
            return reading.candidates
        longer = reading.longer_names
        return longer if longer and self.answers.exists(str(reading.doi)) else ()

    def list_further_names(self, reading: Reading) -> tuple[list[str], list[str]]:
        """Return the candidates to be tried, and the prefix of a name that doesn't exist, for Which RA."""
        candidates = [candidate.doi for candidate in self.list_candidates_to_try(reading)]
        prefixes = [reading.doi.prefix] if reading.doi and self.answers.is_missing(reading) else []
        return candidates, prefixes

    def list_without_candidate(self, readings: Iterable[Reading]) -> list[Reading]:
        """Return the readings whose name doesn't exist, and none of whose candidates exists or may exist."""
        exists = self.answers.exists
        missing = (reading for reading in readings if self.answers.is_missing(reading))
        return [one for one in missing if all(exists(candidate.doi) is False for candidate in one.candidates)]

    def find_suggested(self, reading: Reading) -> str:
        """Return the candidate that is suggested, not the main DOI behind it; "" for none."""
        found = self.report(reading).suggestion
        return (found.alias or found.doi) if found else ""

    def find_missing_destination(self, reading: Reading) -> str:
        """Return the name to which the record leads if its own record is missing; "" otherwise."""
        name = self.find_suggested(reading) if self.answers.is_missing(reading) else get_name_to_ask(reading)
        records = self.answers.view_resolutions()
        if not name or fold(name) not in records:
            return ""
        return find_unasked(name, records[fold(name)], records)

    def _is_incomplete(self, other: OtherDoi) -> bool:
        """Return whether the existence or the agency of this DOI is unknown."""
        unasked = isinstance(self.answers.agency(other.doi), ProxyError | Unreachable)
        return other.outcome in {*COULD_NOT_ASK, NOT_CHECKED} or (unasked and self.answers.exists(other.doi) is True)
