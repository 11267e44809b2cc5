"""The results of a list, row by row on pages."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver.services.jobs.facets import facets, unread
from resolver.web.jobs.actions import is_mine, seen_job
from resolver.web.jobs.row_filters import narrowing
from resolver.web.jobs.row_lines import row_lines
from resolver.web.jobs.row_ways import carried
from resolver.web.site.form_fields import RowFilterForm
from resolver.web.site.paging import query_without, row_page

ON_PAGE = 40  # so that a page of the longest and oddest texts stays below 100 kB, with its stylesheet


@require_safe
def rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows in line order, up or down, narrowed by facets and text; also while the job runs."""
    job = seen_job(request, pk)
    form = RowFilterForm(request.GET)
    wanted, down = form.rows(), form.down()
    page = row_page(job, wanted, request, ON_PAGE, down=down)
    context = {
        "job": job,
        "mine": is_mine(request, job),
        "form": form,
        "page": page,
        "lines": row_lines(page.rows),
        "rest": query_without(request, "after", "before"),
        "carried": carried(wanted, down=down),
        "narrow": narrowing(job, wanted, facets(job, wanted), down=down),
        "unread": unread(job),
        "here": "jobs",
    }
    return render(request, "resolver/rows.html", context, status=422 if form.errors else 200)
