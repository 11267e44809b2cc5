"""The files that a list comes back in, on one page."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from resolver.services.jobs.row_readings import is_bibliographic
from resolver.services.results.no_original_file import find_refusal
from resolver.services.results.original_file import count_left_out
from resolver.services.results.task_counts import count_tasks
from resolver.services.reviews.review_counts import count_open_reviews
from resolver.sheets.input.layout import Layout
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.row_downloads import build_task_downloads, choose_csv_separator


@never_cache
@require_safe
def show_files(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The uploaded file with corrections, and tables of all rows and of those of a task, once the list has ended."""
    job = get_visible_job_or_404(request, pk)
    context = {
        "job": job,
        "is_bibliographic": is_bibliographic(job),
        "is_workbook": bool(job.layout) and Layout.from_json(job.layout).has_sheets,
    }
    if job.ended:
        reviews, refusal = count_open_reviews(job), find_refusal(job)
        separator = choose_csv_separator(job, request.GET.get("delimiter"))
        context |= {
            **reviews._asdict(),
            "downloads": build_task_downloads(job, count_tasks(job), separator),
            "separator": separator,
            "no_original": refusal,
            "left_out": count_left_out(job, "suggested") if reviews.safe and not refusal else 0,
        }
    return render(request, "jobs/files.html", context)
