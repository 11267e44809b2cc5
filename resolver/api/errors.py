"""Every error of the REST API as RFC 9457 problem details (contract, section REST)."""

import logging
import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import HttpRequest, JsonResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler

from resolver.api.exceptions import (
    ForeignPage,
    InvalidInput,
    JobNotFinished,
    Refusal,
    ServiceAway,
    StorageFull,
    TooLarge,
)
from resolver.models import Job
from resolver.services import storage_errors
from resolver.services.jobs.lifecycle import JobStillRunning

MEDIA_TYPE = "application/problem+json"
logger = logging.getLogger("django.request")


def problem_body(
    status: int, detail: str, *, title: str = "", slug: str = "", errors: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The members of RFC 9457; `errors` (texts by field) only where a field is to blame."""
    body: dict[str, Any] = {
        "type": f"/problems/{slug}" if slug else "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if errors:
        body["errors"] = dict(errors)
    return body


def answer_with_problem(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's EXCEPTION_HANDLER: no exception of a view leaves the API in another shape."""
    known = _known(exc)
    answer = exception_handler(known, dict(context))
    if answer is None:
        return _unforeseen(exc, context["request"])
    code = answer.status_code
    if isinstance(known, exceptions.ValidationError):
        body = problem_body(code, str(InvalidInput.default_detail), title=InvalidInput.title,
                            slug=InvalidInput.slug, errors=by_field(known.detail))  # fmt: skip
    elif isinstance(known, Refusal):
        body = problem_body(code, str(known.detail), title=known.title, slug=known.slug, errors=known.errors)
    elif code == HTTPStatus.NOT_FOUND:
        body = problem_body(code, "This doesn't exist, or you can't access it.")
    else:
        body = problem_body(code, str(answer.data["detail"]))
    # `headers` keeps what DRF set: WWW-Authenticate, Retry-After.
    return Response(body, status=code, headers=dict(answer.headers), content_type=MEDIA_TYPE)


def _known(exc: Exception) -> Exception:
    """Django's own complaints about a request, as DRF's, and a job that was deleted meanwhile or still runs."""
    if isinstance(exc, Job.DoesNotExist):
        return exceptions.NotFound()
    if isinstance(exc, JobStillRunning):
        return JobNotFinished()
    if isinstance(exc, RequestDataTooBig):
        return TooLarge("The request is larger than this portal accepts.")
    if isinstance(exc, SuspiciousOperation | BadRequest | UnreadablePostError):
        return exceptions.ParseError("The request cannot be read.")
    return _of_storage(exc) or exc


def _of_storage(exc: BaseException | None) -> Refusal | None:
    """What the caller learns of a failure that those who run the portal must mend; the log has the rest."""
    refusal = StorageFull() if storage_errors.is_full(exc) else ServiceAway() if storage_errors.is_away(exc) else None
    if refusal is not None:
        logger.error("%s: %s", refusal.title, exc, exc_info=exc)
    return refusal


def _unforeseen(exc: Exception, request: Request) -> Response:
    # The signal is what Django itself sends: a test client re-raises on it, an error reporter reports on it.
    got_request_exception.send(sender=None, request=request)
    logger.error("Internal Server Error: %s", request.path, exc_info=exc)
    return Response(server_error_body(), status=500, content_type=MEDIA_TYPE)


def server_error_body() -> dict[str, Any]:
    """What a caller learns of a fault of ours: that it is ours, and nothing from inside."""
    return problem_body(500, "Something went wrong on our side. It has been written to the log.")


def server_error(request: HttpRequest) -> JsonResponse:
    """For Django's handler500, called while the fault is being handled: one outside the views (middleware, rendering)
    has the same shape."""
    refusal = _of_storage(sys.exc_info()[1])
    if refusal is None:
        return JsonResponse(server_error_body(), status=500, content_type=MEDIA_TYPE)
    return _refused(refusal)


def foreign(request: HttpRequest) -> JsonResponse:
    """For a request that a page of another web site has sent, which no view sees."""
    return _refused(ForeignPage())


class NotFoundView(APIView):
    """Every address under /api/v1/ that is none. A closed portal does not tell a stranger even that."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before DRF looks for a method: a wrong address is 404 for each of them, never 405."""
        self.check_permissions(request)
        raise exceptions.NotFound


def _refused(refusal: Refusal) -> JsonResponse:
    code = refusal.status_code
    body = problem_body(code, str(refusal.detail), title=refusal.title, slug=refusal.slug)
    return JsonResponse(body, status=code, content_type=MEDIA_TYPE)


def bad_request(request: HttpRequest) -> JsonResponse:
    """For Django's handler400: a request that was refused before any view saw it."""
    return JsonResponse(problem_body(400, "The request cannot be read."), status=400, content_type=MEDIA_TYPE)


def by_field(detail: Any, path: str = "") -> dict[str, list[str]]:
    """DRF's nested details as one flat list of sentences for each field."""
    if isinstance(detail, Mapping):
        flat: dict[str, list[str]] = {}
        for name, inner in detail.items():
            for field, texts in by_field(inner, f"{path}.{name}" if path else str(name)).items():
                flat.setdefault(field, []).extend(texts)
        return flat
    if isinstance(detail, list | tuple):
        return {path or "body": [str(text) for text in detail]}
    return {path or "body": [str(detail)]}
