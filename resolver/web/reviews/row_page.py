"""The page of one row of a list, where its owner may decide about it."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.domain.report.correction import COMPARE_WORK, Correction, is_cell_kept
from resolver.domain.report.outcome import COULD_NOT_ASK, Outcome
from resolver.models import LAST_LINE, Job, Row
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_order import FILE_ORDER
from resolver.services.results.row_queries import ALL, find_neighbours
from resolver.services.storage.clock import read_clock
from resolver.sheets.workbook.typed_cell import decode_row_texts
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.row import build_query_string_unless_long, build_row_context
from resolver.web.jobs.row_filters import RowFilterForm
from resolver.web.lookups.headlines import ResultHeadline
from resolver.web.lookups.name_links import to_lookup_text
from resolver.web.lookups.next_steps import NextStep
from resolver.web.lookups.usable_doi import add_stored_answers
from resolver.web.reviews.address import ReviewAddress
from resolver.web.reviews.cards import build_cards
from resolver.web.wording.label_filters import column_label
from resolver.web.wording.text_filters import plain_text, reveal
from resolver.web.wording.works import describe_stored_search, show_stored

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
        "search_sentence": describe_stored_search(row),
        "comparison": show_stored(row.work, row.work_evidence, row.input),
        "use": add_stored_answers(context["use"], proxy=row.proxy, now=read_clock()),
        "cells": cells,
        "more_cells": more_cells,
        "again": {"action": reverse("lookups"), "text": to_lookup_text(row.doi) if row.doi else row.input},
        **_build_links(row, job, request.GET),
    }
    if row.decision:
        context["headline"] = _build_decided_headline(row, context["headline"])
    if is_mine(request, job) and job.ended and _may_be_decided(row):
        context |= _build_decision(job, row, request.GET)
    return render(request, "jobs/row.html", context)


def _build_decided_headline(row: Row, checked: ResultHeadline) -> ResultHeadline:
    """The decision, and below it what the check said."""
    if row.decision == Correction.REJECTED:
        text, tone = _("Goes back to the source"), "warn"
    elif is_cell_kept(row):
        text, tone = _("Kept as it is"), "good"
    else:
        text, tone = _("Decided: %(doi)s") % {"doi": plain_text(row.decided_doi, 100)}, "good"
    return ResultHeadline(row.decision, text, _("The check said: “%(headline)s”") % {"headline": checked.text}, tone)


def _may_be_decided(row: Row) -> bool:
    without_address = row.outcome in (Outcome.NO_URL, Outcome.NO_VALUES)
    return bool(row.decision or row.correction in _UNSETTLED or without_address or COMPARE_WORK in row.problem_codes)


def _build_decision(job: Job, row: Row, data: QueryDict) -> dict[str, Any]:
    """The DOIs to choose as the review shows them, where it says why one can't be used, and where to go on."""
    form = RowFilterForm(data)
    [card] = build_cards(job, [row], (), proxy=row.proxy, now=read_clock(), refused={})
    return {
        "mine": True,
        "card": card,
        "query": ReviewAddress().go_to_group_of(row).build_query(),
        "row_query": build_query_string_unless_long(form.build_row_filter(), form.build_row_order()),
        "copy_style": "second",  # the buttons that decide come first
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
        "back_label": _("Back to the rows") if wanted == ALL else _("Back to the filtered rows"),
        "before": address(before),
        "after": address(after),
    }


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
