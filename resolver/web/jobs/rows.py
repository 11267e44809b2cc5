"""The rows of a list in pages, narrowed by filters."""

from functools import partial
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver.domain.report.outcome import Outcome
from resolver.models import Row
from resolver.services.keyset import read_page
from resolver.services.results.facets import count_facets, count_unread_rows
from resolver.services.results.row_queries import fetch_rows
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.row import build_query_string_unless_long, context_for_row
from resolver.web.jobs.row_filters import RowFilterForm, context_for_filters
from resolver.web.site.page_edge import get_page_edge

ON_PAGE = 40  # so that a page with the longest texts stays below 100 kB, with its stylesheet
_WELL = (Outcome.RESOLVED, Outcome.REGISTERED)
_ABOUT_NOTHING = ("nothing", "full")  # the steps of a row that needs no work


@require_safe
def rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows that match the filters, in file order or reversed; also while the job runs.

    The last page is as quick as the first: two queries by line number.
    """
    job = get_visible_job_or_404(request, pk)
    form = RowFilterForm(request.GET)
    wanted, down = form.rows(), form.down()
    order = ("-line",) if down else ("line",)
    found = Row.objects.filter(job=job)
    page = read_page(found, order, get_page_edge(request), ON_PAGE, fetch=partial(fetch_rows, job, wanted))
    context = {
        "job": job,
        "form": form,
        "page": page,
        "rows": [(row, advice_on(row)) for row in page.items],
        "row_query": build_query_string_unless_long(wanted, down=down),
        "filters": context_for_filters(job, wanted, count_facets(job, wanted), down=down),
        "unread": count_unread_rows(job),
    }
    return render(request, "jobs/rows.html", context, status=422 if form.errors else 200)


def advice_on(row: Row) -> str:
    """The first step of the row's own page; "" if there is nothing to do or a suggestion says it."""
    if row.suggestion or (row.outcome in _WELL and not row.problems and not row.others):
        return ""
    step, _asks = context_for_row(row)["steps"][0]
    return "" if step.code in _ABOUT_NOTHING else step.sentence
