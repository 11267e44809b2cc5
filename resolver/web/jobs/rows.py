"""The rows of a list in pages, narrowed by filters."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.target import TO_CORRECT
from resolver.domain.report.triage import GOOD
from resolver.models import Job, Row
from resolver.services.results import shown_columns
from resolver.services.results.facets import count_facets
from resolver.services.results.row_numbers import find_row_numbers
from resolver.services.results.row_order import RowOrder, find_edge
from resolver.services.results.row_queries import RowFilter, count_unread_rows, fetch_rows
from resolver.services.results.row_search import TimedSearch
from resolver.services.results.shown_columns import MOST_SHOWN_COLUMNS, get_shown_columns
from resolver.services.storage.keyset import Edge, read_page
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.sheets.workbook.typed_cell import decode_row_texts
from resolver.web.jobs.access import get_own_job_or_404, get_visible_job_or_404, is_mine
from resolver.web.jobs.expected_address import describe_expected_address
from resolver.web.jobs.row import build_query_string_unless_long, build_row_context
from resolver.web.jobs.row_filters import RowFilterForm, build_filters_context, build_query_string
from resolver.web.lookups.next_steps import NextStep
from resolver.web.site.page_edge import parse_page_edge

ROWS_ON_PAGE = 40  # so that a page with the longest texts stays below 100 kB, with its stylesheet
_ABOUT_NOTHING = ("nothing", "full")  # the steps of a row that needs no work


@require_safe
def show_rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows that match the filters, in one of the orders; also while the job runs. The last page is as quick as the
    first: two queries by line number, and one for the edge of a sorted page. A search for a text or a host says how far
    it came when its time is over."""
    job = get_visible_job_or_404(request, pk)
    form = RowFilterForm(request.GET)
    wanted, order, search = form.build_row_filter(), form.build_row_order(), TimedSearch()
    found, edge = Row.objects.filter(job=job), find_edge(job, order, parse_page_edge(request.GET))
    page = read_page(found, order.columns, edge, ROWS_ON_PAGE, fetch=partial(fetch_rows, job, wanted, search=search))
    columns = get_shown_columns(job)
    compared = [_("Expected"), _("In the DOI record")] if wanted.address else []
    context = {
        "job": job,
        "form": form,
        "page": page,
        "rows": [
            (row, find_advice(job, row), _list_shown_cells(job, row, columns) + _list_addresses(job, row, compared))
            for row in page.items
        ],
        "column_names": [job.header[column] for column in columns] + compared,
        "column_options": _list_column_options(job, columns) if is_mine(request, job) else [],
        "most_columns": MOST_SHOWN_COLUMNS,
        "row_query": build_query_string_unless_long(wanted, order),
        "filters": build_filters_context(job, wanted, count_facets(job, wanted), order),
        "searched": _describe_search(job, wanted, order, edge, search),
        "unread": count_unread_rows(job),
    }
    return render(request, "jobs/rows.html", context, status=422 if form.errors else 200)


@require_POST
def choose_columns(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the chosen columns of the file from now on, and return to the page of rows."""
    job = get_own_job_or_404(request, pk)
    numbers = (parse_whole_number(text, MAX_CELLS) for text in request.POST.getlist("column"))
    shown_columns.choose_columns(job, [column for column in numbers if column is not None])
    query = request.POST.get("query", "")
    address = reverse("job-rows", args=[pk])
    return redirect(address + query if query.startswith("?") else address)


def _list_shown_cells(job: Job, row: Row, columns: Sequence[int]) -> list[tuple[str, str]]:
    cells = decode_row_texts(row.cells)
    return [(job.header[column], cells[column] if column < len(cells) else "") for column in columns]


def _list_addresses(job: Job, row: Row, names: Sequence[str]) -> list[tuple[str, str]]:
    """The expected address and that of the record under these names; none if there are no names."""
    audit = describe_expected_address(job, row) if names else None
    texts = ("".join(audit.expected), "".join(audit.found or ())) if audit else ("", "")
    return list(zip(names, texts, strict=False))


def _list_column_options(job: Job, columns: Sequence[int]) -> list[dict[str, Any]]:
    """The columns to choose from, or the first 100 of them."""
    names = list(enumerate(job.header or []))[:100]
    return [{"index": place, "name": name, "chosen": place in columns} for place, name in names]


def _describe_search(
    job: Job, wanted: RowFilter, order: RowOrder, edge: Edge | None, search: TimedSearch
) -> dict[str, Any] | None:
    """How far the search came if its time ran out: the number of the last row it read, and the address to continue."""
    if search.stopped_at is None:
        return None
    line = search.stopped_at[-1]
    side = "before" if edge is not None and edge.backwards else "after"
    query = build_query_string(wanted, order)
    return {"row": find_row_numbers(job, [line])[line], "more": f"{query}&{side}={line}"}


def find_advice(job: Job, row: Row) -> NextStep | None:
    """The first step of the row's own page; None if there is nothing to do or a suggestion says it."""
    leads_there = row.address not in TO_CORRECT
    if row.suggestion or (row.outcome in GOOD and leads_there and not row.problem_codes and not row.others):
        return None
    step: NextStep = build_row_context(job, row)["steps"][0][0]
    return None if step.code in _ABOUT_NOTHING else step
