"""The page of one row of a list: like that of a lookup, from what a row stores."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from doi_reading import CATALOGUE, FailedReading, Message, Reading, fold
from doi_reading.problems import NEUTRAL, describe_as_registered, make_problem
from doi_reading.repair import ListVocabulary
from resolver.domain.redirect.destination import ITSELF, MISSING, find_address_fault, find_resolver_name
from resolver.domain.report.correction import Correction, find_row_proposal
from resolver.domain.report.hyperlink import describe_evidence
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.report import OtherDoi, is_safe_link, soften_signs
from resolver.domain.report.text_problems import (
    WHITE_SPACE,
    find_check_digit_problem,
    find_problem_of_others,
    find_test_prefix_problem,
    report_space_as_other_text,
)
from resolver.domain.report.triage import RowGroup, is_answered
from resolver.models import LAST_LINE, Job, Row
from resolver.services.jobs.row_readings import inspect_place, inspect_stored_row
from resolver.services.results.facets import count_groups
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_order import FILE_ORDER, RowOrder
from resolver.services.results.row_queries import ALL, DECIDED, RowFilter, find_neighbours
from resolver.services.storage.clock import read_clock
from resolver.sheets.header.column_names import find_title_column
from resolver.sheets.workbook.typed_cell import decode_row_texts
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.expected_address import describe_expected_address
from resolver.web.jobs.row_filters import RowFilterForm, build_query_string
from resolver.web.lookups.name_links import to_lookup_text
from resolver.web.lookups.next_steps import NextStep
from resolver.web.lookups.result_context import TRIED_WHEN, build_result_context
from resolver.web.lookups.usable_doi import add_stored_answers
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.text_filters import reveal

_UNSETTLED = (Correction.SUGGESTED, Correction.REVIEW, Correction.NOT_REGISTERED, Correction.NO_DOI)
"""Corrections of a row for which a person may know the DOI."""


@require_safe
def show_row(request: HttpRequest, pk: UUID, line: int) -> HttpResponse:
    """Everything known about one row."""
    job = get_visible_job_or_404(request, pk)
    row = get_object_or_404(Row, job=job, line=min(line, LAST_LINE))
    number_rows(job, [row])
    context = build_row_context(job, row)
    if row.outcome in COULD_NOT_ASK and is_mine(request, job):
        sentence = _("Or retry all rows of the list that couldn’t be checked.")
        step = NextStep("list", sentence, href=reverse("job", args=[job.pk]), words=_("Go to the list"))
        context["steps"].insert(1, step)
    cells, more_cells = _list_cells(job, row)
    context |= {
        "job": job,
        "row": row,
        "use": add_stored_answers(context["use"], proxy=row.proxy, now=read_clock()),
        "cells": cells,
        "more_cells": more_cells,
        "again": {"action": reverse("lookups"), "text": to_lookup_text(row.doi) if row.doi else row.input},
        **_build_links(row, job, request.GET),
        "entry": _build_entry(row, request.GET) if is_mine(request, job) and job.ended else None,
    }
    return render(request, "jobs/row.html", context)


def build_row_context(job: Job, row: Row) -> dict[str, Any]:
    """The row of the job in the context of `build_result_context`, with its expected address; no query."""
    reading, audit = read_row(row), describe_expected_address(job, row)
    title = find_title_column(job.header or [])
    of_list = {
        "address": row.address,
        "expected": "".join(audit.expected) if audit else "",
        "found": "".join(audit.found or ()) if audit else "",
        "titled": title is not None and any(map(str.strip, decode_row_texts(row.cells[title : title + 1]))),
    }
    suggestion = None
    if row.suggestion:
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


def _build_entry(row: Row, data: QueryDict) -> dict[str, str] | None:
    """What the form sends with the DOI that a person found: where to go on, the review page that says why a DOI can't
    be used, and what this page showed of the row. None if the row needs no other DOI."""
    if not row.decision and row.correction not in _UNSETTLED and row.outcome not in (Outcome.NO_URL, Outcome.NO_VALUES):
        return None
    form = RowFilterForm(data)
    decided = f"correction={DECIDED}&" if row.decision else ""
    return {
        "query": build_query_string_unless_long(form.build_row_filter(), form.build_row_order()),
        "review": f"{decided}after={row.line - 1}",
        "seen": row.decided_at.isoformat() if row.decided_at else "",
        "proposal": find_row_proposal(row),
    }


def _build_links(row: Row, job: Job, data: QueryDict) -> dict[str, str]:
    """The addresses of the list and of the neighbours among the rows that match the address's filters; "" for none.
    Two queries."""
    form = RowFilterForm(data)
    wanted, order = form.build_row_filter(), form.build_row_order()
    before, after = find_neighbours(job, wanted, row.line, order)
    query = build_query_string_unless_long(wanted, order)

    def address(line: int | None) -> str:
        return reverse("job-row", args=[job.pk, line]) + query if line else ""

    edge: int | None = row.line + 1 if order.down else row.line - 1  # so that this row is the first of the page
    if order.sort != FILE_ORDER.sort:
        edge = before
    last = f"{f'{query}&' if query else '?'}after={edge}" if edge is not None else query
    back = reverse("job-rows", args=[job.pk]) + last
    return {
        "back": back,
        "back_label": _build_back_label(job, wanted),
        "before": address(before),
        "after": address(after),
    }


def _build_back_label(job: Job, wanted: RowFilter) -> str:
    if wanted == ALL:
        return _("Back to the rows")
    if wanted == RowFilter(group=RowGroup.NEEDS_WORK):
        rows = count_groups(job)[RowGroup.NEEDS_WORK]
        sentence = ngettext(
            "Back to the row that needs attention", "Back to the %(rows)s rows that need attention", rows
        )
        return sentence % {"rows": intcomma(rows)}
    return _("Back to the filtered rows")


def _list_cells(job: Job, row: Row, most_bytes: int = 25_000) -> tuple[list[tuple[SafeString, SafeString]], int]:
    """The names and cells of the columns that take at most so many bytes of the page, and the number of the others."""
    columns = list(zip(job.header or [], decode_row_texts(row.cells), strict=False))
    weight, shown = 0, []
    for name, cell in columns:
        texts = reveal(column_label(name), 200), reveal(cell, 2000)
        weight += sum(len(text.encode("utf-8", "replace")) for text in texts) + 80  # of markup
        if weight > most_bytes:
            break
        shown.append(texts)
    return shown, len(columns) - len(shown)


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
    about_text = {each.code for each in found}
    of_addresses = _find_address_details(row.urls)
    found += [
        make_problem(
            code,
            alias_of=row.alias_of,
            suggested=row.suggestion or row.doi,
            linked=reading.linked or NEUTRAL["linked"],
            **of_addresses.get(code, {}),
        )
        for code in row.problem_codes
        if code in CATALOGUE and code not in about_text
    ]
    return [asdict(each) for each in found]


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
    as_listed = ListVocabulary.of([row.suggestion])
    late = (*reading.propose_late_candidates(), *reading.propose_late_candidates(as_listed))
    known = (*reading.candidates, *late)
    reason = next((each.reason for each in known if fold(each.doi) == fold(row.suggestion)), "")
    return reason or ("" if reading.short_doi else Message("the main DOI behind an alias"))
