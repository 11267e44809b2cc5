"""The errors that an operation can give, as responses of the OpenAPI document."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from resolver.api import problem_types
from resolver.api.errors import MEDIA_TYPE
from resolver.api.problem_types import ProblemException
from resolver.api.protocol.etags import ChangedMeanwhile
from resolver.services.storage import storage_errors

ERROR = {
    "type": "object",
    "description": "An error, as RFC 9457 problem details.",
    "properties": {
        "type": {
            "type": "string",
            "format": "uri-reference",
            "description": "The type of the error; about:blank if the status says everything.",
            "examples": ["/problems/invalid-input"],
        },
        "title": {"type": "string", "description": "The type in words.", "examples": ["Invalid input"]},
        "status": {"type": "integer", "description": "The HTTP status.", "examples": [400]},
        "detail": {
            "type": "string",
            "description": "What happened, and what to do.",
            "examples": ["Some fields are invalid. See errors."],
        },
        "errors": {
            "type": "object",
            "description": "The sentences by field or query parameter, if one is to blame.",
            "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "examples": [{"inputs": ["inputs[1]: this must be a string."]}],
        },
    },
    "required": ["type", "title", "status", "detail"],
}


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A type of error. `when` says on which occasion it comes, `detail` is an example of its sentence; `slug` is empty
    if the status says everything."""

    status: int
    when: str
    detail: str
    slug: str = ""
    title: str = ""

    @property
    def type_address(self) -> str:
        """The member `type`."""
        return f"/problems/{self.slug}" if self.slug else "about:blank"

    @property
    def name(self) -> str:
        """A word for it, unique within its status."""
        return self.slug or HTTPStatus(self.status).phrase.lower().replace(" ", "-")

    @property
    def example(self) -> dict[str, Any]:
        """The body of an answer."""
        title = self.title or HTTPStatus(self.status).phrase
        body: dict[str, Any] = {"type": self.type_address, "title": title, "status": self.status, "detail": self.detail}
        if self.slug == problem_types.InvalidInput.slug:
            body["errors"] = {"q": ["There is no parameter with this name. Send none."]}
        return body

    @classmethod
    def of(cls, kind: type[ProblemException]) -> "ErrorKind":
        """Return a type that has a slug."""
        sentence = kind.example or kind.default_detail
        return cls(kind.status_code, kind.describe_occasion(), sentence, kind.slug, kind.title)


MALFORMED = ErrorKind(400, "The request or its body can't be read.", "The body is not UTF-8 (byte 7).")
NO_LOGIN = ErrorKind(
    401,
    "The portal requires a login, and the request has none; or its token is wrong, has ended or was revoked.",
    "Authentication credentials were not provided.",
)
NO_CSRF_TOKEN = ErrorKind(
    403,
    "A session with a login changes something without the X-CSRFToken header.",
    "CSRF Failed: CSRF token missing.",
)
NOTHING_HERE = ErrorKind(
    404,
    "There is no such object, or it isn't yours.",
    "This doesn't exist, or you can't access it.",
)
NO_LENGTH = ErrorKind(
    411, "The body is sent in chunks, without Content-Length.", problem_types.LengthRequired.default_detail
)
OTHER_MEDIA_TYPE = ErrorKind(
    415,
    "The body has another media type.",
    'The Content-Type "text/html" isn\'t read here. Send one of these: application/json.',
)
OTHER_ETAG = ErrorKind(412, "The ETag isn't the one in If-Match.", ChangedMeanwhile.default_detail)
OUR_FAULT = ErrorKind(500, "The portal has an error. Its log has the details.", storage_errors.OUR_FAULT)

OF_ALL = (
    MALFORMED,
    NO_LOGIN,
    OUR_FAULT,
    ErrorKind.of(problem_types.InvalidInput),
    ErrorKind.of(problem_types.ServiceAway),
    ErrorKind.of(problem_types.QuotaUsedUp),
)
OF_CHANGES = (
    NO_CSRF_TOKEN,
    ErrorKind.of(problem_types.ReadOnlyToken),
    ErrorKind.of(problem_types.ForeignPage),
    ErrorKind.of(problem_types.StorageFull),
)
OF_BODIES = (NO_LENGTH, OTHER_MEDIA_TYPE, ErrorKind.of(problem_types.TooLarge))


def build_error_responses(kinds: Iterable[ErrorKind]) -> dict[tuple[str, str], OpenApiResponse]:
    """Return a response for each status, which lists its types with an example each."""
    by_status: dict[int, list[ErrorKind]] = defaultdict(list)
    for kind in dict.fromkeys(kinds):
        by_status[kind.status].append(kind)
    return {(str(status), MEDIA_TYPE): _build_response(status, found) for status, found in sorted(by_status.items())}


def _build_response(status: int, kinds: list[ErrorKind]) -> OpenApiResponse:
    types = {"type": "object", "properties": {"type": {"enum": [kind.type_address for kind in kinds]}}}
    return OpenApiResponse(
        {"allOf": [{"$ref": "#/components/schemas/Error"}, types]},
        description=" Or: ".join(kind.when for kind in kinds),
        examples=[
            OpenApiExample(
                kind.name, kind.example, summary=kind.title or HTTPStatus(status).phrase, description=kind.when
            )
            for kind in kinds
        ],
    )
