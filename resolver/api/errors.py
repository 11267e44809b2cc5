"""Every error of the REST API as RFC 9457 problem details (contract, section REST).

This imports no view: the parsers, which DRF loads together with its views, raise these errors too.
"""

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from resolver.models import Job
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.storage import storage_errors

MEDIA_TYPE = "application/problem+json"
NO_ACCESS = "You may not use this portal. Ask the people who run it."
UNREADABLE = "The request can't be read."
MOST_NAMED = 20  # unknown names
LONGEST_NAMED = 100
logger = logging.getLogger(__name__)


class ProblemException(exceptions.APIException):
    """An error with a type of its own. `detail`: a sentence for the caller; `errors`: the sentences by field; `wait`:
    seconds, from which the header Retry-After is made."""

    slug = ""
    title = ""
    when = ""
    example = ""

    def __init__(
        self, detail: str | None = None, *, errors: Mapping[str, Sequence[str]] | None = None, wait: int | None = None
    ) -> None:
        super().__init__(detail)
        self.errors = dict(errors or {})
        self.wait = wait


def _make_type(
    status: int, slug: str, title: str, detail: str = "", *, when: str, example: str = ""
) -> type[ProblemException]:
    """Return a type of error. `detail`: its sentence, unless another is given; `when`: the occasion, for the schema;
    `example`: a sentence of a type without `detail`."""
    columns = {
        "status_code": status,
        "slug": slug,
        "title": title,
        "default_detail": detail,
        "when": when,
        "example": example or detail,
    }
    return type(slug.title().replace("-", ""), (ProblemException,), columns)


# The whole list of types; docs/api.md and the schema say when each occurs.
InvalidInput = _make_type(
    400,
    "invalid-input",
    "Invalid input",
    "Some fields are invalid. See errors.",
    when="A field or a query parameter is unknown or has a wrong value.",
)
FileUnreadable = _make_type(
    400,
    "unreadable-file",
    "The file can't be read",
    when="The file isn't a table that can be read. The detail has the reason and the line.",
    example="The file is empty. Choose another file, or save this one again.",
)
ReadOnlyToken = _make_type(
    403,
    "read-only-token",
    "The token may only read",
    "This token may only read. Make one that may write: on the account page, or in the shell with `createtoken` and "
    "`--scope write`.",
    when="An API token with the scope `read` wants to store, change or remove something.",
)
ForeignPage = _make_type(
    403,
    "foreign-page",
    "Request from another website",
    "This request came from another website, so nothing was stored or changed.",
    when="A page of another website sent the request.",
)
JobNotFinished = _make_type(
    409,
    "job-not-finished",
    "The job is not finished",
    "Download the results when the job is finished, cancelled or failed.",
    when="The job still runs, so there are no result files, no retry and no decisions.",
)
DecidedElsewhere = _make_type(
    409,
    "decided-meanwhile",
    "The row was decided meanwhile",
    when="The row isn't as you saw it. The detail has who decided and when.",
    example="The row was decided meanwhile: accepted by ada on 2026-11-23 05:21:48 UTC. Read it again.",
)
OtherNumber = _make_type(
    409,
    "other-number-of-rows",
    "Another number of rows matches",
    when="Another number of rows than `expected` matches. Nothing was changed.",
    example="33 rows match, so nothing was changed. Look at them again.",
)
NothingProposed = _make_type(
    409,
    "no-proposal",
    "There is no proposal to accept",
    when="A row has no registered DOI to accept. Nothing was changed.",
    example="Rows without a registered DOI to accept: 2. Nothing was changed.",
)
NotRegistered = _make_type(
    409,
    "not-registered",
    "The DOI is not registered",
    "The DOI of this lookup isn't registered, so it has no metadata. To get those of the suggestion, send it as doi.",
    when="The DOI of the lookup isn't registered, so it has no metadata.",
)
NoHostsToCheck = _make_type(
    409,
    "no-hosts",
    "There are no hosts to check",
    "No row of this job has a web address. A quick check doesn't read web addresses.",
    when="No row of the job has a web address, as in a quick check.",
)
HostChecksForbidden = _make_type(
    409,
    "host-checks-off",
    "This portal checks no hosts",
    "The operator of this portal has switched off checks of hosts.",
    when="The operator of the portal has switched off checks of hosts.",
)
AlreadyEnded = _make_type(
    409,
    "job-already-ended",
    "The job has already ended",
    when="The job has ended and can't be cancelled.",
    example="This job has already ended (finished).",
)
NothingToAskAgain = _make_type(
    409,
    "nothing-to-ask-again",
    "Nothing to retry",
    "Every row of this job has an answer. Only rows that couldn't be checked can be retried.",
    when="Every row of the job has its result.",
)
TooManyColumnsForXlsx = _make_type(
    409,
    "too-many-columns-for-xlsx",
    "Too many columns for XLSX",
    when="A sheet can't hold the result. Use the CSV.",
    example="An XLSX sheet can have at most 16,384 columns. Download the CSV instead.",
)
NoOriginalFile = _make_type(
    409,
    "no-bibliographic-file",
    "Not a bibliographic file",
    "The list was made of a table. Download its corrected results: results.csv?corrected=1.",
    when="The list was made of a table, so nothing can be written back into it.",
)
NoUploadedFile = _make_type(
    410,
    "file-is-gone",
    "The uploaded file is gone",
    "The uploaded file was removed from the portal. Upload it again. The results of its rows are still here.",
    when="The uploaded file was removed from the portal, so nothing can be written into it.",
)
TooLarge = _make_type(
    413,
    "too-large",
    "Too large",
    when="The body or the file has too many bytes, or the inputs together have too many characters.",
    example="The request is too large for this portal. Send it in smaller parts.",
)


class RangeNotSatisfiable(exceptions.APIException):
    """The range has no byte of the file."""

    status_code = 416

    def __init__(self, length: int, wanted: str) -> None:
        super().__init__(f"The file has {length:,} bytes. None of them is in the range {wanted}.")
        self.headers = {"Content-Range": f"bytes */{length}"}


KeyReused = _make_type(
    422,
    "idempotency-key-reused",
    "The Idempotency-Key was used before",
    "This Idempotency-Key was used with another request. Send a new key.",
    when="The Idempotency-Key was used before with another request.",
)
KeyUnderWay = _make_type(
    409,
    "idempotency-key-under-way",
    "The first request is still under way",
    "A request with this Idempotency-Key has no answer yet. Send this one again in a moment.",
    when="A request with this Idempotency-Key has no answer yet. Retry-After has the seconds.",
)
TooManyRequestedDois = _make_type(
    429,
    "too-many-dois",
    "Too many DOIs in a minute",
    when="The token, the account or the address has asked about too many DOIs in the last minute. Nothing was "
    "requested or stored. Retry-After has the seconds.",
    example="You can ask about 6,000 DOIs a minute, and 12 are left. Try again in 9 s.",
)
TooManyUploadedBytes = _make_type(
    429,
    "too-many-bytes",
    "Too many bytes in a day",
    when="The address has uploaded as many bytes in a day as is possible without an account. Nothing was stored. "
    "Retry-After has the seconds.",
    example="Without an account, 2,000 MB may be uploaded from your network address in a day, and 12 MB are left. "
    "Log in, or try again in 3 hours.",
)
QuotaUsedUp = _make_type(
    429,
    "quota-used-up",
    "The quota of the day is used up",
    when="The account has used up its lists, rows or requests of the day. Nothing was stored. Retry-After has the "
    "seconds until midnight (UTC).",
    example="Lists that you can check in a day: 50. All are used up. Try again after midnight (UTC).",
)
TooManyWebhooksMade = _make_type(
    409,
    "too-many-webhooks",
    "Too many webhooks",
    "Your account has as many webhooks as it may have. Delete one first.",
    when="The account has 20 webhooks.",
)
TooManyWatchesMade = _make_type(
    409,
    "too-many-watches",
    "Too many watches",
    "You have as many watches, or as many watched rows, as this portal allows. End one first.",
    when="The caller has as many watches, or as many rows in watched lists, as the settings MAX_WATCHES and "
    "MAX_WATCHED_NAMES allow.",
)
DoiUnchecked = _make_type(
    503,
    "doi-not-checked",
    "The DOI could not be checked",
    when="The DOI of a decision couldn't be checked. Nothing was stored.",
    example="We couldn't check this DOI: the DOI service didn't answer. Try again later.",
)
ProxyPauses = _make_type(
    503,
    "proxy-pauses",
    "Requests to the DOI proxy are paused",
    when="Requests to the DOI proxy are paused for longer than this request may wait, or many requests wait for it. "
    "Nothing was stored. Retry-After has the seconds.",
    example="The DOI proxy is slow, and many requests are waiting. "
    "There may be room after 09:30:00 UTC. Try again then.",
)
FilesBeingRead = _make_type(
    503,
    "files-being-read",
    "Many files are being read",
    when="As many files are being read as the portal reads at once, or as one address without an account may send at "
    "once. Nothing was stored. Retry-After has the seconds.",
    example="We are reading many files just now. Try again in 10 seconds.",
)
MetadataAway = _make_type(
    503,
    "metadata-away",
    "The metadata couldn't be requested",
    when="The DOI proxy or the agency's service gave no usable answer to a request for metadata.",
    example="The metadata couldn't be requested: it didn't answer.",
)
ServiceAway = _make_type(
    503,
    "service-away",
    "Service unavailable",
    storage_errors.AWAY,
    when="The portal's database, Redis or file storage doesn't answer. Jobs continue when it is back.",
)
StorageFull = _make_type(
    507,
    "storage-full",
    "Storage full",
    storage_errors.UNWRITABLE,
    when="The portal's disk is full or read-only. Nothing that you sent was stored.",
)


class LengthRequired(exceptions.APIException):
    """Django reads no body of unknown length: without this error the caller would hear that its fields are missing, or
    that all is done."""

    status_code = 411
    default_detail = "Send the length of the body (Content-Length). A body sent in chunks isn't accepted."


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
    return _respond(_of_storage(sys.exc_info()[1]) or exceptions.APIException(storage_errors.OUR_FAULT))


def refuse_cross_site(request: HttpRequest) -> JsonResponse:
    """Refuse a request that a page of another website has sent; no view sees it."""
    return _respond(ForeignPage())


def refuse_person() -> JsonResponse:
    """Refuse a person who has logged in elsewhere and may not use the portal; no view sees the request."""
    return _respond(exceptions.PermissionDenied(NO_ACCESS))


def length_required() -> JsonResponse:
    """Refuse a body of unknown length; no view sees the request."""
    return _respond(LengthRequired())


def bad_request(request: HttpRequest) -> JsonResponse:
    """Django's handler400: for a request that was refused before any view saw it."""
    return _respond(exceptions.ParseError(UNREADABLE))


def _respond(error: exceptions.APIException) -> JsonResponse:
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
        else ServiceAway(wait=storage_errors.TRY_AGAIN)
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
    told = f"There is no {what} with this name. {remedy}"
    others = [name for name in names if name not in known]
    return {name[:LONGEST_NAMED]: [told] for name in others[:MOST_NAMED]}
