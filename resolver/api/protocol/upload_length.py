"""The bound of a file sent to POST jobs, by its announced length."""

from rest_framework.request import Request

from resolver import conf
from resolver.api.problem_types import TooLarge
from resolver.services.uploads import stored_uploads


def refuse_oversized(request: Request) -> None:
    """Raise TooLarge by the announced length, before the body is parsed to disk."""
    announced = request.META.get("CONTENT_LENGTH") or ""
    if stored_uploads.is_body_too_long(announced):
        sentence = str(stored_uploads.UploadTooLarge(conf.max_upload_bytes()))
        raise TooLarge(sentence, errors={"file": [sentence]})
