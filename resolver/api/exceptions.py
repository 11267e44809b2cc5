"""The errors that have a type of their own.

Apart from `errors.py`: the parsers, which DRF loads together with its views, raise them too.
"""

from collections.abc import Mapping

from rest_framework import exceptions

from resolver.services import outages
from resolver.services.lookups.look_up import NotNow


class Refusal(exceptions.APIException):
    """An error with a type of its own; the subclasses are the whole list of types, and docs/api.md holds each."""

    slug = ""
    title = ""

    def __init_subclass__(cls, *, status: int, slug: str, title: str) -> None:
        super().__init_subclass__()
        cls.status_code, cls.slug, cls.title = status, slug, title

    def __init__(self, detail: str | None = None, *, errors: Mapping[str, list[str]] | None = None) -> None:
        super().__init__(detail)
        self.errors = dict(errors or {})


class InvalidInput(Refusal, status=400, slug="invalid-input", title="Invalid input"):
    """The request was understood, but a field or a query parameter holds what it must not."""

    default_detail = "Some of what was sent cannot be accepted; see errors."


class FileUnreadable(Refusal, status=400, slug="unreadable-file", title="The file cannot be read"):
    """The uploaded file cannot be read as a list; `detail` has the reason and the line."""


class TooLarge(Refusal, status=413, slug="too-large", title="Too large"):
    """More bytes than this portal takes."""


class ForeignPage(Refusal, status=403, slug="foreign-page", title="Sent by another web site"):
    """A page of another origin sent the request (`doiportal/foreign_pages.py`)."""

    default_detail = "A page of another web site sent this, so nothing was stored or changed."


class StorageFull(Refusal, status=507, slug="storage-full", title="No room left"):
    """The disk of the portal is full; nothing of what was sent was kept."""

    default_detail = outages.FULL


class ServiceAway(Refusal, status=503, slug="service-away", title="A service is away"):
    """The database, or Redis, does not answer."""

    default_detail = outages.AWAY


class ProxyPauses(Refusal, status=503, slug="proxy-pauses", title="The DOI proxy is not asked just now"):
    """All requests to the DOI proxy pause for longer than a caller is kept waiting; Retry-After says for how long."""

    def __init__(self, pause: NotNow) -> None:
        super().__init__(str(pause))
        self.wait = pause.seconds  # from it DRF makes the header


class JobNotFinished(Refusal, status=409, slug="job-not-finished", title="The job is not finished"):
    """Something is wanted that only a job that has ended can give."""

    default_detail = "The results can be fetched when the job is finished, cancelled or failed."


class TooManyColumnsForXlsx(Refusal, status=409, slug="too-many-columns-for-xlsx", title="Too many columns for XLSX"):
    """More columns than a sheet of a workbook holds; rows go on in the next sheet."""


class AlreadyEnded(Refusal, status=409, slug="job-already-ended", title="The job has already ended"):
    """A job that has ended cannot be cancelled."""


class NothingToAskAgain(Refusal, status=409, slug="nothing-to-ask-again", title="Nothing is to be asked again"):
    """Every row of the job has its answer."""

    default_detail = "Every row of this job has its answer; only rows that could not be asked can be asked again."


class KeyReused(Refusal, status=422, slug="idempotency-key-reused", title="The Idempotency-Key was used before"):
    """An Idempotency-Key that stands for another upload."""

    default_detail = "This Idempotency-Key came before with another file or other fields. Send a new key."
