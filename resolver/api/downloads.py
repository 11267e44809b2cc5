"""The results of a job as a file, streamed."""

from typing import ClassVar
from uuid import UUID

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from resolver.api.exceptions import InvalidInput, TooManyColumnsForXlsx
from resolver.api.jobs import callers_job
from resolver.api.request_serializers import OF_ROWS, refuse_unknown, wanted_rows, yes_or_no
from resolver.services.results import export
from resolver.sheets.output.formats import CSV, ExportFormat
from resolver.sheets.output.xlsx import TooManyColumns

_DELIMITERS = {"": ",", ",": ",", ";": ";", "\t": "\t", "tab": "\t"}


class ResultsFile(APIView):
    """The file in one format, named after the upload; the job must have ended."""

    form: ClassVar[ExportFormat] = CSV

    def get(self, request: Request, pk: UUID) -> HttpResponseBase:
        """Every row of the job, those that were not asked with an empty outcome; or only those that are wanted."""
        job = callers_job(request, pk)
        refuse_unknown(request, "corrected", *(["delimiter"] if self.form is CSV else []), *OF_ROWS)
        corrected, wanted = yes_or_no(request, "corrected"), wanted_rows(request)
        delimiter = _DELIMITERS.get(request.query_params.get("delimiter", ""))
        if delimiter is None:
            raise InvalidInput(errors={"delimiter": ["The delimiter must be a comma, a semicolon or a tab."]})
        try:
            return export.results_file(job, self.form, corrected=corrected, wanted=wanted, delimiter=delimiter)
        except TooManyColumns as error:
            raise TooManyColumnsForXlsx(str(error)) from error
