"""Judge a name: combine its reading, its record and the answer of Which RA into a report."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from doi_reading import FailedReading, Message, Problem, Reading, fold
from doi_reading.name import decode_once, find_wrong_check_digit, is_beginning_of
from doi_reading.problems import describe_as_registered, is_cut, make_problem
from doi_reading.repair import is_journal, propose_repairs
from doi_reading.tables.suffix_patterns import BOOK_PART, WHOLE
from doi_reading.tables.test_prefixes import TEST_PREFIXES
from doi_reading.text import PUNCTUATION, WHITE, WHITE_RUN, WIDE_PUNCTUATION
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
from resolver.domain.redirect.record_addresses import count_homes, find_target_addresses
from resolver.domain.report.correction import CUT_SHORT, is_unsure
from resolver.domain.report.destination import Destination, find_destination
from resolver.domain.report.difference import explain_suggestion
from resolver.domain.report.hyperlink import HyperlinkVerdict, weigh_hyperlink
from resolver.domain.report.link_signs import soften_signs, weigh_codes
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, NOT_ASKED, Outcome
from resolver.domain.report.proxy_answers import ProxyAnswers
from resolver.domain.report.report import (
    OtherDoi,
    Report,
    Suggestion,
    TriedCandidate,
    is_deleted_doi_page,
    is_safe_link,
)
from resolver.domain.report.suggestion import examine_doi_of_short_doi, examine_suggestion, find_rival, find_suggestion

WHITE_SPACE = frozenset({"inner-space", "unescaped-space"})
_OF_ODD_NAMES = frozenset({"leftover", "glued-dois", "repeated-prefix", "template"})
"""Problems that a name doesn't have if it is registered like that."""
_OF_THE_END = frozenset({"trailing-punctuation", "trailing-slash"})
_UNFINISHED = tuple("-_/.,:;(=")
_WORDS = re.compile(r"(?:\s{1,9}[^\W\d_]{2,40}+[.,;:)]{0,3}){1,6}\s{0,9}")
_PART_OF_BOOK = re.compile(BOOK_PART)
_FOLLOWING = re.compile(r"[.,;:)\]}'\"”’»]{0,9}(?:\s|[(\[/])\W*\w")
"""White space, a bracket or a slash, and text."""
_TAG = re.compile(r"<[^<>]{0,200}>")
_NUMBER = re.compile(r"[./_-]?\w{0,20}?[0-9]")
_MOST_NAMED, _BRIEF = 3, 100  # other DOIs in a sentence, and characters of each


def judge(reading: Reading, answers: ProxyAnswers, *, quick: bool = False) -> Report:
    """Return the verdict on `reading`. A missing agency doesn't hide the outcome (B2)."""
    if isinstance(reading, FailedReading):
        return Report(Outcome.PROXY_ERROR, failure=OUR_FAULT, problems=reading.problems)
    resolution, agency = answers.resolution, answers.agency
    outcome = _decide_outcome(resolution, agency, quick=quick) if reading.doi else Outcome.INVALID
    missing = outcome is Outcome.NOT_FOUND
    needs_candidates = missing or outcome is Outcome.INVALID
    answer = resolution.answer if resolution else None
    to_try = reading.candidates if needs_candidates else reading.longer_names if answers.exists else ()
    tried = answers.list_tried(to_try)
    candidate = None
    if needs_candidates:
        candidate = find_suggestion(tried, answers.guesses, answers.others, reading.corrections)
        tried += () if candidate else tuple(one for one in answers.guesses if one.exists)
    alias_of = resolution.alias_of if resolution else None
    others, of_link = answers.others, HyperlinkVerdict(candidate)
    if linked := next((other for other in others if other.doi == reading.linked), None):
        of_link = weigh_hyperlink(reading, linked, outcome, alias_of, candidate, tried)
        others = others if of_link.differs else tuple(other for other in others if other is not linked)
    candidate = of_link.suggestion
    found = examine_doi_of_short_doi(reading, resolution, answers.records) or examine_suggestion(
        candidate, answers.records
    )
    of_text = _select_problems_of_text(reading, outcome, tried)
    of_text = explain_suggestion(reading, _report_divided_name(reading, of_text, candidate), candidate)
    of_suggestion = found.problems or find_rival(candidate, tried, others, reading)
    of_text = (*of_link.problems, *(one for one in of_text if one.code != "link-differs"))
    problems = (*of_text, *find_problem_of_others(others), *of_suggestion)
    suggestion = found.suggestion
    unchecked = any(one.exists is None for one in tried)  # each may be a rival
    if suggestion and (unchecked or is_unsure([one.code for one in problems])):
        suggestion = replace(suggestion, doubtful=True)
    needed = answers.prefix_agency if missing else agency if reading.doi else answer
    incomplete = answers.incomplete or isinstance(needed, Failure) or found.failed
    if reading.doi is None:
        return Report(
            outcome,
            suggestion=suggestion,
            candidates=tried,
            others=others,
            problems=problems,
            incomplete=incomplete,
        )
    named = agency if isinstance(agency, WhichRaAnswer) else None
    of_prefix = answers.prefix_agency if isinstance(answers.prefix_agency, WhichRaAnswer) and missing else None
    urls = _find_urls(resolution)
    led = find_destination(str(reading.doi), resolution, answers.records)
    incomplete = incomplete or (not quick and (led.failed or bool(led.unasked)))
    return Report(
        outcome,
        failure=_find_failure(answer, agency) if outcome in COULD_NOT_ASK else None,
        ra=named.ra if named else None,
        ra_status=named.status if named else None,
        prefix_ra=of_prefix.ra if of_prefix else None,
        prefix_status=of_prefix.status if of_prefix else None,
        urls=() if quick else urls,
        record=answer.raw if isinstance(answer, Record) else None,
        alias_of=alias_of,
        suggestion=suggestion,
        candidates=tried,
        others=others,
        problems=problems
        + (
            _find_problems_of_missing(reading, found.suggestion) if missing else _record_problems(resolution, urls, led)
        ),
        incomplete=incomplete and outcome not in COULD_NOT_ASK,
    )


def _select_problems_of_text(
    reading: Reading, outcome: Outcome, tried: tuple[TriedCandidate, ...]
) -> tuple[Problem, ...]:
    """Return the problems of the text, with `inner-space` if the text may cut a registered name: other text follows the
    name of a journal, or another possible DOI begins with the name."""
    if outcome not in EXISTS:
        return _leave_out_removed_dots(reading.problems)
    text, name = reading.input, str(reading.doi)
    found = _select_problems_of_registered(reading.problems, text, name)
    is_whole = _ends_before_white_space(name, reading, tried)
    if is_whole:
        found = report_space_as_other_text(found, text, name)
    problems = tuple(describe_as_registered(one) for one in found)
    codes = weigh_codes(outcome, [one.code for one in problems], text, name)
    if not is_whole and "surrounding-text" in codes and not is_cut(codes) and _may_go_on(reading):
        return (*problems, describe_as_registered(make_problem("inner-space")))
    return problems


def _leave_out_removed_dots(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Return the problems without the advice to remove the dots that stand for the missing end of a name."""
    cut = {(one.start, one.end) for one in problems if one.code == CUT_SHORT}
    return tuple(one for one in problems if not (one.code == "trailing-punctuation" and (one.start, one.end) in cut))


def _select_problems_of_registered(problems: tuple[Problem, ...], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems of a text whose name is registered, without those of odd characters that belong to the name.

    An escape of the slash belongs to the text, not to the name.
    """
    found = []
    for one in soften_signs(problems, text, name):
        if one.code in _OF_ODD_NAMES | {CUT_SHORT} and _is_inside(one, text, name):
            continue
        if one.code == "leftover" and text[: one.start].endswith(name.partition("/")[0]):
            found.append(make_problem("surrounding-text", one.start, one.end))
        else:
            found.append(one)
    return tuple(found)


def _is_inside(found: Problem, text: str, name: str) -> bool:
    """Return whether the characters at fault are in the name, and not beside it in the text."""
    start = text.find(name)
    if start < 0:  # the text has the name encoded
        return fold(decode_once(text[found.start : found.end]).text) in fold(name)
    return start <= found.start and found.end <= start + len(name)


def _ends_before_white_space(name: str, reading: Reading, tried: tuple[TriedCandidate, ...]) -> bool:
    """Return whether a registered name that text follows is whole.

    The candidates must have been tried, and none may be registered. Besides, the pattern of the registrant must say
    that such a name is whole, or only words or a footnote mark may follow.
    """
    text = reading.input
    asked = bool(tried) and all(one.exists is False for one in tried)
    if not asked or WHOLE.fullmatch(name):
        return asked
    words = name in text and _WORDS.fullmatch(text.rpartition(name)[2])
    ends = bool(words) or reading.following.ends_with(name)
    return ends and not name.endswith(_UNFINISHED) and not is_journal(name)


def report_space_as_other_text(problems: tuple[Problem, ...], text: str, name: str) -> tuple[Problem, ...]:
    """Return the problems. White space after the whole name becomes the start of other text (`surrounding-text`),
    instead of a space inside the name."""
    end = text.find(name) + len(name)
    white = [one for one in problems if one.code in WHITE_SPACE and name in text and one.start >= end]
    if not white:
        return problems
    after = make_problem("surrounding-text", white[0].end, len(text.rstrip()))
    return (*(one for one in problems if one not in white), after)


def _may_go_on(reading: Reading) -> bool:
    name = str(reading.doi)
    beside = {fold(other) for other in reading.others}
    longer = [
        one.doi
        for one in reading.candidates
        if is_beginning_of(name, one.doi)
        and fold(one.doi) not in beside
        and not _is_leftover(name, one.doi)
        and one.doi[len(name)] not in WIDE_PUNCTUATION
    ]
    rests = [each[len(name) :] for each in longer]
    if any(map(_PART_OF_BOOK.fullmatch, rests)):
        return True
    in_cell = reading.input.partition(name)[2].startswith("\t")  # no line of a text is wrapped at a tab
    if not in_cell and any(map(str.isdigit, "".join(rests))):  # and not only a word or a full stop more
        return True
    return is_journal(name) and any(map(_is_followed, reading.input.split(name)[1:]))


def _is_followed(rest: str) -> bool:
    """Return whether the rest of a text may go on with the name before it. Behind markup, such as the link that a
    website made of the beginning of a name, only a number does."""
    without_tags = _TAG.sub("", rest)
    return bool(_FOLLOWING.match(rest) or (without_tags != rest and _NUMBER.match(without_tags)))


def _is_leftover(name: str, longer: str) -> bool:
    """Return whether the longer name is only the name with what a program left behind, such as `</b>`."""
    return any(fold(repaired) == fold(name) for repaired, _ in islice(propose_repairs(longer), 1))


def find_problem_of_others(others: Iterable[OtherDoi]) -> tuple[Problem, ...]:
    """Return the problem of a text in which another DOI isn't registered; () if all are, or couldn't be checked."""
    missing = [other.doi[:_BRIEF] for other in others if other.outcome == Outcome.NOT_FOUND]
    names = ", ".join(missing[:_MOST_NAMED]) + "…" * (len(missing) > _MOST_NAMED)
    return (make_problem("other-not-registered", names=names),) if missing else ()


def _find_problems_of_missing(reading: Reading, suggestion: Suggestion | None) -> tuple[Problem, ...]:
    told = suggestion or any(one.code in ("template", "test-prefix") for one in reading.problems)
    of_tests = () if told else find_test_prefix_problem(str(reading.doi), reading.input)
    return (*find_check_digit_problem(str(reading.doi)), *of_tests)


def find_test_prefix_problem(name: str, text: str) -> tuple[Problem, ...]:
    """Return the problem of a name that isn't registered and has a prefix for examples and tests; () for none."""
    prefix = name.partition("/")[0]
    if prefix not in TEST_PREFIXES:
        return ()
    start = max(text.find(prefix), 0)
    return (make_problem("test-prefix", start, start + len(prefix), used=prefix),)


def find_check_digit_problem(name: str) -> tuple[Problem, ...]:
    """Return the problem of a name that isn't registered and holds a wrong check digit; () for none."""
    wrong = find_wrong_check_digit(name)
    return (make_problem("check-digit", kind=wrong.kind, characters=wrong.identifier),) if wrong else ()


def judge_other(
    doi: str, resolution: Resolution | None, agency: AgencyAnswer | None = None, *, quick: bool = False
) -> OtherDoi:
    """Return the verdict on another DOI of a text. Without a record, Which RA alone decides."""
    if isinstance(agency if resolution is None else resolution.answer, Unasked):
        if not isinstance(agency, WhichRaAnswer) or agency.exists is None:
            return OtherDoi(doi, NOT_ASKED)
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
    for said in (answer, agency):
        if isinstance(said, Failure):
            return said.reason
    return Message("the DOI proxy didn't say whether the DOI is registered")


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


def _report_divided_name(
    reading: Reading, problems: tuple[Problem, ...], suggestion: Suggestion | None
) -> tuple[Problem, ...]:
    """Return the problems of the text, where white space divides the suggestion: the part behind it is no other text,
    and a sign before it doesn't end the name."""
    text = reading.input
    spans = reading.following.find_spans(suggestion.doi) if suggestion else []
    start, end = next(((start, end) for start, end in spans if WHITE_RUN.search(text, start, end)), (0, 0))
    if not end:
        return problems
    kept = []
    for one in problems:
        if one.code == "surrounding-text" and start < one.start < end:
            rest = text[end : one.end].lstrip(WHITE + PUNCTUATION)
            kept += [replace(one, start=one.end - len(rest))] if rest else []
        elif not (one.code in _OF_THE_END and start <= one.start and one.end <= end):
            kept.append(one)
    if not any(one.code in WHITE_SPACE for one in kept):
        white = WHITE_RUN.search(text, start, end)
        kept.append(make_problem("inner-space", *(white.span() if white else (start, end))))
    return tuple(sorted(kept, key=lambda one: one.start))
