"""The results of a job as a file, streamed."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import ClassVar
from uuid import UUID

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.request import Request
from rest_framework.views import APIView

from resolver.api.jobs import callers_job
from resolver.api.refusals import InvalidInput, NotFinished, TooManyRowsForXlsx
from resolver.models import Job
from resolver.services import results
from resolver.sheets.writing import ResultRow, TooManyRows, csv_lines, jsonl_lines, xlsx_file

# A header cannot carry control characters, a file name no slash, and UTF-8 no lone surrogate.
_NOT_IN_A_NAME = re.compile('[\x00-\x1f\x7f-\x9f/\\\\:"\ud800-\udfff]')


class ResultsFile(APIView):
    """What the three formats share: the job must have ended, and the file is named after the upload."""

    suffix: ClassVar[str]
    content_type: ClassVar[str]

    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Every row of the job, those that were not asked with an empty outcome."""
        job = callers_job(request, pk)
        try:
            rows = results.results(job)
        except results.NotFinished as error:
            raise NotFinished from error
        response = self.written(job.header or [], rows, request.query_params)
        response["Content-Type"] = self.content_type
        response["Content-Disposition"] = content_disposition_header(True, file_name(job, self.suffix))
        return response

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        """The body in this format."""
        raise NotImplementedError


class CsvResults(ResultsFile):
    """UTF-8 with BOM, RFC 4180; `?delimiter=;` for spreadsheets that want it."""

    suffix = "csv"
    content_type = "text/csv; charset=utf-8"
    delimiters: ClassVar = {"": ",", ",": ",", ";": ";", "\t": "\t", "tab": "\t"}

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        delimiter = self.delimiters.get(query.get("delimiter", ""))
        if delimiter is None:
            raise InvalidInput(errors={"delimiter": ["A delimiter is a comma, a semicolon or a tab."]})
        return StreamingHttpResponse(csv_lines(header, rows, delimiter))


class JsonLinesResults(ResultsFile):
    """One JSON object a line: the fields of a Row, and the original cells under `row`."""

    suffix = "jsonl"
    content_type = "application/jsonl; charset=utf-8"

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        return StreamingHttpResponse(jsonl_lines(header, rows))


class XlsxResults(ResultsFile):
    """A workbook: the results, and a sheet that explains the codes."""

    suffix = "xlsx"
    content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

    def written(
        self, header: Sequence[str], rows: Iterator[ResultRow], query: Mapping[str, str]
    ) -> StreamingHttpResponse:
        # A workbook is a ZIP archive whose directory comes last: it is made on disk first.
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "results.xlsx")
            try:
                xlsx_file(header, rows, path)
            except TooManyRows as error:
                raise TooManyRowsForXlsx(str(error)) from error
            return FileResponse(path.open("rb"))  # stays readable when its folder is gone; closed with the response


def file_name(job: Job, suffix: str) -> str:
    """`list.csv` becomes `list-checked.csv`."""
    stem = PurePath(_NOT_IN_A_NAME.sub("_", job.filename)).stem.strip(" .")
    return f"{stem[:150] or 'dois'}-checked.{suffix}"
