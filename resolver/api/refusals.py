"""The errors that have a type of their own.

Apart from `errors.py`: the parsers, which DRF loads together with its views, raise them too.
"""

from collections.abc import Mapping

from rest_framework import exceptions


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
