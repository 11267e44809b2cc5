"""Readings and reports as the columns of a stored lookup or row."""

import dataclasses
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from doi_reading import Problem, Reading, fold
from doi_reading.message import join_messages
from doi_reading.problems import is_cut
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.correction import CUT_SHORT, Correction, find_row_correction, find_row_proposal
from resolver.domain.report.link_signs import weigh_codes
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.report import OtherDoi, Report, TriedCandidate
from resolver.domain.report.target import find_target
from resolver.domain.report.triage import GOOD, could_be_tidier, needs_review
from resolver.models import Lookup, Row
from resolver.services.proxy_answers.known_answer import KnownAnswer
from resolver.services.report_messages import build_messages

NO_DECISION: Mapping[str, Any] = {
    "decision": "", "decided_doi": "", "decided_proposal": "", "decided_by": "", "decided_at": None,
}  # fmt: skip
DECISION_COLUMNS = tuple(NO_DECISION)
"""A person's decision in a row, and what a row without one has there."""

# A text may have a thousand others, and `asdict` copies each value of each deeply.
_OF_OTHER = tuple(field.name for field in dataclasses.fields(OtherDoi))


def pad_codes(codes: Iterable[str]) -> str:
    """Return the distinct codes with a space around each, so that a filter finds only whole codes; "" for none."""
    distinct = " ".join(dict.fromkeys(codes))
    return f" {distinct} " if distinct else ""


def build_lookup(
    reading: Reading, report: Report, *, owner: str, proxy: str, now: datetime, source: KnownAnswer[Any], **rest: Any
) -> Lookup:
    """Return a lookup to be saved."""
    doi = str(reading.doi) if reading.doi else ""
    tried = {candidate.doi: candidate for candidate in report.candidates}
    offered = () if report.outcome in EXISTS else reading.candidates  # those of a name that exists are made when shown
    candidates = {one.doi: TriedCandidate(one.doi, one.reason) for one in offered} | tried
    return Lookup(
        owner=owner,
        created_at=now,
        input=reading.input,
        form=str(reading.form),
        search=fold(f"{reading.input}\n{doi}"),
        record=dict(report.record) if report.record is not None else None,
        suggestion=dataclasses.asdict(report.suggestion) if report.suggestion else None,
        problems=[_encode_problem(problem) for problem in report.problems],
        problem_codes=pad_codes(problem.code for problem in report.problems),
        candidates=[{"doi": one.doi, "reason": one.reason, "exists": one.exists} for one in candidates.values()],
        **_build_columns(reading, report, proxy, source),
        **rest,
    )


def fill_row(
    row: Row,
    reading: Reading,
    report: Report,
    *,
    proxy: str,
    sample: bool,
    now: datetime,
    source: KnownAnswer[Any],
    expected: str | None = None,
) -> Row:
    """Write the result into its row, which is not saved yet. `expected` is the text of its expected address; None if
    the list has no column of them."""
    for name, value in _build_columns(reading, report, proxy, source).items():
        setattr(row, name, value)
    row.url = reading.url or ""
    codes = [problem.code for problem in report.problems]
    row.problems = pad_codes(codes)
    told = build_messages(reading, report, sample=sample and has_names_to_ask(reading))
    # A page says in the reader's language why a row couldn't be checked; files have English, which is shorter.
    row.messages = join_messages(" ", *told) if report.failure else " ".join(told)
    row.suggestion = report.suggestion.doi if report.suggestion else ""
    row.doubtful = report.suggestion is not None and report.suggestion.doubtful
    row.key = fold(find_listed_name(row) or row.input)
    row.also_registered = list(report.also_registered)
    row.address = "" if expected is None else str(find_target(expected, report.outcome, report.urls))
    weighed = weigh_codes(report.outcome, codes, reading.input, row.doi)
    row.needs_review = needs_review(report.outcome, weighed, row.address)
    row.tidier = could_be_tidier(report.outcome, weighed, row.address)
    row.host = "" if expected is None else find_host(next(iter(report.urls), ""))
    drop_outdated_decision(row)
    row.correction = find_row_correction(row).correction
    row.checked_at = now
    return row


def find_listed_name(row: Row) -> str:
    """Return the name that the row stands for in its list: the one that it was read as or, where that isn't registered,
    the certain suggestion. "" for none: a part of a name before white space or an ellipsis stands for no work."""
    if row.outcome != Outcome.NOT_FOUND:
        return str(row.doi)
    if row.suggestion and not row.doubtful:
        return str(row.suggestion)
    return "" if is_cut(row.problem_codes) or CUT_SHORT in row.problem_codes else row.doi


def list_row_choices(row: Row) -> list[str]:
    """Return the registered DOIs that a person may choose for the row instead of its proposal, each once: what the text
    names, its other readings, and other DOIs of the cell or of its hyperlink that have an address."""
    named = [row.doi] if row.outcome in EXISTS else []
    others = [str(other["doi"]) for other in row.others if other["outcome"] in GOOD]
    found = {fold(doi): doi for doi in (*named, *row.also_registered, *others)}
    found.pop(fold(find_row_proposal(row)), None)
    return list(found.values())


def drop_outdated_decision(row: Row) -> None:
    """Remove the decision of a row that was checked again, if another DOI is proposed now. A check that failed, even in
    part, is no news, and a proposal of the very DOI that the person chose is no objection."""
    if not row.decision or row.incomplete or row.outcome in COULD_NOT_ASK:
        return
    chosen = row.decided_doi if row.decision != Correction.REJECTED else row.decided_proposal
    if find_row_proposal(row) not in (row.decided_proposal, chosen):
        clear_decision(row)


def clear_decision(row: Row) -> None:
    """Take the person's decision from the row, which is not saved yet."""
    for name, value in NO_DECISION.items():
        setattr(row, name, value)


def _build_columns(reading: Reading, report: Report, proxy: str, source: KnownAnswer[Any]) -> dict[str, Any]:
    """Return the columns that lookups and rows share."""
    return {
        "doi": str(reading.doi) if reading.doi else "",
        "outcome": str(report.outcome),
        "ra": report.ra or "",
        "ra_status": report.ra_status or "",
        "prefix_ra": report.prefix_ra or "",
        "prefix_status": report.prefix_status or "",
        "urls": list(report.urls),
        "alias_of": report.alias_of or "",
        "others": [{name: getattr(other, name) for name in _OF_OTHER} for other in report.others],
        "proxy": proxy if has_names_to_ask(reading) or report.suggestion else "",
        "answered_at": source.asked_at,
        "cached": source.stored,
        "incomplete": report.incomplete,
    }


def has_names_to_ask(reading: Reading) -> bool:
    """Return whether the text has anything to request; else the proxy is no source of the result."""
    return bool(reading.doi or reading.short_doi or reading.candidates or reading.others)


def _encode_problem(problem: Problem) -> dict[str, Any]:
    return {
        "code": problem.code,
        "severity": str(problem.severity),
        "message": problem.message,
        "start": problem.start,
        "end": problem.end,
    }
