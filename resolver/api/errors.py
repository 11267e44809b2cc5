"""Every error of the REST API as RFC 9457 problem details (contract, section REST).

This imports no view: the parsers, which DRF loads together with its views, raise these errors too.
"""

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from resolver.api.problem_types import (
    InvalidInput,
    JobNotFinished,
    ProblemException,
    ServiceAway,
    StorageFull,
    TooLarge,
)
from resolver.models import Job
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage import storage_errors

MEDIA_TYPE = "application/problem+json"
NO_ACCESS = "You may not use this portal. Ask the people who run it."
UNREADABLE = "The request can't be read."
QUOTED_CHARACTERS = 100  # of a name or a value that a caller sent
logger = logging.getLogger(__name__)


def answer_with_problem(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's EXCEPTION_HANDLER: every exception of a view becomes a problem."""
    error = _translate_exception(exc)
    if error is None:
        # Django itself sends this signal: a test client re-raises on it, an error reporter reports on it.
        got_request_exception.send(sender=None, request=context["request"])
        request = context["request"]
        logger.error("Server error: %s /%s", request.method, request.resolver_match.route, exc_info=exc)
        error = exceptions.APIException(storage_errors.OUR_FAULT)
    headers = {"WWW-Authenticate": getattr(error, "auth_header", None), "Retry-After": getattr(error, "wait", None)}
    headers |= getattr(error, "headers", {})
    return Response(
        describe_problem(error),
        status=error.status_code,
        headers={name: str(value) for name, value in headers.items() if value},
        content_type=MEDIA_TYPE,
    )


def server_error(request: HttpRequest) -> JsonResponse:
    """Django's handler500, called while the error is handled: for those outside the views (middleware, rendering)."""
    return respond_with_problem(_of_storage(sys.exc_info()[1]) or exceptions.APIException(storage_errors.OUR_FAULT))


def respond_with_problem(error: exceptions.APIException) -> JsonResponse:
    """Return the answer to a request that no view sees."""
    wait = getattr(error, "wait", None)
    headers = {"Retry-After": str(wait)} if wait else {}
    return JsonResponse(describe_problem(error), status=error.status_code, content_type=MEDIA_TYPE, headers=headers)


def describe_problem(error: exceptions.APIException) -> dict[str, Any]:
    """Return the members of RFC 9457; `errors` only if a field is to blame."""
    slug, errors = getattr(error, "slug", ""), getattr(error, "errors", {})
    body = {
        "type": f"/problems/{slug}" if slug else "about:blank",
        "title": getattr(error, "title", "") or HTTPStatus(error.status_code).phrase,
        "status": error.status_code,
        "detail": str(error.detail),
    }
    return {**body, "errors": errors} if errors else body


def _translate_exception(exc: Exception) -> exceptions.APIException | None:
    """Return what the exception means for the caller; None for a fault of ours."""
    if isinstance(exc, exceptions.ValidationError):
        return InvalidInput(errors=dict(_flatten(exc.detail, "")))
    if isinstance(exc, exceptions.NotFound) and exc.detail != exceptions.NotFound().detail:
        return exc
    if isinstance(exc, Http404 | Job.DoesNotExist | exceptions.NotFound):
        return exceptions.NotFound("This doesn't exist, or you can't access it.")
    if isinstance(exc, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(exc, exceptions.APIException):
        return exc
    if isinstance(exc, JobStillRunning):
        return JobNotFinished()
    if isinstance(exc, RequestDataTooBig):
        return TooLarge("The request is too large for this portal. Send it in smaller parts.")
    if isinstance(exc, SuspiciousOperation | BadRequest | UnreadablePostError):
        return exceptions.ParseError(UNREADABLE)
    return _of_storage(exc)


def _flatten(detail: Any, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the sentences about each field; one within another is named `channels.mail`."""
    if isinstance(detail, dict):
        for member, inner in detail.items():
            whole = name and member == api_settings.NON_FIELD_ERRORS_KEY
            yield from _flatten(inner, name if whole else f"{name}.{member}" if name else str(member))
    else:
        yield name or "body", detail


def _of_storage(exc: BaseException | None) -> ProblemException | None:
    """Return what the caller learns of a full disk or an absent database; the log has the rest."""
    refusal = (
        StorageFull()
        if storage_errors.is_unwritable(exc)
        else ServiceAway(wait=storage_errors.RETRY_SECONDS)
        if storage_errors.is_store_away(exc)
        else None
    )
    if refusal is not None:
        logger.error(refusal.title, exc_info=exc)  # its words may quote a row: they stand in the traceback alone
    return refusal


SENT_TWICE = "This field was sent more than once. Send it once."


def list_unknown_names(names: Iterable[str], known: Sequence[str], what: str) -> dict[str, list[str]]:
    """Return an error for each unknown name."""
    remedy = f"Use one of these: {', '.join(known)}." if known else "Send none."
    unknown = f"There is no {what} with this name. {remedy}"
    return build_name_errors((name for name in names if name not in known), unknown)


def build_name_errors(names: Iterable[str], sentence: str) -> dict[str, list[str]]:
    """Return this error for each of the first 20 names."""
    return {name[:QUOTED_CHARACTERS]: [sentence] for name in islice(names, 20)}
