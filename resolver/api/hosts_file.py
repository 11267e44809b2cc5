"""The download of a job's hosts as a file."""

from uuid import UUID

from django.http import HttpResponseBase
from rest_framework.request import Request
from rest_framework.views import APIView

from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import TEXT_FILE, operation
from resolver.api.openapi.parameters import DELIMITER, PK
from resolver.api.problem_types import JobNotFinished
from resolver.api.protocol.etags import build_results_etag
from resolver.api.protocol.query_parameters import parse_delimiter
from resolver.api.results import send_file
from resolver.services.results.hosts import build_hosts_download


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
        return send_file(request, file, build_results_etag(job, "hosts", request.META["QUERY_STRING"]))
