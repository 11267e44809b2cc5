"""One row of a list as its pages show it: like a lookup, from what a row stores."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from doi_reading import CATALOGUE, FailedReading, Message, Problem, Reading, fold
from doi_reading.problems import NEUTRAL, describe_as_registered, make_problem
from doi_reading.repair import ListVocabulary
from resolver.domain.redirect.destination import ITSELF, MISSING, find_address_fault, find_resolver_name
from resolver.domain.report.compared_work import quote_title
from resolver.domain.report.hyperlink import describe_evidence
from resolver.domain.report.outcome import EXISTS
from resolver.domain.report.report import OtherDoi, is_safe_link, soften_signs
from resolver.domain.report.searched_work import FOUND_BESIDE, FOUND_REASON
from resolver.domain.report.text_problems import (
    WHITE_SPACE,
    find_check_digit_problem,
    find_problem_of_others,
    find_test_prefix_problem,
    report_space_as_other_text,
)
from resolver.domain.report.triage import is_answered
from resolver.domain.report.work_events import describe_events, list_works
from resolver.domain.work.events import decode_event
from resolver.models import Job, Row
from resolver.models.reports.search_evidence import read_found_works
from resolver.services.jobs.row_readings import inspect_place, inspect_stored_row
from resolver.services.result_files.columns import find_registered
from resolver.services.results.row_order import RowOrder
from resolver.services.results.row_queries import RowFilter
from resolver.sheets.header.column_names import find_title_column
from resolver.sheets.workbook.typed_cell import decode_row_texts
from resolver.web.jobs.expected_address import describe_expected_address
from resolver.web.jobs.row_filters import build_query_string
from resolver.web.lookups.result_context import TRIED_WHEN, build_result_context


def build_row_context(job: Job, row: Row) -> dict[str, Any]:
    """The row of the job in the context of `build_result_context`, with its expected address; no query."""
    reading, audit = read_row(row), describe_expected_address(job, row)
    title = find_title_column(job.header or [])
    of_list = {
        "address": row.address,
        "expected": "".join(audit.expected) if audit else "",
        "found": "".join(audit.found or ()) if audit else "",
        "titled": title is not None
        and not row.searched
        and any(map(str.strip, decode_row_texts(row.cells[title : title + 1]))),
    }
    suggestion = None
    if row.suggestion and row.outcome not in EXISTS:
        suggestion = {"doi": row.suggestion, "reason": _find_reason(row, reading), "doubtful": row.doubtful}
    context = build_result_context(
        row,
        form=str(reading.form),
        problems=describe_problems(row, reading),
        candidates=_list_candidates(row, reading),
        suggestion=suggestion,
        of_list=of_list,
    )
    return {**context, "audit": audit}


def read_row(row: Row) -> Reading:
    """The reading of a stored row. Spans are not stored with rows: a million of them would weigh more than the results,
    and reading is pure. A row that could not be read is not read again: it may have ended its worker."""
    if "not-read" in row.problem_codes:
        return FailedReading.of(row.input)
    return (inspect_place if "unreadable-record" in row.problem_codes else inspect_stored_row)(row.input, row.cells)


def build_query_string_unless_long(wanted: RowFilter, order: RowOrder) -> str:
    """The filters and the order as the query of a row's address; "" for none, or if a text is too long for it."""
    query = build_query_string(wanted, order)
    return query if len(query) <= 300 else ""  # a page has 40 of these links


def describe_problems(row: Row, reading: Reading) -> list[dict[str, Any]]:
    """The problems of the text, and those of the record, of which the row stores the codes."""
    problems = reading.problems
    if "surrounding-text" in row.problem_codes and WHITE_SPACE.isdisjoint(row.problem_codes):
        problems = report_space_as_other_text(problems, reading.input, row.doi)
    if row.outcome in EXISTS:
        problems = tuple(map(describe_as_registered, soften_signs(problems, reading.input, row.doi)))
    found = [each for each in problems if each.code in row.problem_codes or not row.outcome]
    if "check-digit" in row.problem_codes:
        found += find_check_digit_problem(row.doi)
    if "test-prefix" in row.problem_codes and all(each.code != "test-prefix" for each in found):
        found += find_test_prefix_problem(row.doi, row.input)
    found += find_problem_of_others(OtherDoi(other["doi"], other["outcome"]) for other in row.others)
    if "link-suggests" in row.problem_codes:
        found.append(describe_evidence(row.suggestion, sure=not row.doubtful))
    found += _describe_events(row)
    about_text = {each.code for each in found}
    of_addresses = _find_address_details(row.urls)
    found += [
        make_problem(
            code,
            alias_of=row.alias_of,
            suggested=row.suggestion or row.doi,
            linked=reading.linked or NEUTRAL["linked"],
            found=", ".join(work["doi"] for work in read_found_works(row.searched)),
            registered=quote_title(find_registered(row, "title")) or NEUTRAL["registered"],
            **of_addresses.get(code, {}),
        )
        for code in row.problem_codes
        if code in CATALOGUE and code not in about_text
    ]
    return [asdict(each) for each in found]


def _describe_events(row: Row) -> list[Problem]:
    """The problems of the works. An event of no other name is one of the suggestion's alias, which isn't stored."""
    events = [decode_event(event) for event in row.retractions]
    others = [(other["doi"], other["outcome"]) for other in row.others]
    elsewhere = {fold(name) for name, _ in others}
    aliases = [event.doi for event in events if fold(event.doi) not in elsewhere]
    suggestion = [row.suggestion, *aliases] if row.suggestion else []
    works = list_works(row.outcome, row.doi, alias_of=row.alias_of, suggestion=suggestion, others=others)
    return describe_events(works, events, row.problem_codes)


def _find_address_details(urls: Iterable[str]) -> Mapping[str, dict[str, Any]]:
    """The details of the problems of addresses, by the code."""
    found: dict[str, dict[str, Any]] = {}
    for url in urls:
        shown = url[:200]
        if not is_safe_link(url):
            found.setdefault("unsafe-url", {"url": shown})
        if fault := find_address_fault(url):
            found.setdefault(fault.code, {"url": shown, "why": fault.why})
        elif find_resolver_name(url):
            found |= {code: {"url": shown} for code in (ITSELF, MISSING) if code not in found}
    return found


def _list_candidates(row: Row, reading: Reading) -> list[dict[str, Any]]:
    """The other readings. `exists` is None if one wasn't checked, or couldn't be."""
    answered = is_answered(row.outcome) and not row.incomplete
    tried = reading.candidates if row.outcome in TRIED_WHEN else reading.longer_names
    exists = dict.fromkeys([fold(each.doi) for each in tried if answered], False)
    exists |= {fold(name): True for name in (row.suggestion, *row.also_registered) if name}
    named = [{"doi": each.doi, "reason": each.reason} for each in reading.candidates]
    listed = {fold(each["doi"]) for each in named}
    named += [{"doi": name, "reason": ""} for name in row.also_registered if fold(name) not in listed]
    return [{**each, "exists": exists.get(fold(each["doi"]))} for each in named]


def _find_reason(row: Row, reading: Reading) -> str:
    """How the suggestion was found: like all of the reading, it isn't stored. A guess that needs the other DOIs of the
    list has their prefix or journal itself. A name that no rule gives is the main DOI behind one that a rule gave."""
    for work in read_found_works(row.searched):
        if fold(work["doi"]) == fold(row.suggestion):
            return FOUND_BESIDE if work["reason"] else FOUND_REASON
    as_listed = ListVocabulary.of([row.suggestion])
    late = (*reading.propose_late_candidates(), *reading.propose_late_candidates(as_listed))
    known = (*reading.candidates, *late)
    reason = next((each.reason for each in known if fold(each.doi) == fold(row.suggestion)), "")
    return reason or ("" if reading.short_doi else Message("the main DOI behind an alias"))
