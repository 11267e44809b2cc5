"""The results of a job as a file, streamed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar
from uuid import UUID

from django.http import HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request
from rest_framework.views import APIView

from resolver.api.exceptions import InvalidInput, NotFinished, TooManyColumnsForXlsx
from resolver.api.jobs import callers_job
from resolver.api.request_serializers import OF_ROWS, refuse_unknown, wanted_rows, yes_or_no
from resolver.services.jobs import export
from resolver.sheets.output.csv import csv_lines, jsonl_lines
from resolver.sheets.output.result_row import ResultRow
from resolver.sheets.output.xlsx import TooManyColumns, xlsx_blocks


class ResultsFile(APIView):
    """What the three formats share: the job must have ended, and the file is named after the upload."""

    suffix: ClassVar[str]
    content_type: ClassVar[str]
    parameters: ClassVar[Sequence[str]] = ()  # of this format alone
    as_cells: ClassVar = False  # whether it can hold a number or a date as such

    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Every row of the job, those that were not asked with an empty outcome; or only those that are wanted."""
        job = callers_job(request, pk)
        refuse_unknown(request, "corrected", *self.parameters, *OF_ROWS)
        corrected, wanted = yes_or_no(request, "corrected"), wanted_rows(request)
        try:
            rows = export.results(job, corrected=corrected, wanted=wanted, as_cells=self.as_cells)
        except export.NotFinished as error:
            raise NotFinished from error
        response = self.written(job.header or [], rows, export.columns(corrected), request.query_params)
        response["Content-Type"] = self.content_type
        response["Content-Disposition"] = content_disposition_header(
            True, export.results_name(job.filename, self.suffix, corrected=corrected, wanted=wanted)
        )
        return response

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], columns: Sequence[str], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        """The body in this format."""
        raise NotImplementedError


class CsvResults(ResultsFile):
    """UTF-8 with BOM, RFC 4180; `?delimiter=;` for spreadsheets that want it."""

    suffix = "csv"
    content_type = "text/csv; charset=utf-8"
    parameters = ("delimiter",)
    delimiters: ClassVar = {"": ",", ",": ",", ";": ";", "\t": "\t", "tab": "\t"}

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], columns: Sequence[str], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        delimiter = self.delimiters.get(query.get("delimiter", ""))
        if delimiter is None:
            raise InvalidInput(errors={"delimiter": ["A delimiter is a comma, a semicolon or a tab."]})
        return StreamingHttpResponse(csv_lines(header, rows, delimiter, columns))


class JsonLinesResults(ResultsFile):
    """One JSON object a line: the fields of a Row, and the original cells under `row`."""

    suffix = "jsonl"
    content_type = "application/jsonl; charset=utf-8"

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], columns: Sequence[str], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        return StreamingHttpResponse(jsonl_lines(header, rows))


class XlsxResults(ResultsFile):
    """A workbook: the results, and a sheet that explains the codes."""

    suffix = "xlsx"
    as_cells = True
    content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], columns: Sequence[str], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        try:
            return StreamingHttpResponse(xlsx_blocks(header, rows, columns))
        except TooManyColumns as error:
            raise TooManyColumnsForXlsx(str(error)) from error
