"""The results of a job: its rows, page by page, and as files."""

from typing import Any, cast
from uuid import UUID

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import BINARY_FILE, TEXT_FILE, operation
from resolver.api.openapi.parameters import DELIMITER, FLAG, IN_LINE_ORDER, PK, ROW_FILTERS, query
from resolver.api.problem_types import JobNotFinished, NoOriginalFileToSend, NoUploadedFile, TooManyColumnsForXlsx
from resolver.api.protocol.etags import TaggedView, allows_not_modified, build_results_etag
from resolver.api.protocol.pagination import LineOrderPagination, page_of
from resolver.api.protocol.query_parameters import (
    parse_delimiter,
    parse_flag,
    parse_row_filter,
    parse_word,
)
from resolver.api.serializers.jobs import RowSerializer, build_row_context
from resolver.models import Row
from resolver.services.results import export
from resolver.services.results.accepted_rows import ACCEPTS
from resolver.services.results.hosts import build_hosts_download
from resolver.services.results.no_original_file import NoOriginalFile
from resolver.services.results.original_file import build_original_download
from resolver.services.uploads.stored_uploads import FileIsGone
from resolver.sheets.output.export_formats import CSV, JSON_LINES, XLSX, ExportFormat
from resolver.sheets.output.xlsx import TooManyColumns


class Rows(TaggedView):
    """The rows of a job in line order, filtered by `parse_row_filter`, also while it runs."""

    @operation(
        "listRows",
        "Rows and results",
        "List the rows of a job",
        description="Return the rows in line order, also while the job runs.",
        parameters=[PK, *ROW_FILTERS, *IN_LINE_ORDER],
        answer=page_of(RowSerializer, "rows", "in line order"),
        says="A page of rows. The outcome of a row is empty until it is checked.",
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return a page; rows that are not checked yet have an empty outcome."""
        job = get_own_job(request, pk)
        pages = LineOrderPagination(job, parse_row_filter(request, job))
        return Response(pages.build_page(Row.objects.filter(job=job), request, RowSerializer, **build_row_context(job)))


def _send_results(request: Request, pk: UUID, form: ExportFormat) -> HttpResponseBase:
    """Return a file with every row, those not checked with an empty outcome; or only the matching rows."""
    job = get_own_job(request, pk)
    corrected, wanted = parse_flag(request, "corrected"), parse_row_filter(request, job)
    delimiter = parse_delimiter(request)
    etag = build_results_etag(job, form.content_type, request.META["QUERY_STRING"], weak=form is XLSX)
    try:
        file = export.build_results_download(job, form, corrected=corrected, wanted=wanted, delimiter=delimiter)
    except TooManyColumns as error:
        raise TooManyColumnsForXlsx(str(error)) from error
    return _send_file(request, file, etag)


def _send_file(request: Request, file: StreamingHttpResponse, etag: str) -> HttpResponseBase:
    file["ETag"] = etag
    if not allows_not_modified(request):
        return file
    return get_conditional_response(request._request, etag, None, cast("Any", file)) or file


_CORRECTED = query("corrected", "1: add the columns corrected_doi and correction.", "1", FLAG)
_FILTERED = (
    "The whole result, or only the rows that match the filters. The file of a task has corrected DOIs too. That of "
    "`back` is for the source: the columns of the file unchanged, then `row`, `problem` and `found`. That of `decide` "
    "has, after your columns, only what you need to decide."
)


class CsvFile(APIView):
    """The results of a job that has ended as CSV."""

    @operation(
        "downloadCsv",
        "Rows and results",
        "Download the results as CSV",
        description="Your columns, unchanged and in the same order, then ours. UTF-8 with BOM.",
        parameters=[PK, DELIMITER, _CORRECTED, *ROW_FILTERS],
        answer=TEXT_FILE,
        media_type="text/csv",
        says=_FILTERED,
        errors=[JobNotFinished],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        return _send_results(request, pk, CSV)


class XlsxFile(APIView):
    """The results of a job that has ended as a workbook."""

    @operation(
        "downloadXlsx",
        "Rows and results",
        "Download the results as XLSX",
        description="Your columns, then ours, with a legend on a sheet of its own.",
        parameters=[PK, _CORRECTED, *ROW_FILTERS],
        answer=BINARY_FILE,
        media_type=XLSX.content_type,
        says=_FILTERED,
        errors=[JobNotFinished, TooManyColumnsForXlsx],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        return _send_results(request, pk, XLSX)


class JsonLinesFile(APIView):
    """The results of a job that has ended as JSON lines."""

    @operation(
        "downloadJsonLines",
        "Rows and results",
        "Download the results as JSON lines",
        description="One JSON object a line: the fields of a row, with the original cells under cells.",
        parameters=[PK, _CORRECTED, *ROW_FILTERS],
        answer=TEXT_FILE,
        media_type="application/jsonl",
        says=_FILTERED,
        errors=[JobNotFinished],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        return _send_results(request, pk, JSON_LINES)


class OriginalFile(APIView):
    """The uploaded file of a job that has ended, with the DOIs that were accepted."""

    @operation(
        "downloadOriginal",
        "Rows and results",
        "Download the uploaded file with the accepted DOIs",
        description="Only the accepted values differ from the file that you uploaded. If nothing was accepted, you get "
        "the same bytes. The media type is that of the file.",
        parameters=[
            PK,
            query(
                "accept",
                "`accepted`: write what was decided. `suggested`: write every suggestion that isn't "
                "doubtful, and the DOI alone where the field holds more (`cleaned`), too.",
                "accepted",
                {"type": "string", "enum": sorted(ACCEPTS), "default": "accepted"},
            ),
            query(
                "columns",
                "1: add the columns corrected_doi and correction, after the last column of a table.",
                "1",
                FLAG,
            ),
        ],
        answer=BINARY_FILE,
        media_type="*/*",
        says="The file.",
        errors=[JobNotFinished, NoOriginalFileToSend, NoUploadedFile],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        job = get_own_job(request, pk)
        accept, columns = parse_word(request, "accept", ACCEPTS) or "accepted", parse_flag(request, "columns")
        try:
            file = build_original_download(job, accept, columns=columns)
        except NoOriginalFile as error:
            raise NoOriginalFileToSend(str(error.reason)) from error
        except FileIsGone as error:
            raise NoUploadedFile from error
        return _send_file(request, file, build_results_etag(job, "original", f"{accept} {columns}"))


class HostsFile(APIView):
    """The hosts to which the DOIs of a job that has ended lead."""

    @operation(
        "downloadHosts",
        "Rows and results",
        "Download the hosts as CSV",
        description="One line for each host of a first URL value, with its rows: the host with the most rows first. "
        "If the job has expected addresses, the other columns count these rows by class; else they are empty.",
        parameters=[PK, DELIMITER],
        answer=TEXT_FILE,
        media_type="text/csv",
        says="The file.",
        errors=[JobNotFinished],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        job = get_own_job(request, pk)
        file = build_hosts_download(job, parse_delimiter(request))
        return _send_file(request, file, build_results_etag(job, "hosts", request.META["QUERY_STRING"]))
