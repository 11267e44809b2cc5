"""Waiting for the end of a job, so that a program need not ask again and again."""

import time
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.jobs import get_own_job
from resolver.api.openapi.operations import operation
from resolver.api.openapi.parameters import PK, query
from resolver.api.problem_types import InvalidInput
from resolver.api.serializers.jobs import JobSerializer
from resolver.domain.foreign_text.whole_number import parse_whole_number
from resolver.services.http.request_attempt import wait_a_moment

LONGEST_WAIT = 60  # seconds


class JobWait(APIView):
    """A job, as soon as it has ended."""

    @operation(
        "waitForJob",
        "Jobs",
        "Wait for the end of a job",
        description="Get the job as soon as it has ended, else as it is when the time is over.",
        parameters=[
            PK,
            query(
                "seconds",
                "How long to wait, at most and by default 60 seconds.",
                30,
                {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": LONGEST_WAIT},
            ),
        ],
        answer=JobSerializer,
        says="The job. Ask again while its state isn't one of the last three.",
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the job when it has ended, or as it is after `seconds`, at most 60."""
        began = time.monotonic()
        seconds = _parse_seconds(request)
        job = get_own_job(request, pk)
        while not job.ended and wait_a_moment(began, seconds):
            job = get_own_job(request, pk)
        return Response(JobSerializer(job, context={"request": request}).data)


def _parse_seconds(request: Request) -> int:
    text = request.query_params.get("seconds", str(LONGEST_WAIT))
    seconds = parse_whole_number(text, LONGEST_WAIT + 1)
    if seconds is None or seconds > LONGEST_WAIT:
        raise InvalidInput(errors={"seconds": [f"Use a whole number of seconds from 0 to {LONGEST_WAIT}."]})
    return seconds
