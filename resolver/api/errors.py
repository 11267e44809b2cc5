"""Every error of the REST API as RFC 9457 problem details (contract, section REST)."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import HttpRequest, JsonResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

MEDIA_TYPE = "application/problem+json"
logger = logging.getLogger("django.request")


class Refusal(exceptions.APIException):
    """An error with a type of its own; the subclasses are the whole list of types, and docs/api.md holds each."""

    slug = ""
    title = ""

    def __init__(self, detail: str | None = None, *, errors: Mapping[str, list[str]] | None = None) -> None:
        super().__init__(detail)
        self.errors = dict(errors or {})


class InvalidInput(Refusal):
    """The request was understood, but a field or a query parameter holds what it must not."""

    status_code, slug, title = 400, "invalid-input", "Invalid input"
    default_detail = "Some of what was sent cannot be accepted; see errors."


class FileUnreadable(Refusal):
    """The uploaded file cannot be read as a list; `detail` has the reason and the line."""

    status_code, slug, title = 400, "unreadable-file", "The file cannot be read"


class TooLarge(Refusal):
    """More bytes than this portal takes."""

    status_code, slug, title = 413, "too-large", "Too large"


class NotFinished(Refusal):
    """Results are asked for while the job still runs."""

    status_code, slug, title = 409, "job-not-finished", "The job is not finished"
    default_detail = "The results can be fetched when the job is finished, cancelled or failed."


class TooManyRowsForXlsx(Refusal):
    """More rows or columns than a sheet of a workbook holds."""

    status_code, slug, title = 409, "too-many-rows-for-xlsx", "Too many rows for XLSX"


class AlreadyEnded(Refusal):
    """A job that has ended cannot be cancelled."""

    status_code, slug, title = 409, "job-already-ended", "The job has already ended"


class KeyReused(Refusal):
    """An Idempotency-Key that stands for another upload."""

    status_code, slug, title = 422, "idempotency-key-reused", "The Idempotency-Key was used before"
    default_detail = "This Idempotency-Key came before with another file, column or quick. Send a new key."


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
        return _unforeseen(exc, context["request"]._request)
    code = answer.status_code
    if isinstance(known, exceptions.ValidationError):
        body = problem_body(code, str(InvalidInput.default_detail), title=InvalidInput.title,
                            slug=InvalidInput.slug, errors=by_field(known.detail))  # fmt: skip
    elif isinstance(known, Refusal):
        body = problem_body(code, str(known.detail), title=known.title, slug=known.slug, errors=known.errors)
    elif code == HTTPStatus.NOT_FOUND:
        body = problem_body(code, "There is nothing here that you may see.")
    else:
        body = problem_body(code, str(answer.data["detail"]))
    # `headers` keeps what DRF set: WWW-Authenticate, Retry-After.
    return Response(body, status=code, headers=dict(answer.headers), content_type=MEDIA_TYPE)


def _known(exc: Exception) -> Exception:
    """Django's own complaints about a request, as DRF's."""
    if isinstance(exc, RequestDataTooBig):
        return TooLarge("The request is larger than this portal takes.")
    if isinstance(exc, SuspiciousOperation | BadRequest | UnreadablePostError):
        return exceptions.ParseError("The request cannot be read.")
    return exc


def _unforeseen(exc: Exception, request: HttpRequest) -> Response:
    # The signal is what Django itself sends: a test client re-raises on it, an error reporter reports on it.
    got_request_exception.send(sender=None, request=request)
    logger.error("Internal Server Error: %s", request.path, exc_info=exc)
    return Response(server_error_body(), status=500, content_type=MEDIA_TYPE)


def server_error_body() -> dict[str, Any]:
    """What a caller learns of a fault of ours: that it is ours, and nothing from inside."""
    return problem_body(500, "Something went wrong on our side. It has been written to the log.")


def server_error(request: HttpRequest) -> JsonResponse:
    """For Django's handler500: a fault outside the views (middleware, rendering) has the same shape."""
    return JsonResponse(server_error_body(), status=500, content_type=MEDIA_TYPE)


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
