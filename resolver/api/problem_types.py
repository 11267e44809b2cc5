"""The errors that views of the REST API raise; `errors.py` makes problem details (RFC 9457) of them.

The docstring of a type says when it occurs. docs/api.md and the OpenAPI document show it.
"""

from collections.abc import Mapping, Sequence

from rest_framework import exceptions

from resolver.services.storage import storage_errors


class ProblemException(exceptions.APIException):
    """An error with a type of its own, named by its `slug`.

    `detail`: a sentence for the caller, or the type's own one; `errors`: the sentences by field; `wait`: seconds, from
    which the header Retry-After is made. `example` is a sentence of a type without one of its own.
    """

    slug = ""
    title = ""
    default_detail = ""
    example = ""

    def __init__(
        self, detail: str | None = None, *, errors: Mapping[str, Sequence[str]] | None = None, wait: int | None = None
    ) -> None:
        super().__init__(detail)
        self.errors = dict(errors or {})
        self.wait = wait

    @classmethod
    def describe_occasion(cls) -> str:
        """Return when the error occurs, in one line."""
        return " ".join((cls.__doc__ or "").split())


class InvalidInput(ProblemException):
    """A field or a query parameter is unknown or has a wrong value."""

    status_code = 400
    slug = "invalid-input"
    title = "Invalid input"
    default_detail = "Some fields are invalid. See errors."


class FileUnreadable(ProblemException):
    """The file isn't a table that can be read. The detail has the reason and the line."""

    status_code = 400
    slug = "unreadable-file"
    title = "The file can't be read"
    example = "The file is empty. Choose another file, or save this one again."


class ReadOnlyToken(ProblemException):
    """An API token with the scope `read` wants to store, change or remove something."""

    status_code = 403
    slug = "read-only-token"
    title = "The token may only read"
    default_detail = (
        "This token may only read. Make one that may write: on the account page, or in the shell with `createtoken` "
        "and `--scope write`."
    )


class ForeignPage(ProblemException):
    """A page of another website sent the request."""

    status_code = 403
    slug = "foreign-page"
    title = "Request from another website"
    default_detail = "This request came from another website, so nothing was stored or changed."


class JobNotFinished(ProblemException):
    """The job still runs, so there are no result files, no retry and no decisions."""

    status_code = 409
    slug = "job-not-finished"
    title = "The job is not finished"
    default_detail = "Download the results when the job is finished, cancelled or failed."


class DecidedElsewhere(ProblemException):
    """The row isn't as you saw it. The detail has who decided and when."""

    status_code = 409
    slug = "decided-meanwhile"
    title = "The row was decided meanwhile"
    example = "The row was decided meanwhile: accepted by ada on 2026-11-23 05:21:48 UTC. Read it again."


class OtherNumber(ProblemException):
    """Another number of rows than `expected` matches. Nothing was changed."""

    status_code = 409
    slug = "other-number-of-rows"
    title = "Another number of rows matches"
    example = "33 rows match, so nothing was changed. Look at them again."


class NothingProposed(ProblemException):
    """A row has no registered DOI to accept. Nothing was changed."""

    status_code = 409
    slug = "no-proposal"
    title = "There is no proposal to accept"
    example = "Rows without a registered DOI to accept: 2. Nothing was changed."


class NotRegistered(ProblemException):
    """The DOI of the lookup isn't registered, so it has no metadata."""

    status_code = 409
    slug = "not-registered"
    title = "The DOI is not registered"
    default_detail = (
        "The DOI of this lookup isn't registered, so it has no metadata. "
        "To get those of the suggestion, send it as doi."
    )


class NoHostsToCheck(ProblemException):
    """No row of the job has a web address, as in a quick check."""

    status_code = 409
    slug = "no-hosts"
    title = "There are no hosts to check"
    default_detail = "No row of this job has a web address. A quick check doesn't read web addresses."


class HostChecksForbidden(ProblemException):
    """The operator of the portal has switched off checks of hosts."""

    status_code = 409
    slug = "host-checks-off"
    title = "This portal checks no hosts"
    default_detail = "The operator of this portal has switched off checks of hosts."


class AlreadyEnded(ProblemException):
    """The job has ended and can't be cancelled."""

    status_code = 409
    slug = "job-already-ended"
    title = "The job has already ended"
    example = "This job has already ended (finished)."


class NothingToAskAgain(ProblemException):
    """Every row of the job has its result."""

    status_code = 409
    slug = "nothing-to-ask-again"
    title = "Nothing to retry"
    default_detail = "Every row of this job has an answer. Only rows that couldn't be checked can be retried."


class TooManyColumnsForXlsx(ProblemException):
    """A sheet can't hold the result. Use the CSV."""

    status_code = 409
    slug = "too-many-columns-for-xlsx"
    title = "Too many columns for XLSX"
    example = "An XLSX sheet can have at most 16,384 columns. Download the CSV instead."


class NoOriginalFileToSend(ProblemException):
    """The uploaded file can't come back corrected: a pasted list, JSON lines, XLS or XLSB. The detail says why, and
    what to do instead."""

    status_code = 409
    slug = "no-original-file"
    title = "The file can't come back corrected"
    example = "You pasted this list, so there is no file. Use the results with corrected DOIs instead."


class NoUploadedFile(ProblemException):
    """The uploaded file was removed from the portal, so nothing can be written into it."""

    status_code = 410
    slug = "file-is-gone"
    title = "The uploaded file is gone"
    default_detail = (
        "The uploaded file was removed from the portal. Upload it again. The results of its rows are still here."
    )


class TooLarge(ProblemException):
    """The body or the file has too many bytes, or the inputs together have too many characters."""

    status_code = 413
    slug = "too-large"
    title = "Too large"
    example = "The request is too large for this portal. Send it in smaller parts."


class KeyReused(ProblemException):
    """The Idempotency-Key was used before with another request."""

    status_code = 422
    slug = "idempotency-key-reused"
    title = "The Idempotency-Key was used before"
    default_detail = "This Idempotency-Key was used with another request. Send a new key."


class KeyUnderWay(ProblemException):
    """A request with this Idempotency-Key has no answer yet. Retry-After has the seconds."""

    status_code = 409
    slug = "idempotency-key-under-way"
    title = "The first request is still under way"
    default_detail = "A request with this Idempotency-Key has no answer yet. Send this one again in a moment."


class TooManyRequestedDois(ProblemException):
    """The token, the account or the address has sent too many DOIs in the last minute. Nothing was requested or
    stored. Retry-After has the seconds."""

    status_code = 429
    slug = "too-many-dois"
    title = "Too many DOIs in a minute"
    example = "You can ask about 6,000 DOIs a minute, and 12 are left. Try again in 9 s."


class TooManyUploadedBytes(ProblemException):
    """The address has uploaded as many bytes in a day as is possible without an account. Nothing was stored.
    Retry-After has the seconds."""

    status_code = 429
    slug = "too-many-bytes"
    title = "Too many bytes in a day"
    example = (
        "Without an account, 2,000 MB may be uploaded from your network address in a day, and 12 MB are left. "
        "Log in, or try again in 3 hours."
    )


class QuotaUsedUp(ProblemException):
    """The account has used up its lists, rows or requests of the day. Nothing was stored. Retry-After has the seconds
    until midnight (UTC)."""

    status_code = 429
    slug = "quota-used-up"
    title = "The quota of the day is used up"
    example = "Lists that you can check in a day: 50. All are used up. Try again after midnight (UTC)."


class TooManyWebhooksMade(ProblemException):
    """The account has 20 webhooks."""

    status_code = 409
    slug = "too-many-webhooks"
    title = "Too many webhooks"
    default_detail = "Your account has as many webhooks as it may have. Delete one first."


class TooManyWatchesMade(ProblemException):
    """The caller has as many watches, or as many rows in watched lists, as the settings MAX_WATCHES and
    MAX_WATCHED_NAMES allow."""

    status_code = 409
    slug = "too-many-watches"
    title = "Too many watches"
    default_detail = "You have as many watches, or as many watched rows, as this portal allows. End one first."


class DoiUnchecked(ProblemException):
    """The DOI of a decision couldn't be checked. Nothing was stored."""

    status_code = 503
    slug = "doi-not-checked"
    title = "The DOI could not be checked"
    example = "We couldn't check this DOI: the DOI service didn't answer. Try again later."


class ProxyPauses(ProblemException):
    """Requests to the DOI proxy are paused for longer than this request may wait, or many requests wait for it. Nothing
    was stored. Retry-After has the seconds."""

    status_code = 503
    slug = "proxy-pauses"
    title = "Requests to the DOI proxy are paused"
    example = (
        "The DOI proxy is slow, and many requests are waiting. There may be room after 09:30:00 UTC. Try again then."
    )


class FilesBeingRead(ProblemException):
    """As many files are being read as the portal reads at once, or as one address without an account may send at once.
    Nothing was stored. Retry-After has the seconds."""

    status_code = 503
    slug = "files-being-read"
    title = "Many files are being read"
    example = "We are reading many files just now. Try again in 10 seconds."


class MetadataAway(ProblemException):
    """The DOI proxy or the agency's service gave no usable answer to a request for metadata."""

    status_code = 503
    slug = "metadata-away"
    title = "The metadata couldn't be requested"
    example = "The metadata couldn't be requested: it didn't answer."


class ServiceAway(ProblemException):
    """The portal's database, Redis or file storage doesn't answer. Jobs continue when it is back."""

    status_code = 503
    slug = "service-away"
    title = "Service unavailable"
    default_detail = storage_errors.AWAY


class StorageFull(ProblemException):
    """The portal's disk is full or read-only. Nothing that you sent was stored."""

    status_code = 507
    slug = "storage-full"
    title = "Storage full"
    default_detail = storage_errors.UNWRITABLE


class LengthRequired(exceptions.APIException):
    """Django reads no body of unknown length: without this error the caller would hear that its fields are missing, or
    that all is done."""

    status_code = 411
    default_detail = "Send the length of the body (Content-Length). A body sent in chunks isn't accepted."
