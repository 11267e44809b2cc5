"""Judge a name: combine its reading, its record and the answer of Which RA into a report, and what a stored lookup or
row is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from doi_reading import Candidate, FailedReading, Message, Problem, Reading, fold
from doi_reading.problems import make_problem
from resolver.domain.handle.answers import (
    OUR_FAULT,
    AgencyAnswer,
    Answer,
    Failure,
    MissingHandle,
    NoValues,
    ProxyError,
    Resolution,
    Unasked,
    Unreachable,
    WhichRaAnswer,
)
from resolver.domain.handle.record import Record
from resolver.domain.redirect.destination import Destination, find_destination
from resolver.domain.redirect.record_addresses import count_homes, find_target_addresses
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.correction import is_unsure
from resolver.domain.report.hyperlink import HyperlinkVerdict, weigh_hyperlink
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, NOT_CHECKED, Outcome
from resolver.domain.report.report import (
    OtherDoi,
    Report,
    Suggestion,
    TriedCandidate,
    is_deleted_doi_page,
    is_safe_link,
    weigh_codes,
)
from resolver.domain.report.suggestion import examine_doi_of_short_doi, examine_suggestion, find_rival, find_suggestion
from resolver.domain.report.target import find_target
from resolver.domain.report.text_problems import (
    find_check_digit_problem,
    find_problem_of_others,
    find_problems_of_text,
    find_test_prefix_problem,
)
from resolver.domain.report.triage import could_be_tidier, needs_review


@dataclass(frozen=True, slots=True)
class ProxyAnswers:
    """What the DOI proxy answered about one reading, as far as it was requested.

    `resolution` and `agency`: about its name; for a short DOI `resolution` is that of its handle.
    `prefix_agency`: about its prefix.
    `exists`: whether the proxy knows the candidates, by folded name: all of a name that doesn't exist, and those with
    which a cut text continues after a name that does.
    `records`: those of candidates, and of the names to which addresses lead, by folded name. A suggestion without one
    is not judged.
    `guesses`: the doubtful candidates.
    `others`: the other DOIs of the text. `others_incomplete`: a part of them couldn't be checked.
    """

    resolution: Resolution | None = None
    agency: AgencyAnswer | None = None
    prefix_agency: AgencyAnswer | None = None
    exists: Mapping[str, bool | None] = field(default_factory=dict)
    records: Mapping[str, Resolution] = field(default_factory=dict)
    guesses: tuple[TriedCandidate, ...] = ()
    others: tuple[OtherDoi, ...] = ()
    others_incomplete: bool = False

    @property
    def incomplete(self) -> bool:
        """Return whether a candidate, a guess or another DOI couldn't be checked."""
        unknown = None in self.exists.values() or any(guess.exists is None for guess in self.guesses)
        return unknown or self.others_incomplete

    def list_tried(self, candidates: Iterable[Candidate]) -> tuple[TriedCandidate, ...]:
        """Return the candidates, each with whether it exists."""
        exists = self.exists.get
        return tuple(TriedCandidate(one.doi, one.reason, exists(fold(one.doi)), one.doubtful) for one in candidates)


_NO_AGENCY = WhichRaAnswer("")


def judge(reading: Reading, answers: ProxyAnswers, *, quick: bool = False) -> Report:
    """Return the verdict on `reading`. A missing agency doesn't hide the outcome (B2)."""
    if isinstance(reading, FailedReading):
        return Report(Outcome.PROXY_ERROR, failure=OUR_FAULT, problems=reading.problems)
    resolution = answers.resolution
    outcome = _decide_outcome(resolution, answers.agency, quick=quick) if reading.doi else Outcome.INVALID
    tried, candidate = _find_candidate(reading, outcome, answers)
    by_link, others = _weigh_linked_doi(reading, outcome, answers, candidate, tried)
    candidate = by_link.suggestion
    examined = examine_doi_of_short_doi(reading, resolution, answers.records)
    examined = examined or examine_suggestion(candidate, answers.records)
    problems = (
        *by_link.problems,
        *find_problems_of_text(reading, outcome, tried, candidate),
        *find_problem_of_others(others),
        *(examined.problems or find_rival(candidate, tried, others, reading)),
    )
    report = Report(
        outcome,
        suggestion=_mark_doubtful(examined.suggestion, tried, problems),
        candidates=tried,
        others=others,
        problems=problems,
        incomplete=answers.incomplete or examined.failed,
    )
    if reading.doi is not None:
        return _add_answers(report, reading, answers, quick=quick)
    unknown = resolution is not None and isinstance(resolution.answer, Failure)
    return replace(report, incomplete=report.incomplete or unknown)


def _find_candidate(
    reading: Reading, outcome: Outcome, answers: ProxyAnswers
) -> tuple[tuple[TriedCandidate, ...], Suggestion | None]:
    """Return the candidates that were tried, and the one to suggest. A registered name needs none."""
    if outcome not in (Outcome.NOT_FOUND, Outcome.INVALID):
        return answers.list_tried(reading.longer_names if answers.exists else ()), None
    tried = answers.list_tried(reading.candidates)
    candidate = find_suggestion(tried, answers.guesses, answers.others, reading.corrections)
    if candidate is None:
        tried += tuple(guess for guess in answers.guesses if guess.exists)
    return tried, candidate


def _weigh_linked_doi(
    reading: Reading,
    outcome: Outcome,
    answers: ProxyAnswers,
    candidate: Suggestion | None,
    tried: tuple[TriedCandidate, ...],
) -> tuple[HyperlinkVerdict, tuple[OtherDoi, ...]]:
    """Return what the cell's hyperlink says, and the other DOIs: that of the hyperlink only if it differs."""
    linked = next((other for other in answers.others if other.doi == reading.linked), None)
    if linked is None:
        return HyperlinkVerdict(candidate), answers.others
    alias_of = answers.resolution.alias_of if answers.resolution else None
    verdict = weigh_hyperlink(reading, linked, outcome, alias_of, candidate, tried)
    if verdict.differs:
        return verdict, answers.others
    return verdict, tuple(other for other in answers.others if other is not linked)


def _mark_doubtful(
    suggestion: Suggestion | None, tried: tuple[TriedCandidate, ...], problems: tuple[Problem, ...]
) -> Suggestion | None:
    unchecked = any(one.exists is None for one in tried)  # each may be a rival
    if suggestion and (unchecked or is_unsure([one.code for one in problems])):
        return replace(suggestion, doubtful=True)
    return suggestion


def _add_answers(report: Report, reading: Reading, answers: ProxyAnswers, *, quick: bool) -> Report:
    resolution, agency, of_prefix = answers.resolution, answers.agency, answers.prefix_agency
    answer = resolution.answer if resolution else None
    urls = _find_urls(resolution)
    led = find_destination(str(reading.doi), resolution, answers.records)
    if report.outcome is Outcome.NOT_FOUND:
        found, needed = _find_problems_of_missing(reading, report.suggestion), of_prefix
    else:
        found, needed, of_prefix = _record_problems(resolution, urls, led), agency, None
    named = agency if isinstance(agency, WhichRaAnswer) else _NO_AGENCY
    named_by_prefix = of_prefix if isinstance(of_prefix, WhichRaAnswer) else _NO_AGENCY
    unknown_destination = not quick and (led.failed or bool(led.unasked))
    incomplete = report.incomplete or isinstance(needed, Failure) or unknown_destination
    return replace(
        report,
        failure=_find_failure(answer, agency) if report.outcome in COULD_NOT_ASK else None,
        ra=named.ra,
        ra_status=named.status,
        prefix_ra=named_by_prefix.ra,
        prefix_status=named_by_prefix.status,
        urls=() if quick else urls,
        record=answer.raw if isinstance(answer, Record) else None,
        alias_of=resolution.alias_of if resolution else None,
        problems=report.problems + found,
        incomplete=incomplete and report.outcome not in COULD_NOT_ASK,
    )


def _find_problems_of_missing(reading: Reading, suggestion: Suggestion | None) -> tuple[Problem, ...]:
    explained = suggestion or any(one.code in ("template", "test-prefix") for one in reading.problems)
    of_tests = () if explained else find_test_prefix_problem(str(reading.doi), reading.input)
    return (*find_check_digit_problem(str(reading.doi)), *of_tests)


def judge_other(
    doi: str, resolution: Resolution | None, agency: AgencyAnswer | None = None, *, quick: bool = False
) -> OtherDoi:
    """Return the verdict on another DOI of a text. Without a record, Which RA alone decides."""
    if isinstance(agency if resolution is None else resolution.answer, Unasked):
        if not isinstance(agency, WhichRaAnswer) or agency.exists is None:
            return OtherDoi(doi, NOT_CHECKED)
        resolution = None
    quick = quick or resolution is None
    return OtherDoi(
        doi,
        _decide_outcome(resolution, agency, quick=quick),
        agency.ra if isinstance(agency, WhichRaAnswer) else None,
        () if quick else _find_urls(resolution),
    )


def _find_urls(resolution: Resolution | None) -> tuple[str, ...]:
    answer = resolution.answer if resolution else None
    return find_target_addresses(answer) if isinstance(answer, Record) else ()


def _decide_outcome(resolution: Resolution | None, agency: AgencyAnswer | None, *, quick: bool) -> Outcome:
    if resolution is not None:
        return _decide_outcome_of_record(resolution)
    if quick and isinstance(agency, WhichRaAnswer) and agency.exists is not None:
        return Outcome.REGISTERED if agency.exists else Outcome.NOT_FOUND
    return Outcome.PROXY_ERROR if isinstance(agency, WhichRaAnswer | ProxyError) else Outcome.UNREACHABLE


def _find_failure(answer: Answer | None, agency: AgencyAnswer | None) -> Message:
    unsaid = Message("the DOI proxy didn't say whether the DOI is registered")
    return next((said.reason for said in (answer, agency) if isinstance(said, Failure)), unsaid)


def _decide_outcome_of_record(resolution: Resolution) -> Outcome:
    answer = resolution.answer
    if resolution.loop:
        return Outcome.NO_URL
    match answer:
        case Record():
            return Outcome.RESOLVED if any(answer.urls) or answer.has_locations else Outcome.NO_URL
        case MissingHandle() | NoValues() if resolution.alias_of is not None:
            return Outcome.NO_URL  # the name itself exists, but its main name leads nowhere
        case NoValues():
            return Outcome.NO_VALUES
        case MissingHandle():
            return Outcome.NOT_FOUND
        case ProxyError():
            return Outcome.PROXY_ERROR
        case Unreachable():
            return Outcome.UNREACHABLE


def _record_problems(resolution: Resolution | None, urls: tuple[str, ...], led: Destination) -> tuple[Problem, ...]:
    found = []
    if resolution is not None and resolution.loop:
        found.append(make_problem("alias-loop"))
    elif resolution is not None and resolution.alias_of is not None:
        found.append(make_problem("alias", alias_of=resolution.alias_of))
    if any(map(is_deleted_doi_page, urls)):
        found.append(make_problem("deleted"))
    unsafe = next((url for url in urls if not is_safe_link(url)), None)
    if unsafe is not None:
        found.append(make_problem("unsafe-url", url=unsafe[:200]))
    if led.problem:
        found.append(led.problem)
    if resolution is not None and isinstance(resolution.answer, Record):
        homes = count_homes(resolution.answer)
        if homes > 1:
            found.append(make_problem("several-homes", count=str(homes)))
    return tuple(found)


@dataclass
class JudgedText:
    """A text's reading and report, and where the answer comes from.

    `proxy` is the base URL that answered; "" if no request was needed. `answered_at` is when the deciding answer was
    requested; None if there is none. `cached`: it was stored before the check. `expected` is the address to which the
    DOI should lead; None if the list has no column of them. `messages` are the sentences about the result.
    """

    reading: Reading
    report: Report
    proxy: str
    checked_at: datetime
    answered_at: datetime | None = None
    cached: bool = False
    expected: str | None = None
    messages: str = ""

    @property
    def doi(self) -> str:
        """The DOI name that the text means; "" for none."""
        return str(self.reading.doi or "")

    @cached_property
    def problem_codes(self) -> Sequence[str]:
        """The code of each problem, each once."""
        return tuple(dict.fromkeys([problem.code for problem in self.report.problems]))

    @property
    def candidates(self) -> list[TriedCandidate]:
        """The other possible DOIs that were tried and, if the name doesn't exist, all others. Those of a name that
        exists are made when they are shown."""
        offered = () if self.report.outcome in EXISTS else self.reading.candidates
        untried = {one.doi: TriedCandidate(one.doi, one.reason) for one in offered}
        return list({**untried, **{one.doi: one for one in self.report.candidates}}.values())

    @cached_property
    def address(self) -> str:
        """How the record's URL values differ from the expected address; "" if none is expected."""
        return "" if self.expected is None else str(find_target(self.expected, self.report.outcome, self.report.urls))

    @property
    def host(self) -> str:
        """The host of the first URL value, in a list with expected addresses."""
        return "" if self.expected is None else find_host(next(iter(self.report.urls), ""))

    @property
    def needs_review(self) -> bool:
        """Whether the DOI is registered, but the text or the record has an error, or it leads elsewhere."""
        return needs_review(self.report.outcome, self._weighed_codes, self.address)

    @property
    def tidier(self) -> bool:
        """Whether the text works, but should be written differently."""
        return could_be_tidier(self.report.outcome, self._weighed_codes, self.address)

    @cached_property
    def _weighed_codes(self) -> Sequence[str]:
        return weigh_codes(self.report.outcome, self.problem_codes, self.reading.input, self.doi)
