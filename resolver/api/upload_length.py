"""The bounds of a file sent to POST jobs: by its announced length, and by what its sender has uploaded in a day."""

from rest_framework.request import Request

from resolver import conf
from resolver.api.problem_types import TooLarge, TooManyUploadedBytes
from resolver.services.uploads import stored_uploads
from resolver.services.uploads.upload_limit import UploadLimitReached, count_upload


def refuse_oversized(request: Request) -> None:
    """Raise TooLarge by the announced length, before the body is parsed to disk."""
    announced = request.META.get("CONTENT_LENGTH") or ""
    if stored_uploads.is_body_too_long(announced):
        sentence = str(stored_uploads.UploadTooLarge(conf.max_upload_bytes()))
        raise TooLarge(sentence, errors={"file": [sentence]})


def count_uploaded_bytes(request: Request, size: int) -> None:
    """Count the bytes for the sender's address, unless it is an account's request. Raises TooManyUploadedBytes."""
    try:
        count_upload(request, size)
    except UploadLimitReached as error:
        raise TooManyUploadedBytes(str(error), wait=error.seconds) from error
