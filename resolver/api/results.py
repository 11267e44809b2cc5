"""The results of a job: its rows, page by page, and as files."""

from typing import Any, ClassVar, cast
from uuid import UUID

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import BINARY_FILE, TEXT_FILE, operation
from resolver.api.openapi.pages_of_results import RowPageSerializer
from resolver.api.openapi.parameters import DELIMITER, FLAG, IN_LINE_ORDER, PK, ROW_FILTERS, query
from resolver.api.problem_types import JobNotFinished, NoOriginalFile, NoUploadedFile, TooManyColumnsForXlsx
from resolver.api.protocol.etags import TaggedView, build_results_etag, is_conditional
from resolver.api.protocol.pagination import LineOrderPagination
from resolver.api.protocol.query_parameters import (
    parse_delimiter,
    parse_flag,
    parse_row_filter,
    parse_word,
)
from resolver.api.serializers.jobs import RowSerializer, build_row_context
from resolver.models import Row
from resolver.services.results import export
from resolver.services.results.original_file import ACCEPTS, NotBibliographic, build_original_download
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
        answer=RowPageSerializer,
        says="A page of rows. The outcome of a row is empty until it is checked.",
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return a page; rows that are not checked yet have an empty outcome."""
        job = get_own_job(request, pk)
        pages = LineOrderPagination(job, parse_row_filter(request, job))
        items = pages.paginate_queryset(Row.objects.filter(job=job), request, self)
        return pages.get_paginated_response(RowSerializer(items, many=True, context=build_row_context(job)).data)


class ResultsFile(APIView):
    """The results of a job that has ended as a file in one format, streamed and named after the upload."""

    form: ClassVar[ExportFormat]

    def send(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return every row, those not checked with an empty outcome; or only the wanted rows."""
        job = get_own_job(request, pk)
        corrected, wanted = parse_flag(request, "corrected"), parse_row_filter(request, job)
        delimiter = parse_delimiter(request)
        etag = build_results_etag(job, self.form.content_type, request.META["QUERY_STRING"], weak=self.form is XLSX)
        try:
            file = export.build_results_download(
                job, self.form, corrected=corrected, wanted=wanted, delimiter=delimiter
            )
        except TooManyColumns as error:
            raise TooManyColumnsForXlsx(str(error)) from error
        return send_file(request, file, etag)


def send_file(request: Request, file: StreamingHttpResponse, etag: str) -> HttpResponseBase:
    """Return the file with its ETag, or 304."""
    file["ETag"] = etag
    if not is_conditional(request):
        return file
    return get_conditional_response(request._request, etag, None, cast("Any", file)) or file


_CORRECTED = query("corrected", "1: add the columns corrected_doi and correction.", "1", FLAG)
_FILTERED = "The whole result, or only the rows that match the filters."


class CsvFile(ResultsFile):
    """The results as CSV."""

    form = CSV

    @operation(
        "downloadCsv",
        "Rows and results",
        "Download the results as CSV",
        description="Your columns, unchanged and in the same order, then ours. UTF-8 with BOM.",
        parameters=[
            PK,
            DELIMITER,
            _CORRECTED,
            *ROW_FILTERS,
        ],
        answer=TEXT_FILE,
        media_type="text/csv",
        says=_FILTERED,
        errors=[JobNotFinished],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        return self.send(request, pk)


class XlsxFile(ResultsFile):
    """The results as a workbook."""

    form = XLSX

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
        return self.send(request, pk)


class JsonLinesFile(ResultsFile):
    """The results as JSON lines."""

    form = JSON_LINES

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
        return self.send(request, pk)


class OriginalFile(APIView):
    """The uploaded bibliographic file of a job that has ended, with the DOIs that were accepted."""

    @operation(
        "downloadOriginal",
        "Rows and results",
        "Download the uploaded bibliographic file with the accepted DOIs",
        description="Only the accepted values differ from the file that you uploaded. If nothing was accepted, you get "
        "the same bytes.",
        parameters=[
            PK,
            query(
                "accept",
                "`accepted`: write what was decided. `suggested`: write every suggestion that isn't "
                "doubtful, and the DOI alone where the field holds more (`cleaned`), too.",
                "accepted",
                {"type": "string", "enum": sorted(ACCEPTS), "default": "accepted"},
            ),
        ],
        answer=BINARY_FILE,
        media_type="application/octet-stream",
        says="The file.",
        errors=[JobNotFinished, NoOriginalFile, NoUploadedFile],
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Return the file."""
        job = get_own_job(request, pk)
        accept = parse_word(request, "accept", ACCEPTS) or "accepted"
        try:
            file = build_original_download(job, accept)
        except NotBibliographic as error:
            raise NoOriginalFile from error
        except FileIsGone as error:
            raise NoUploadedFile from error
        return send_file(request, file, build_results_etag(job, "original", accept))
