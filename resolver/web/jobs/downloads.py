"""The results of a list as files to take away: all rows, or those that are wanted, by the filters of the rows' page."""

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from resolver.models import Job
from resolver.services.jobs.export import columns, results, results_name
from resolver.sheets.output.csv import csv_lines, jsonl_lines
from resolver.sheets.output.result_row import ResultRow
from resolver.sheets.output.xlsx import TooManyColumns, xlsx_blocks
from resolver.web.jobs.actions import seen_job
from resolver.web.site.form_fields import RowFilterForm

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
Written = Callable[[Sequence[str], Iterator[ResultRow], Sequence[str]], Iterator[bytes]]


@require_safe
def csv(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """UTF-8 with BOM; `?delimiter=;` for spreadsheets that want it."""
    delimiter = ";" if request.GET.get("delimiter") == ";" else ","
    return _file(
        request,
        pk,
        "csv",
        "text/csv; charset=utf-8",
        lambda header, rows, added: csv_lines(header, rows, delimiter, added),
    )


@require_safe
def jsonl(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """One JSON object a line, everything raw."""
    return _file(
        request,
        pk,
        "jsonl",
        "application/jsonl; charset=utf-8",
        lambda header, rows, added: jsonl_lines(header, rows),
    )


@require_safe
def xlsx(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """A workbook: the results, and a sheet that explains the codes."""
    return _file(request, pk, "xlsx", XLSX, xlsx_blocks)


def _file(request: HttpRequest, pk: UUID, ending: str, content_type: str, written: Written) -> HttpResponseBase:
    """With `?corrected=1` one column more, the DOI to go on with."""
    job = seen_job(request, pk)
    if not job.ended:
        return _none(request, job, _("The list is still being checked; files can be taken when that has ended."), 409)
    form = RowFilterForm(request.GET)
    if form.errors:
        return _none(request, job, _("The text that is searched for is too long."), 422)
    corrected, wanted = request.GET.get("corrected") == "1", form.rows()
    try:
        pieces = written(job.header or [], results(job, corrected=corrected, wanted=wanted), columns(corrected))
    except TooManyColumns as error:
        return _none(request, job, str(error), 409)
    response = StreamingHttpResponse(pieces, content_type=content_type)
    name = results_name(job.filename, ending, corrected=corrected, wanted=wanted)
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def _none(request: HttpRequest, job: Job, why: str, status: int) -> HttpResponse:
    return render(request, "jobs/file_unavailable.html", {"job": job, "why": why, "here": "jobs"}, status=status)
