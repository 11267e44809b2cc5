"""A list on one page A4, for those who decide: what was checked, when, where, the result, and what is most wrong."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services.jobs import retry
from resolver.web.jobs.access import get_visible_job_or_404
from resolver.web.jobs.charts import build_state_parts, build_value_bars, count_values, format_percentage
from resolver.web.jobs.downloads import refuse_file
from resolver.web.jobs.headline import build_headline
from resolver.web.jobs.task_list import build_task_list, label_decisions

MOST_PROBLEMS = 10  # so that it stays one page


@require_safe
def show_report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The report of a list that has ended, from its stored counts: as many queries for a million rows as for one."""
    job = get_visible_job_or_404(request, pk)
    if not job.ended:
        why = _("We’re still checking this list. You can print its report when it’s finished.")
        return refuse_file(request, job, why, 409)
    return render(request, "reports/report.html", build_report_context(job))


def build_report_context(job: Job) -> dict[str, object]:
    """What the report shows. One query for the decisions, and one more for a list that ended early."""
    task_list = build_task_list(job, retry.count_rows_to_retry(job))
    return {
        "job": job,
        "headline": build_headline(job),
        "parts": build_state_parts(job, task_list.replaced),
        "tasks": [(task, format_percentage(task.rows, job.total)) for task in task_list.tasks],
        "decided": label_decisions(task_list.decided) if task_list.decided else "",
        "problems": build_value_bars(job, "problem")[:MOST_PROBLEMS],
        "other_problems": max(0, count_values(job, "problem") - MOST_PROBLEMS),
    }
