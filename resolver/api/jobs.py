"""Jobs: files that are checked, and their results, as rows and as files."""

import time
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from resolver import tasks
from resolver.api.openapi.document import EXAMPLES
from resolver.api.openapi.operations import operation, removal
from resolver.api.openapi.parameters import DAILY_QUOTAS, IDEMPOTENCY_KEY, NEWEST_FIRST, PK, query
from resolver.api.problem_types import (
    AlreadyEnded,
    FilesBeingRead,
    FileUnreadable,
    InvalidInput,
    JobNotFinished,
    KeyReused,
    KeyUnderWay,
    NothingToAskAgain,
    TooLarge,
    TooManyUploadedBytes,
)
from resolver.api.protocol.daily_quotas import add_list_quotas, refuse
from resolver.api.protocol.empty_body import PARSERS_WITHOUT_FIELDS
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.file_body import (
    FILE_TYPES,
    FileBodyParser,
    collect_fields,
    describe_fields,
    find_charset,
    is_file_body,
    read_as_table,
    refuse_oversized,
)
from resolver.api.protocol.idempotency import IdempotentView, idempotent
from resolver.api.protocol.pagination import NewestFirstPagination, page_of
from resolver.api.protocol.query_parameters import refuse_unknown_parameters
from resolver.api.serializers.job_requests import JobRequestSerializer
from resolver.api.serializers.jobs import JobSerializer
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.requests import DescriptionRequestSerializer, find_oldest_answer
from resolver.api.webhooks import choose_webhook
from resolver.domain.foreign_text import parse_whole_number
from resolver.models import Job
from resolver.services.accounts.owners import get_owner, get_owner_for_reading, get_sharer
from resolver.services.accounts.quotas import QuotaReached
from resolver.services.http.request_run import wait_or_turn_back
from resolver.services.jobs import lifecycle, retry
from resolver.services.jobs.create import LayoutRequest, NewList, create_job
from resolver.services.jobs.job_search import find_jobs
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.services.uploads.daily_upload_bytes import UploadLimitReached, count_upload
from resolver.services.uploads.file_reader import build_file_reader
from resolver.services.uploads.reading_places import NoReadingPlace
from resolver.services.uploads.stored_uploads import UploadTooLarge
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.work_columns import WORK_FIELDS

NO_FILE = "No file was sent. Send it as the part `file` of a multipart form, or as the body."
MAX_WAIT_SECONDS = 60  # for the end of a job, so that a program need not poll


class Jobs(IdempotentView):
    """The caller's jobs, newest first; POST stores a file and starts its check."""

    parser_classes = (MultiPartParser, FileBodyParser)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Read the query and the fields of a form as UTF-8: a `charset` beside the media type is that of the file, and
        Django would decode the query by it."""
        request.encoding = settings.DEFAULT_CHARSET
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Bound the body before the CSRF check, which parses the whole form."""
        if request.method == "POST":
            refuse_oversized(request)
        super().initial(request, *args, **kwargs)

    @operation(
        "listJobs",
        "Jobs",
        "List your jobs",
        parameters=[query("q", "Only jobs with this text in their name or file name.", "spring"), *NEWEST_FIRST],
        answer=page_of(JobSerializer, "jobs", "newest first"),
        says="A page of your jobs, newest first.",
    )
    def get(self, request: Request) -> Response:
        """Return a page of the caller's jobs, or of those with `q` in their name or file name."""
        found = find_jobs(get_owner_for_reading(request), q=request.query_params.get("q", ""))
        return Response(NewestFirstPagination().build_page(found, request, JobSerializer))

    @operation(
        "createJob",
        "Jobs",
        "Check a list",
        description="Upload a file with a DOI in each row, as a part of a form or as the body itself. A worker checks "
        "the rows. The portal finds out from the content how to read the file; the fields change that.",
        parameters=[
            IDEMPOTENCY_KEY,
            *DAILY_QUOTAS,
            *describe_fields(JobRequestSerializer().fields, EXAMPLES["JobRequest"][0]),
        ],
        body=JobRequestSerializer,
        files=FILE_TYPES,
        changes=True,
        status=HTTPStatus.ACCEPTED,
        answer=JobSerializer,
        says="The job is stored, and waits for a worker.",
        errors=[FileUnreadable, FilesBeingRead, KeyReused, KeyUnderWay, TooManyUploadedBytes],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Return 202 when the job is stored; a worker reads and checks the rows."""
        if "file" not in request.FILES:
            raise InvalidInput(errors={"file": [NO_FILE]})
        from_query = is_file_body(request)
        if not from_query:
            refuse_unknown_parameters(request)
        wanted = JobRequestSerializer.parse(collect_fields(request) if from_query else request.data)
        now = read_clock()
        sent, options = wanted["file"], wanted["options"]
        webhook = choose_webhook(request, wanted.get("webhook"), member="webhook")
        table, origin = read_as_table(request, sent)
        try:
            with count_upload(request, sent.size):
                job, is_new = create_job(
                    table,
                    NewList(
                        owner=get_owner(request),
                        sharer=get_sharer(request),
                        filename=sent.name,
                        quick=wanted["quick"],
                        name=wanted["name"],
                        note=wanted["note"],
                    ),
                    proxy=proxy_from_settings(),
                    now=now,
                    wanted=LayoutRequest(
                        column=wanted["column"],
                        expected_column=wanted["expected_column"],
                        works=wanted["works"],
                        work_columns=wanted["work_columns"],
                        options=options,
                        split=wanted["split"],
                        charset=find_charset(request, sent),
                        origin=origin,
                    ),
                    idempotency_key=self.request_id,
                    fresh_since=find_oldest_answer(wanted, now),
                    only_webhook=webhook.pk if webhook else None,
                    reader=build_file_reader(request),
                )
        except UnreadableFile as error:
            if isinstance(error, NeedsChoice) and error.about == "expected":
                raise InvalidInput(errors={"expected_column": [str(error)]}) from error
            if isinstance(error, NeedsChoice) and error.about.removesuffix("_column") in WORK_FIELDS:
                raise InvalidInput(errors={error.about: [str(error)]}) from error
            if isinstance(error, NeedsChoice) and (field := options.find_field(error, wanted["column"])):
                raise InvalidInput(errors={field: [str(error)]}) from error
            raise FileUnreadable(str(error), errors={"file": [str(error)]}) from error
        except UploadTooLarge as error:
            raise TooLarge(str(error), errors={"file": [str(error)]}) from error
        except UploadLimitReached as error:
            raise TooManyUploadedBytes(str(error), wait=error.seconds) from error
        except NoReadingPlace as error:
            raise FilesBeingRead(str(error), wait=error.wait) from error
        except QuotaReached as error:
            add_list_quotas(self, get_owner(request), now)
            raise refuse(error) from error
        if is_new:
            tasks.enqueue_job(job)
        add_list_quotas(self, job.owner, now)
        return _accept_job(request, job)


class OneJob(TaggedView):
    """One job of the caller."""

    @operation(
        "getJob",
        "Jobs",
        "Get a job",
        description="Return the progress and the counts so far. Request it every few seconds until it has ended.",
        parameters=[PK],
        answer=JobSerializer,
        says="The job.",
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return its progress, and the counts so far."""
        return Response(_serialize_job(request, get_own_job(request, pk)))

    @operation(
        "describeJob",
        "Jobs",
        "Change the name or the note of a job",
        parameters=[PK],
        body=DescriptionRequestSerializer,
        changes=True,
        guarded=True,
        answer=JobSerializer,
        says="The job with the new name and note.",
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change its name or note."""
        job = get_own_job(request, pk)
        lifecycle.update_description(job, **DescriptionRequestSerializer.parse(request.data))
        return Response(_serialize_job(request, job))

    @removal(
        "deleteJob",
        "Jobs",
        "Remove a job with its rows and its file",
        description="Remove the job. A running job stops.",
        says="The job is removed.",
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Remove the job with its rows and file. A running one stops."""
        job = get_own_job(request, pk)
        lifecycle.disown_job(job)
        tasks.start_removals()
        return Response(status=204)


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
                {"type": "integer", "minimum": 0, "maximum": MAX_WAIT_SECONDS, "default": MAX_WAIT_SECONDS},
            ),
        ],
        answer=JobSerializer,
        says="The job. Ask again while its state isn't one of the last three.",
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the job when it has ended, or as it is after `seconds`, at most 60."""
        began = time.monotonic()
        seconds = parse_whole_number(request.query_params.get("seconds", str(MAX_WAIT_SECONDS)), MAX_WAIT_SECONDS + 1)
        if seconds is None or seconds > MAX_WAIT_SECONDS:
            raise InvalidInput(errors={"seconds": [f"Use a whole number of seconds from 0 to {MAX_WAIT_SECONDS}."]})
        job = get_own_job(request, pk)
        while not job.ended and wait_or_turn_back(began, seconds):
            job = get_own_job(request, pk)
        return Response(_serialize_job(request, job))


class Cancellation(APIView):
    """Stop a job; its results so far stay."""

    parser_classes = PARSERS_WITHOUT_FIELDS

    @operation(
        "cancelJob",
        "Jobs",
        "Stop a job",
        description="Stop the job. Its results so far stay.",
        parameters=[PK],
        changes=True,
        answer=JobSerializer,
        says="The cancelled job.",
        errors=[AlreadyEnded],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Return the job, or 409 if it has ended."""
        job = get_own_job(request, pk)
        if not lifecycle.cancel_job(job, now=read_clock()):
            raise AlreadyEnded(f"This job has already ended ({job.state}).")
        tasks.send_due_webhooks()
        return Response(_serialize_job(request, job))


class Retry(APIView):
    """Retry the rows that couldn't be checked, and those that a stopped job has not reached."""

    parser_classes = PARSERS_WITHOUT_FIELDS

    @operation(
        "retryJob",
        "Jobs",
        "Retry the rows that couldn't be checked",
        description="Check again the rows that couldn't be checked, the incomplete rows, and in a cancelled or failed "
        "job the rows that were never checked. Rows with a complete result keep it.",
        parameters=[PK],
        changes=True,
        status=HTTPStatus.ACCEPTED,
        answer=JobSerializer,
        says="The job, which runs again.",
        errors=[JobNotFinished, NothingToAskAgain],
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Return 202; a worker checks the rows. 409 while the job runs, or if every row has its answer."""
        job = get_own_job(request, pk)
        try:
            retry.retry_job(job, proxy=proxy_from_settings(), now=read_clock())
        except lifecycle.JobStillRunning as error:
            raise JobNotFinished("The job is still running. Retry when it has ended.") from error
        except retry.NothingToRetry as error:
            raise NothingToAskAgain from error
        tasks.enqueue_job(job)
        return _accept_job(request, job)


def get_own_job(request: Request, pk: UUID) -> Job:
    """Return the caller's job. Raises Http404, also for another's."""
    return get_object_or_404(find_jobs(get_owner_for_reading(request)), pk=pk)


def _serialize_job(request: Request, job: Job) -> Any:
    return represent(JobSerializer, job, request=request)


def _accept_job(request: Request, job: Job) -> Response:
    address = reverse("api:job", args=[job.pk], request=request)
    return Response(_serialize_job(request, job), status=202, headers={"Location": address})
