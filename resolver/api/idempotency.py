"""The Idempotency-Key of POST jobs, and whether a repeated request sends the same file again."""

from itertools import zip_longest
from pathlib import Path

from django.core.files.uploadedfile import UploadedFile
from rest_framework.request import Request

from resolver.api.errors import InvalidInput
from resolver.models import Job
from resolver.services.jobs import uploads
from resolver.sheets.input.layout_choices import LayoutOptions

MAX_KEY = 255
_PIECE = 1024 * 1024


def get_idempotency_key(request: Request) -> str:
    """Return the Idempotency-Key header, or ''. Raises InvalidInput if it is too long."""
    key = str(request.headers.get("Idempotency-Key", "")).strip()
    if len(key) > MAX_KEY:
        raise InvalidInput(errors={"Idempotency-Key": [f"A key has at most {MAX_KEY} characters."]})
    return key


def is_same_request(job: Job, sent: UploadedFile, *, column: str, quick: bool, options: LayoutOptions) -> bool:
    """Return whether this request made `job`: with these bytes, column, quick and options."""
    if (job.requested_column, job.quick) != (column, quick) or job.layout.get("options", {}) != options.said():
        return False
    kept = uploads.get_upload_path(job.upload)
    if not kept.exists():  # nothing to compare with: the key alone decides
        return True
    return kept.stat().st_size == sent.size and _same_bytes(kept, sent)


def _same_bytes(kept: Path, sent: UploadedFile) -> bool:
    sent.seek(0)
    with kept.open("rb") as file:
        stored = iter(lambda: file.read(_PIECE), b"")
        return all(one == other for one, other in zip_longest(stored, sent.chunks(_PIECE)))
