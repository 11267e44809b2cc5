"""The results of a list as files to download: all rows, or those that are wanted, by the filters of the rows' page."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services.results.export import results_file
from resolver.sheets.output.formats import ExportFormat
from resolver.sheets.output.xlsx import TooManyColumns
from resolver.web.jobs.actions import seen_job
from resolver.web.site.form_fields import RowFilterForm, delimiter_of


@require_safe
def results(request: HttpRequest, pk: UUID, form: ExportFormat) -> HttpResponseBase:
    """The file in this format; with `?corrected=1` one column more, the DOI to go on with."""
    job = seen_job(request, pk)
    if not job.ended:
        return _none(request, job, _("We’re still checking this list. You can download files when it’s finished."), 409)
    filters = RowFilterForm(request.GET)
    if filters.errors:
        return _none(request, job, _("The search text is too long."), 422)
    corrected = request.GET.get("corrected") == "1"
    try:
        return results_file(job, form, corrected=corrected, wanted=filters.rows(), delimiter=delimiter_of(request))
    except TooManyColumns as error:
        return _none(request, job, str(error), 409)


def _none(request: HttpRequest, job: Job, why: str, status: int) -> HttpResponse:
    return render(request, "jobs/file_unavailable.html", {"job": job, "why": why, "here": "jobs"}, status=status)
