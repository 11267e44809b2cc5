"""The results of a list as files: all rows, or those that match the filters of the rows page."""

from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services.results.export import build_results_download
from resolver.services.results.hosts import build_hosts_download
from resolver.services.results.original_file import (
    ACCEPTS,
    NotBibliographic,
    build_left_out_download,
    build_original_download,
)
from resolver.services.uploads.stored_uploads import FileIsGone
from resolver.sheets.output.export_formats import ExportFormat
from resolver.sheets.output.xlsx import TooManyColumns
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.row_filters import RowFilterForm
from resolver.web.site.forms import get_csv_delimiter


@require_safe
def download_results(request: HttpRequest, pk: UUID, form: ExportFormat) -> HttpResponseBase:
    """The file in this format; `?corrected=1` adds the columns with the corrected DOIs."""
    job = get_visible_job_or_404(request, pk)
    if not job.ended:
        return _refuse_unfinished(request, job)
    filters = RowFilterForm(request.GET)
    if filters.errors:
        return refuse_file(request, job, _("The search text is too long. Shorten it, then download again."), 422)
    corrected = request.GET.get("corrected") == "1"
    try:
        return build_results_download(
            job,
            form,
            corrected=corrected,
            wanted=filters.build_row_filter(),
            delimiter=get_csv_delimiter(request),
            deciders=is_mine(request, job),
        )
    except TooManyColumns as error:
        return refuse_file(request, job, str(error), 409)


@require_safe
def download_hosts(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The hosts to which the DOIs lead, with their rows, as CSV."""
    job = get_visible_job_or_404(request, pk)
    if not job.ended:
        return _refuse_unfinished(request, job)
    return build_hosts_download(job, get_csv_delimiter(request))


@require_safe
def download_original(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The uploaded bibliographic file with the accepted DOIs; `?accept=suggested` writes the suggestions too."""
    return _build_file_download(request, pk, build_original_download)


@require_safe
def download_left_out(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The DOIs that such a file can't hold, with the reasons, as CSV; `accept` as for the file."""
    delimiter = get_csv_delimiter(request)
    return _build_file_download(request, pk, lambda job, accept: build_left_out_download(job, accept, delimiter))


def _build_file_download(
    request: HttpRequest, pk: UUID, build: Callable[[Job, str], StreamingHttpResponse]
) -> HttpResponseBase:
    job = get_visible_job_or_404(request, pk)
    if not job.ended:
        return _refuse_unfinished(request, job)
    accept = request.GET.get("accept", "accepted")
    try:
        return build(job, accept if accept in ACCEPTS else "accepted")
    except NotBibliographic:
        why = _("This list was made of a table. Download its results with corrected DOIs instead.")
        return refuse_file(request, job, why, 409)
    except FileIsGone:
        return refuse_file(request, job, _("The uploaded file is no longer available. Upload it again."), 410)


def _refuse_unfinished(request: HttpRequest, job: Job) -> HttpResponse:
    why = _("We’re still checking this list. You can download files when it’s finished.")
    return refuse_file(request, job, why, 409)


def refuse_file(request: HttpRequest, job: Job, why: str, status: int) -> HttpResponse:
    """The page that says why there is no file."""
    return render(request, "jobs/file_unavailable.html", {"job": job, "why": why}, status=status)
