"""The results of a list as files: all rows, or those that match the filters of the rows page."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.domain.report.row_task import get_task_parts
from resolver.models import Job
from resolver.services.jobs.lifecycle import JobStillRunning, ensure_ended
from resolver.services.results import original_file
from resolver.services.results.accepted_rows import ACCEPTS
from resolver.services.results.address_updates import NoExpectedAddresses
from resolver.services.results.export import build_results_download
from resolver.services.results.hosts import build_hosts_download
from resolver.services.results.no_original_file import NoOriginalFile
from resolver.services.uploads.stored_uploads import FileIsGone
from resolver.sheets.output.export_formats import ExportFormat
from resolver.sheets.output.xlsx import TooManyColumns
from resolver.web.jobs.access import get_visible_job_or_404, is_mine
from resolver.web.jobs.row_filters import RowFilterForm
from resolver.web.site.form_fields import get_csv_delimiter
from resolver.web.wording.translate_message import translate_message


def pass_visible_job(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Pass the list to the view. If it can't have the file, the page says why."""

    @wraps(view)
    def answer(request: HttpRequest, pk: UUID, **options: ExportFormat) -> HttpResponseBase:
        job = get_visible_job_or_404(request, pk)
        try:
            return view(request, job, **options)
        except JobStillRunning:
            why = _("We’re still checking this list. You can download files when it’s finished.")
        except NoExpectedAddresses:
            why = _("This list has no column with expected web addresses. Check it again and choose one.")
        except (NoOriginalFile, TooManyColumns) as error:
            why = translate_message(str(error))
        except FileIsGone:
            return refuse_file(request, job, _("The uploaded file is no longer available. Upload it again."), 410)
        return refuse_file(request, job, why, 409)

    return answer


@require_safe
@pass_visible_job
def download_results(request: HttpRequest, job: Job, form: ExportFormat) -> HttpResponseBase:
    """The file in this format; `?corrected=1` adds the columns with the corrected DOIs."""
    ensure_ended(job)
    filters = RowFilterForm(request.GET)
    if filters.errors:
        return refuse_file(request, job, _("The search text is too long. Shorten it, then download again."), 422)
    wanted = filters.build_row_filter()
    if wanted.task and not get_task_parts(wanted.task):
        return refuse_file(request, job, _("There is no task with this name, so there is no file."), 422)
    return build_results_download(
        job,
        form,
        corrected=request.GET.get("corrected") == "1",
        wanted=wanted,
        delimiter=get_csv_delimiter(request),
        deciders=is_mine(request, job),
        translate=_choose_translation(),
    )


def _choose_translation() -> Callable[[str], str]:
    """The function that writes a sentence in the language of this request, also when the file is sent."""
    language = get_language()

    def translate(text: str) -> str:
        with override(language):
            return translate_message(text)

    return translate if language and not language.startswith("en") else str


@require_safe
@pass_visible_job
def download_hosts(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The hosts to which the DOIs lead, with their rows, as CSV."""
    return build_hosts_download(job, get_csv_delimiter(request))


@require_safe
@pass_visible_job
def download_original(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The uploaded file with the accepted DOIs; `?accept=suggested` writes the suggestions too, `?columns=1` adds the
    columns of corrected results."""
    columns = request.GET.get("columns") == "1"
    return original_file.build_original_download(job, _read_accept(request), columns=columns)


@require_safe
@pass_visible_job
def download_left_out(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The DOIs that such a file can't hold, with the reasons, as CSV; `accept` as for the file."""
    return original_file.build_left_out_download(job, _read_accept(request), get_csv_delimiter(request))


def _read_accept(request: HttpRequest) -> str:
    accept = request.GET.get("accept", "accepted")
    return accept if accept in ACCEPTS else "accepted"


def refuse_file(request: HttpRequest, job: Job, why: str, status: int) -> HttpResponse:
    """The page that says why there is no file."""
    return render(request, "jobs/file_unavailable.html", {"job": job, "why": why}, status=status)
