"""The errors that have a type of their own.

Apart from `errors.py`: the parsers, which DRF loads together with its views, raise them too.
"""

from collections.abc import Mapping

from rest_framework import exceptions

from resolver.services import storage_errors


class Refusal(exceptions.APIException):
    """An error with a type of its own. `detail` is a sentence for the caller, `errors` has the sentences by field;
    from `wait`, in seconds, DRF makes the header Retry-After."""

    slug = ""
    title = ""

    def __init__(
        self, detail: str | None = None, *, errors: Mapping[str, list[str]] | None = None, wait: int | None = None
    ) -> None:
        super().__init__(detail)
        self.errors = dict(errors or {})
        self.wait = wait


def _kind(status: int, slug: str, title: str, detail: str = "") -> type[Refusal]:
    """A type of error: its `detail` is said where no other is given."""
    columns = {"status_code": status, "slug": slug, "title": title, "default_detail": detail}
    return type(slug.title().replace("-", ""), (Refusal,), columns)


# The whole list of types; docs/api.md says of each when it comes.
InvalidInput = _kind(
    400,
    "invalid-input",
    "Invalid input",
    "Some fields are invalid. See errors.",
)
FileUnreadable = _kind(400, "unreadable-file", "The file cannot be read")
ForeignPage = _kind(
    403,
    "foreign-page",
    "Request from another web site",
    "This request came from another web site, so nothing was stored or changed.",
)
JobNotFinished = _kind(
    409,
    "job-not-finished",
    "The job is not finished",
    "Download the results when the job is finished, cancelled or failed.",
)
AlreadyEnded = _kind(409, "job-already-ended", "The job has already ended")
NothingToAskAgain = _kind(
    409,
    "nothing-to-ask-again",
    "Nothing to retry",
    "Every row of this job has an answer. Only rows that couldn't be checked can be retried.",
)
TooManyColumnsForXlsx = _kind(409, "too-many-columns-for-xlsx", "Too many columns for XLSX")
TooLarge = _kind(413, "too-large", "Too large")
KeyReused = _kind(
    422,
    "idempotency-key-reused",
    "The Idempotency-Key was used before",
    "This Idempotency-Key was used with another file or other fields. Send a new key.",
)
ProxyPauses = _kind(503, "proxy-pauses", "Requests to the DOI proxy are paused")
ServiceAway = _kind(503, "service-away", "Service unavailable", storage_errors.AWAY)
StorageFull = _kind(507, "storage-full", "Storage full", storage_errors.FULL)
