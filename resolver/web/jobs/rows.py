"""The rows of a list in pages, narrowed by filters."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from resolver.domain.foreign_text import parse_whole_number
from resolver.models import Job, Row
from resolver.services.results import shown_columns
from resolver.services.results.facets import count_facets
from resolver.services.results.row_numbers import find_row_numbers
from resolver.services.results.row_order import FILE_ORDER, RowOrder, find_edge
from resolver.services.results.row_queries import ALL, RowFilter, count_unread_rows, fetch_rows
from resolver.services.results.row_search import TimedSearch
from resolver.services.results.shown_columns import MOST_SHOWN_COLUMNS, get_shown_columns, list_shown_cells
from resolver.services.storage.keyset import Edge, read_page
from resolver.sheets.workbook.rows import MAX_CELLS
from resolver.web.jobs.access import get_own_job_or_404, get_visible_job_or_404, is_mine
from resolver.web.jobs.expected_address import AddressParts, split_addresses
from resolver.web.jobs.row import build_query_string_unless_long
from resolver.web.jobs.row_advice import Advice, find_advice
from resolver.web.jobs.row_downloads import build_row_downloads, choose_csv_separator
from resolver.web.jobs.row_filters import RowFilterForm, build_filters_context, build_query_string
from resolver.web.site.page_edge import parse_page_edge

ROWS_ON_PAGE = 40  # so that a page with the longest texts stays below 100 kB, with its stylesheet


class ShownRow(NamedTuple):
    """A row of the table: what to do, the cells of the user's columns with their names, and its web addresses: the
    expected one and that of the record, where the filter is about them."""

    row: Row
    advice: Advice | None
    cells: list[tuple[str, str]]
    addresses: tuple[AddressParts, AddressParts] | None


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
    filters = build_filters_context(job, wanted, count_facets(job, wanted), order)
    has_room = not (filters["about_addresses"] or filters["about_corrections"])  # for columns that nobody chose
    columns = get_shown_columns(job) if has_room or job.shown_columns is not None else []
    separator = choose_csv_separator(job, request.GET.get("delimiter"), filters["here"] or "?")
    advice = [find_advice(job, row) for row in page.items]
    context = {
        "job": job,
        "form": form,
        "page": page,
        "rows_on_page": ROWS_ON_PAGE,
        "in_file_order": wanted == ALL and order == FILE_ORDER,
        "rows": [
            ShownRow(
                row,
                todo,
                _list_shown_cells(job, row, columns),
                split_addresses(job, row) if filters["about_addresses"] else None,
            )
            for row, todo in zip(page.items, advice, strict=True)
        ],
        "has_agency": any(row.ra or row.prefix_ra for row in page.items),
        "has_advice": any(advice) or any(row.decision or row.suggestion for row in page.items),
        "column_names": [job.header[column] for column in columns],
        "many_columns": len(columns) + 2 * filters["about_addresses"] > 2,
        "column_options": _list_column_options(job, columns) if is_mine(request, job) else [],
        "most_columns": MOST_SHOWN_COLUMNS,
        "row_query": build_query_string_unless_long(wanted, order),
        "filters": filters,
        "downloads": build_row_downloads(
            job, filters["query"], filters["corrected_query"], filters["matching"], separator
        ),
        "separator": separator,
        "chooses_separator": "delimiter" in request.GET,
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
    names = (job.header[column] for column in columns)
    return list(zip(names, list_shown_cells(job, row, columns), strict=True))


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
