"""The sentences about a result, as the history, the results file and the REST API show them."""

from collections.abc import Sequence

from doi_reading import Message, Reading, fold
from doi_reading.problems import OF_SEARCHES, UNASSIGNED, merge_by_code
from resolver.domain.report.outcome import EXISTS, NOT_CHECKED, Outcome
from resolver.domain.report.report import Report
from resolver.domain.report.searched_work import describe_search
from resolver.domain.report.sentences import (
    DOUBTFUL,
    NOT_PART,
    UNASKED,
    UNTRIED,
    WORK_UNASKED,
    build_agency_sentence,
    build_failure_sentence,
    build_prefix_sentence,
)
from resolver.domain.work.evidence import ComparedWork, WorkVerdict
from resolver.models import Lookup

MOST_OTHERS = 50  # sentences about other DOIs in `messages`: a cell of a spreadsheet holds 32,767 characters
SAMPLE_DATA = Message("Sample data: answered by the sample proxy, not by doi.org.")


def build_messages(reading: Reading, report: Report, *, sample: bool) -> list[str]:
    """Return all sentences about the result, one for each kind of problem. Sample data say so in every row."""
    sentences = merge_by_code((problem.code, problem.message) for problem in report.problems)
    if report.failure:
        sentences.append(build_failure_sentence(report.failure))
    if (
        reading.doi
        and report.outcome is Outcome.NOT_FOUND
        and not any(one.code in UNASSIGNED for one in report.problems)
    ):
        suggested = report.suggestion is not None
        prefix, ra, status = reading.doi.prefix, report.prefix_ra, report.prefix_status
        sentences.append(build_prefix_sentence(prefix, ra, status, suggested=suggested))
    unasked = report.work is not None and report.work.comparison is None
    if report.outcome in EXISTS:
        incomplete = report.incomplete and not (unasked and report.ra)
        sentences += filter(None, [build_agency_sentence(report.ra, report.ra_status, incomplete=incomplete)])
    if report.work is not None:
        sentences += _list_work_sentences(report.work)
    if report.searched is not None:
        sentences += filter(None, [describe_search(report.searched)])
    found = any(problem.code in OF_SEARCHES for problem in report.problems)
    if report.suggestion is not None and report.suggestion.doubtful and not found:
        sentences.append(DOUBTFUL)
    named = {fold(work.doi) for work in report.searched.works} if report.searched else set()
    also = [name for name in report.also_registered if fold(name) not in named]
    if also:
        sentences.append(Message("Also registered: {names}.", names=", ".join(also)))
    elif report.suggestion is None and report.outcome in EXISTS and report.candidates and not report.untried:
        sentences.append(NOT_PART)
    if report.untried:
        sentences.append(UNTRIED)
    if any(other.outcome == NOT_CHECKED for other in report.others):
        sentences.append(UNASKED)
    sentences += describe_others([(other.doi, other.outcome) for other in report.others], sample=sample)
    return list(dict.fromkeys(sentences))


def _list_work_sentences(work: ComparedWork) -> list[Message]:
    """Return in what a row and its record differ, or that it is unknown."""
    if work.comparison is None:
        return [WORK_UNASKED]
    differs = work.comparison.verdict in (WorkVerdict.DIFFERENT, WorkVerdict.LOOK)
    return [reason.sentence for reason in work.comparison.reasons] if differs else []


def build_lookup_messages(lookup: Lookup) -> str:
    """Return the sentences of a stored lookup, one for each kind of problem, as in a list's row."""
    sentences = merge_by_code((problem["code"], problem["message"]) for problem in lookup.problems)
    unassigned = not set(UNASSIGNED).isdisjoint(lookup.problem_codes)
    if lookup.doi and lookup.outcome == Outcome.NOT_FOUND and not unassigned:
        prefix, suggested = lookup.doi.partition("/")[0], lookup.suggestion is not None
        sentences.append(build_prefix_sentence(prefix, lookup.prefix_ra, lookup.prefix_status, suggested=suggested))
    if lookup.outcome in EXISTS:
        sentences += filter(None, [build_agency_sentence(lookup.ra, lookup.ra_status, incomplete=lookup.incomplete)])
    if (lookup.suggestion or {}).get("doubtful"):
        sentences.append(DOUBTFUL)
    others = [(other["doi"], other["outcome"]) for other in lookup.others]
    if any(outcome == NOT_CHECKED for _, outcome in others):
        sentences.append(UNASKED)
    sentences += describe_others(others, sample=lookup.sample and bool(lookup.proxy))
    return " ".join(dict.fromkeys(sentences))


def describe_others(others: Sequence[tuple[str, str]], *, sample: bool) -> list[Message]:
    """Return the sentences about the other DOIs of the text, and about sample data."""
    unchecked = Message("not checked")
    sentences = [
        Message("Also here: {name}: {outcome}.", name=doi, outcome=Outcome(outcome).word if outcome else unchecked)
        for doi, outcome in others[:MOST_OTHERS]
    ]
    if len(others) > MOST_OTHERS:
        sentences.append(Message("Also here: {count} more DOIs.", count=len(others) - MOST_OTHERS))
    return [*sentences, SAMPLE_DATA] if sample else sentences
