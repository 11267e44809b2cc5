"""The bound of a file sent to POST jobs, by its announced length."""

from rest_framework.request import Request

from resolver import conf
from resolver.api.errors import LengthRequired, TooLarge
from resolver.services.jobs import uploads


def refuse_oversized(request: Request) -> None:
    """Raise TooLarge or LengthRequired by the announced length, before the body is parsed to disk."""
    announced = request.META.get("CONTENT_LENGTH") or ""
    if not announced and request.META.get("HTTP_TRANSFER_ENCODING"):
        raise LengthRequired
    if uploads.is_body_too_long(announced):
        sentence = str(uploads.UploadTooLarge(conf.max_upload_bytes()))
        raise TooLarge(sentence, errors={"file": [sentence]})
