"""A file sent to POST jobs: taken, bounded, and known again when the same request comes twice."""

from itertools import zip_longest
from pathlib import Path

from django.core.files.uploadedfile import UploadedFile
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from resolver import conf
from resolver.api.exceptions import InvalidInput, TooLarge
from resolver.models import Job
from resolver.services.jobs import uploads
from resolver.sheets.input.layout import Options

MAX_KEY = 255
_PIECE = 1024 * 1024


class LengthNeeded(APIException):
    """Django reads no body whose length it was not told; the caller should not be told that a file is missing."""

    status_code = 411
    default_detail = "Send the length of the body (Content-Length). A body sent in chunks isn't accepted."


def refuse_oversized(request: Request) -> None:
    """Refuse by the length that the request announces, before any of it is parsed to disk."""
    announced = request.META.get("CONTENT_LENGTH") or ""
    if not announced and request.META.get("HTTP_TRANSFER_ENCODING"):
        raise LengthNeeded
    if uploads.is_too_long(announced):
        sentence = str(uploads.UploadTooLarge(conf.max_upload_bytes()))
        raise TooLarge(sentence, errors={"file": [sentence]})


def sent_file(request: Request) -> UploadedFile:
    """The part named `file`."""
    sent = request.FILES.get("file")
    if sent is None:
        raise InvalidInput(errors={"file": ["No file was sent. Send it as the part `file` of a multipart form."]})
    return sent


def idempotency_key(request: Request) -> str:
    """The Idempotency-Key header; empty where there is none."""
    key = str(request.headers.get("Idempotency-Key", "")).strip()
    if len(key) > MAX_KEY:
        raise InvalidInput(errors={"Idempotency-Key": [f"A key has at most {MAX_KEY} characters."]})
    return key


def is_same(job: Job, sent: UploadedFile, *, column: str, quick: bool, options: Options) -> bool:
    """Whether the request that made `job` was this one: the same bytes, column, quick and way of reading."""
    if (job.requested_column, job.quick) != (column, quick) or job.layout.get("options", {}) != options.said():
        return False
    kept = uploads.place(job.upload)
    if not kept.exists():  # nothing to compare with: the key alone decides
        return True
    return kept.stat().st_size == sent.size and _same_bytes(kept, sent)


def _same_bytes(kept: Path, sent: UploadedFile) -> bool:
    sent.seek(0)
    with kept.open("rb") as file:
        stored = iter(lambda: file.read(_PIECE), b"")
        return all(one == other for one, other in zip_longest(stored, sent.chunks(_PIECE)))
