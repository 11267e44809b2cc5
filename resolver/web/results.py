"""The results of a list, row by row on pages."""

from dataclasses import asdict
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from resolver.domain.problems import CATALOGUE
from resolver.models import Row
from resolver.services.facets import facets
from resolver.services.lookup import inspect
from resolver.web.forms import RowFilterForm
from resolver.web.jobs import own_job
from resolver.web.lookup import asking, marked, told_of_prefix, written
from resolver.web.narrowing import narrowing
from resolver.web.paging import query_without, row_page
from resolver.web.row_lines import row_lines

ON_PAGE = 40  # so that a page of the longest and oddest texts stays below 100 kB, with its stylesheet


@require_safe
def rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows in line order, up or down, narrowed by facets and text; also while the job runs."""
    job = own_job(request, pk)
    form = RowFilterForm(request.GET)
    wanted, down = form.rows(), form.down()
    page = row_page(job, wanted, request, ON_PAGE, down=down)
    context = {
        "job": job,
        "mine": True,
        "form": form,
        "page": page,
        "lines": row_lines(page.rows),
        "rest": query_without(request, "after", "before"),
        "narrow": narrowing(job, wanted, facets(job, wanted), down=down),
        "here": "jobs",
    }
    return render(request, "resolver/rows.html", context, status=422 if form.errors else 200)


@require_safe
def row(request: HttpRequest, pk: UUID, line: int) -> HttpResponse:
    """All that is known of one row."""
    job = own_job(request, pk)
    found = get_object_or_404(Row, job=job, line=min(line, 2**31 - 1))
    cells = list(zip(job.header or [], found.cells, strict=False))
    # Spans are not stored with rows: a million of them would weigh more than the results, and reading is pure.
    reading = inspect(found.input)
    problems = [asdict(problem) for problem in reading.problems]
    told = {problem.code for problem in reading.problems}
    context = {
        "job": job,
        "row": found,
        "cells": cells,
        "suggested": asking({"doi": found.suggestion}) if found.suggestion else None,
        "exist_too": [asking({"doi": name}) for name in found.exist_too],
        "others": [asking(other) for other in found.others],
        "prefix_told": told_of_prefix(found),
        "form_given": str(reading.form),
        "about_record": [CATALOGUE[code] for code in found.problem_codes if code in CATALOGUE and code not in told],
        **marked(found.input, problems),
        **written(found.doi),
        "here": "jobs",
    }
    return render(request, "resolver/row.html", context)
