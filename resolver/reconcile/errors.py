"""Errors of the reconciliation service, as RFC 9457 problem details.

This imports no view: Django's handlers of errors outside the views need it too.
"""

import json
from http import HTTPStatus

from django.http import HttpResponse

from resolver.services.storage import storage_errors

OPEN_TO_SCRIPTS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "RateLimit, RateLimit-Policy, Retry-After",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Pages of any site may read the answers, because the service ignores cookies."""


RETRY_AFTER_SECONDS = 5  # the answers that came are stored, so the next attempt requests only the others


class ReconcileError(Exception):
    """A request that gets no answer: its HTTP status, and a sentence for the person in front of the client. `wait`:
    seconds for Retry-After."""

    def __init__(self, status: HTTPStatus, detail: str, *, wait: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.wait = status, detail, wait


def build_unchecked_batch(number: int, total: int, why: object) -> ReconcileError:
    """Return the error of a batch of which so many texts couldn't be checked: an empty result would say that there is
    nothing. `why`: the failure of one of them, or None."""
    detail = f"{number} of {total} texts couldn't be checked{f' ({why})' if why else ''}. Send the batch again."
    return ReconcileError(HTTPStatus.SERVICE_UNAVAILABLE, detail, wait=RETRY_AFTER_SECONDS)


def build_problem(error: ReconcileError) -> HttpResponse:
    """Return the error as a response that scripts of any site can read."""
    problem = {
        "type": "about:blank",
        "title": error.status.phrase,
        "status": int(error.status),
        "detail": str(error.detail),
    }
    response = HttpResponse(json.dumps(problem), "application/problem+json", error.status, headers=OPEN_TO_SCRIPTS)
    if error.wait is not None:
        response["Retry-After"] = str(error.wait)
    if error.status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = 'Bearer realm="doiportal"'
    return response


def refuse(status: HTTPStatus, detail: str) -> HttpResponse:
    """Return the answer to a request that no view sees."""
    return build_problem(ReconcileError(status, detail))


def server_error(error: BaseException | None) -> HttpResponse:
    """Return the answer to an error outside the views, without internal details."""
    if storage_errors.is_unwritable(error):
        return build_problem(ReconcileError(HTTPStatus.INSUFFICIENT_STORAGE, storage_errors.UNWRITABLE))
    if storage_errors.is_store_away(error):
        return build_problem(
            ReconcileError(HTTPStatus.SERVICE_UNAVAILABLE, storage_errors.AWAY, wait=storage_errors.RETRY_SECONDS)
        )
    return build_problem(ReconcileError(HTTPStatus.INTERNAL_SERVER_ERROR, storage_errors.OUR_FAULT))
