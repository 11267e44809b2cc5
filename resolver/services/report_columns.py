"""Readings and reports as the columns of what is stored."""

import dataclasses
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from resolver.domain.message import Message, join
from resolver.domain.name.doi import fold
from resolver.domain.parsing.parse import Reading
from resolver.domain.problems.problem import Problem
from resolver.domain.report.report import NOT_ASKED, Outcome, Report, Tried
from resolver.domain.report.sentences import UNASKED, UNTRIED, failure_sentence, prefix_sentence
from resolver.domain.report.triage import needs_review
from resolver.models import Lookup, Row
from resolver.services.proxy_answers.cache import Known

MOST_TOLD = 50  # sentences of one kind in `messages`: a cell of a spreadsheet holds 32,767 characters
_NOT_ASKED = Message("not checked")
SAMPLE_DATA = Message("Sample data: answered by the sample proxy, not by doi.org.")


def pad_codes(codes: Iterable[str]) -> str:
    """Distinct codes with a space around each, so that a filter finds whole codes only; "" for none."""
    distinct = " ".join(dict.fromkeys(codes))
    return f" {distinct} " if distinct else ""


def build_lookup(
    reading: Reading, report: Report, *, owner: str, proxy: str, now: datetime, source: Known[Any], **rest: Any
) -> Lookup:
    """A lookup to be saved."""
    doi = str(reading.doi) if reading.doi else ""
    return Lookup(
        owner=owner,
        created_at=now,
        input=reading.input,
        form=str(reading.form),
        doi=doi,
        search=fold(f"{reading.input}\n{doi}"),
        outcome=str(report.outcome),
        ra=report.ra or "",
        ra_status=report.ra_status or "",
        prefix_ra=report.prefix_ra or "",
        prefix_status=report.prefix_status or "",
        urls=list(report.urls),
        record=dict(report.record) if report.record is not None else None,
        alias_of=report.alias_of or "",
        suggestion=dataclasses.asdict(report.suggestion) if report.suggestion else None,
        problems=[_problem(problem) for problem in report.problems],
        problem_codes=pad_codes(problem.code for problem in report.problems),
        candidates=[dataclasses.asdict(tried) for tried in report.candidates or _untried(reading)],
        others=_others(report),
        proxy=proxy if is_asked_for(reading) else "",
        answered_at=source.asked_at,
        cached=source.stored,
        **rest,
    )


def fill_row(
    row: Row, reading: Reading, report: Report, *, proxy: str, sample: bool, now: datetime, source: Known[Any]
) -> Row:
    """The result written into its row, not yet saved."""
    row.doi = str(reading.doi) if reading.doi else ""
    row.key = fold(row.doi or row.input)
    row.url = reading.url or ""
    row.outcome = str(report.outcome)
    row.ra = report.ra or ""
    row.ra_status = report.ra_status or ""
    row.prefix_ra = report.prefix_ra or ""
    row.prefix_status = report.prefix_status or ""
    row.urls = list(report.urls)
    codes = [problem.code for problem in report.problems]
    row.problems = pad_codes(codes)
    row.needs_review = needs_review(report.outcome, codes)
    told = sentences(reading, report, sample=sample and is_asked_for(reading))
    # A page shows the reader why a row could not be asked for; files and programs want English alone, which is shorter.
    row.messages = join(" ", *told) if report.failure else " ".join(told)
    row.suggestion = report.suggestion.doi if report.suggestion else ""
    row.also_registered = list(report.also_registered)
    row.others = _others(report)
    row.alias_of = report.alias_of or ""
    row.incomplete = report.incomplete
    row.checked_at = now
    row.answered_at = source.asked_at
    row.cached = source.stored
    row.proxy = proxy if is_asked_for(reading) else ""
    return row


def is_asked_for(reading: Reading) -> bool:
    """Whether the text gives anybody something to be asked for: what answered nothing is no source of the result."""
    return bool(reading.doi or reading.short_doi or reading.candidates or reading.others)


def sentences(reading: Reading, report: Report, *, sample: bool) -> list[Message]:
    """All that there is to tell in plain sentences, each once; made-up data say so in every row."""
    told = [problem.message for problem in report.problems]
    if report.failure:
        told.append(failure_sentence(report.failure))
    if reading.doi and report.outcome is Outcome.NOT_FOUND:
        suggested = report.suggestion is not None
        prefix, ra, status = reading.doi.prefix, report.prefix_ra, report.prefix_status
        told.append(prefix_sentence(prefix, ra, status, suggested=suggested))
    if report.also_registered:
        told.append(Message("Also registered: {names}.", names=", ".join(report.also_registered)))
    if report.untried:
        told.append(UNTRIED)
    if any(other.outcome == NOT_ASKED for other in report.others):
        told.append(UNASKED)
    return [*dict.fromkeys(told + beside([(other.doi, other.outcome) for other in report.others], sample=sample))]


def beside(others: Sequence[tuple[str, str]], *, sample: bool) -> list[Message]:
    """What became of the other DOIs of the text, and that it is sample data."""
    told = [
        Message("Also here: {name}: {outcome}.", name=doi, outcome=Outcome(outcome).word if outcome else _NOT_ASKED)
        for doi, outcome in others[:MOST_TOLD]
    ]
    if len(others) > MOST_TOLD:
        told.append(Message("Also here: {count} more DOIs.", count=len(others) - MOST_TOLD))
    return [*told, SAMPLE_DATA] if sample else told


def row_messages(row: Row) -> str:
    """The messages of a stored row, and first with which row it agrees: that may change after the row was checked."""
    return with_duplicate_note(row.messages, row.same_as)


def with_duplicate_note(messages: str, same_as: int | None) -> str:
    """The same of the two columns alone."""
    if same_as is None:
        return messages
    return " ".join(filter(None, (f"Row {same_as} of the list has the same DOI name.", messages)))


def _untried(reading: Reading) -> list[Tried]:
    return [Tried(candidate.doi, candidate.reason) for candidate in reading.candidates]


def _others(report: Report) -> list[dict[str, Any]]:
    return [dataclasses.asdict(other) for other in report.others]


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": str(problem.severity),
        "message": problem.message,
        "start": problem.start,
        "end": problem.end,
    }
