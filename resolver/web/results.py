"""The results of a list: row by row on pages, and as files to take away."""

from collections.abc import Iterator
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services import history
from resolver.services.results import columns, results, results_name
from resolver.sheets.writing import TooManyColumns, csv_lines, jsonl_lines, xlsx_blocks
from resolver.web.forms import RowFilterForm
from resolver.web.jobs import seen_job
from resolver.web.paging import query_without, row_page

ON_PAGE = 100
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@require_safe
def rows(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The rows in line order, narrowed by outcome, problem, agency, text or repetition; also while the job runs."""
    job = seen_job(request, pk)
    form = RowFilterForm(request.GET)
    wanted = form.wanted()
    page = row_page(job, history.rows(job, **wanted), request, ON_PAGE)
    rest = query_without(request, "after", "before")
    context = {"job": job, "form": form, "wanted": wanted, "page": page, "rest": rest, "here": "jobs"}
    return render(request, "resolver/rows.html", context, status=422 if form.errors else 200)


@require_safe
def csv(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """UTF-8 with BOM; `?delimiter=;` for spreadsheets that want it."""
    job = seen_job(request, pk)
    if not job.ended:
        return _too_early(request, job)
    delimiter = ";" if request.GET.get("delimiter") == ";" else ","
    corrected = _corrected(request)
    lines = csv_lines(job.header or [], results(job, corrected=corrected), delimiter, columns(corrected))
    return _stream(lines, results_name(job.filename, "csv", corrected=corrected), "text/csv; charset=utf-8")


@require_safe
def jsonl(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """One JSON object a line, everything raw."""
    job = seen_job(request, pk)
    if not job.ended:
        return _too_early(request, job)
    corrected = _corrected(request)
    lines = jsonl_lines(job.header or [], results(job, corrected=corrected))
    return _stream(lines, results_name(job.filename, "jsonl", corrected=corrected), "application/jsonl; charset=utf-8")


@require_safe
def xlsx(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """A workbook: the results, and a sheet that explains the codes."""
    job = seen_job(request, pk)
    if not job.ended:
        return _too_early(request, job)
    corrected = _corrected(request)
    try:
        blocks = xlsx_blocks(job.header or [], results(job, corrected=corrected), columns(corrected))
    except TooManyColumns as error:
        return render(request, "resolver/not_yet.html", {"job": job, "why": str(error), "here": "jobs"}, status=409)
    return _stream(blocks, results_name(job.filename, "xlsx", corrected=corrected), XLSX)


def _corrected(request: HttpRequest) -> bool:
    """Whether the column with the DOI to go on with is wanted too."""
    return request.GET.get("corrected") == "1"


def _stream(pieces: Iterator[bytes], name: str, content_type: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _too_early(request: HttpRequest, job: Job) -> HttpResponse:
    why = "The list is still being checked; the results can be taken away when it is finished or cancelled."
    return render(request, "resolver/not_yet.html", {"job": job, "why": why, "here": "jobs"}, status=409)
