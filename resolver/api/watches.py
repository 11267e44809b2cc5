"""Watches: lists that the portal checks again by itself, and what changed in them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils.translation import get_language_from_request
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from resolver import tasks
from resolver.api.openapi.operations import operation, removal
from resolver.api.openapi.parameters import IDEMPOTENCY_KEY, NEWEST_FIRST, PK
from resolver.api.problem_types import (
    InvalidInput,
    JobNotFinished,
    KeyReused,
    KeyUnderWay,
    ProblemException,
    TooManyWatchesMade,
)
from resolver.api.protocol.empty_body import PARSERS_WITHOUT_FIELDS
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.idempotency import IdempotentView, idempotent
from resolver.api.protocol.pagination import LatestFirstPagination, NewestFirstPagination, page_of
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.watch_requests import WatchChangesRequestSerializer, WatchRequestSerializer
from resolver.api.serializers.watches import WatchChangeSerializer, WatchSerializer
from resolver.api.webhooks import choose_webhook
from resolver.models import Depth, Every, Watch
from resolver.services.accounts.owners import get_owner, get_owner_for_reading
from resolver.services.jobs.job_search import find_jobs
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage.clock import read_clock
from resolver.services.watches import registration, runs
from resolver.services.watches.registration import WatchRefused

_REFUSALS = {
    "stopped": ("job", "The check of this job was stopped. Check the list to its end, and watch that job."),
    "no-file": ("job", "The uploaded file of this job is no longer available. Upload it again, and watch that job."),
    "no-mail-address": (
        "channels.mail",
        "Your account has no confirmed mail address, or this portal sends no mails. Set it on the account page.",
    ),
    "no-webhook": ("channels.webhook", "Your account has no webhook with this id."),
}


class Watches(IdempotentView):
    """The caller's watches."""

    @operation(
        "listWatches",
        "Watches",
        "List your watches",
        parameters=NEWEST_FIRST,
        answer=page_of(WatchSerializer, "watches", "newest first"),
        says="A page of your watches, newest first.",
    )
    def get(self, request: Request) -> Response:
        """Return a page."""
        found = registration.find_watches(get_owner_for_reading(request))
        return Response(NewestFirstPagination().build_page(found, request, WatchSerializer))

    @operation(
        "createWatch",
        "Watches",
        "Watch a list",
        description="Have the list of a job that has ended checked again and again. What is broken in it today is "
        "known, and isn't reported. What breaks later is reported after a second check 24 hours later.",
        parameters=[IDEMPOTENCY_KEY],
        body=WatchRequestSerializer,
        changes=True,
        status=HTTPStatus.CREATED,
        answer=WatchSerializer,
        says="The watch.",
        errors=[JobNotFinished, TooManyWatchesMade, KeyReused, KeyUnderWay],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Store the watch."""
        wanted = WatchRequestSerializer.parse(request.data)
        job = find_jobs(get_owner(request)).filter(pk=wanted["job"]).first()
        if job is None:
            raise InvalidInput(errors={"job": ["You have no job with this id."]})
        channels = wanted["channels"]
        try:
            watch = registration.create_watch(
                job,
                every=Every(wanted["every"]),
                depth=Depth(wanted["depth"]),
                compare=wanted["compare"],
                portal=request.build_absolute_uri("/"),
                language=get_language_from_request(request),
                now=read_clock(),
                name=wanted["name"],
                mail=channels.get("mail", False),
                webhook=choose_webhook(request, channels.get("webhook"), member="channels.webhook"),
                watch_id=self.make_object_id(),
            )
        except JobStillRunning as error:
            raise JobNotFinished("The job is still running. Watch it when it has ended.") from error
        except WatchRefused as error:
            raise _refuse(error) from error
        address = reverse("api:watch", args=[watch.pk], request=request)
        return Response(_show(request, watch), status=201, headers={"Location": address})


class OneWatch(TaggedView):
    """One watch of the caller."""

    @operation(
        "getWatch", "Watches", "Get a watch", parameters=[PK], answer=WatchSerializer, says="The watch.", tagged=True
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the watch with its newest run."""
        return Response(_show(request, _get_watch(request, pk)))

    @operation(
        "changeWatch",
        "Watches",
        "Change a watch",
        description="Change the members that you send. `paused` stops and resumes the runs; a run that is under way "
        "continues.",
        parameters=[PK],
        body=WatchChangesRequestSerializer,
        changes=True,
        guarded=True,
        answer=WatchSerializer,
        says="The changed watch.",
    )
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change it."""
        watch = _get_watch(request, pk)
        wanted = WatchChangesRequestSerializer.parse(request.data)
        try:
            registration.update_watch(watch, _read_changes(request, wanted), now=read_clock())
        except WatchRefused as error:
            raise _refuse(error) from error
        return Response(_show(request, watch))

    @removal(
        "deleteWatch",
        "Watches",
        "End a watch",
        description="Remove the watch with what it knows. The jobs of its runs stay.",
        says="The watch is removed.",
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """End it."""
        registration.delete_watch(_get_watch(request, pk), now=read_clock())
        return Response(status=204)


class WatchRunNow(APIView):
    """Start a run before it is due."""

    parser_classes = PARSERS_WITHOUT_FIELDS

    @operation(
        "runWatch",
        "Watches",
        "Check a watched list now",
        description="Start a run now; if one is under way, it continues instead. A paused watch is resumed.",
        parameters=[PK],
        changes=True,
        status=HTTPStatus.ACCEPTED,
        answer=WatchSerializer,
        says="The watch. Its run starts in a moment.",
    )
    def post(self, request: Request, pk: UUID) -> Response:
        """Return 202; a worker starts the run."""
        watch = _get_watch(request, pk)
        runs.run_soon(watch, read_clock())
        tasks.start_watches()
        address = reverse("api:watch", args=[watch.pk], request=request)
        return Response(_show(request, watch), status=202, headers={"Location": address})


class WatchChanges(APIView):
    """What changed in a watched list."""

    @operation(
        "listWatchChanges",
        "Watches",
        "List what changed in a watched list",
        parameters=[PK, *NEWEST_FIRST],
        answer=page_of(WatchChangeSerializer, "changes", "newest first"),
        says="A page of changes, newest first.",
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return a page."""
        found = registration.find_changes(_get_watch(request, pk))
        return Response(LatestFirstPagination().build_page(found, request, WatchChangeSerializer))


def _read_changes(request: Request, wanted: Mapping[str, Any]) -> dict[str, Any]:
    changes = {name: value for name, value in wanted.items() if name != "channels"}
    channels = wanted.get("channels", {})
    if "mail" in channels:
        changes["mail"] = channels["mail"]
    if "webhook" in channels:
        changes["webhook"] = choose_webhook(request, channels["webhook"], member="channels.webhook")
    return changes


def _refuse(error: WatchRefused) -> ProblemException:
    if error.reason in _REFUSALS:
        member, sentence = _REFUSALS[error.reason]
        return InvalidInput(errors={member: [sentence]})
    return TooManyWatchesMade()


def _get_watch(request: Request, pk: UUID) -> Watch:
    """Return the caller's watch. Raises Http404, also for another's."""
    return get_object_or_404(registration.find_watches(get_owner_for_reading(request)), pk=pk)


def _show(request: Request, watch: Watch) -> Any:
    return represent(WatchSerializer, watch, request=request)
