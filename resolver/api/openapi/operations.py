"""What a method of a view does, for the OpenAPI document, which is held to its query parameters: one decorator."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, TypeVar, cast

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from resolver.api.openapi.error_responses import (
    NOTHING_HERE,
    OF_ALL,
    OF_BODIES,
    OF_CHANGES,
    OTHER_ETAG,
    ErrorKind,
    build_error_responses,
)
from resolver.api.openapi.parameters import (
    ETAG,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    LOCATION,
    PK,
    RATE_LIMIT,
    REPLAYED,
)
from resolver.api.problem_types import ProblemException, TooManyRequestedDois
from resolver.api.protocol.empty_body import refuse_fields
from resolver.api.protocol.query_parameters import refuse_unknown_parameters

Method = TypeVar("Method", bound=Callable[..., Any])
JSON, FORM, PAGE = "application/json", "multipart/form-data", "text/html"
TEXT_FILE = {"type": "string"}
BINARY_FILE = {"type": "string", "format": "binary"}


def operation(
    name: str,
    tag: str,
    summary: str,
    *,
    description: str = "",
    answer: type[Serializer[Any]] | Mapping[str, Any] | None,
    status: HTTPStatus = HTTPStatus.OK,
    says: str,
    media_type: str = JSON,
    body: type[Serializer[Any]] | None = None,
    files: Iterable[str] = (),
    changes: bool = False,
    parameters: Iterable[OpenApiParameter] = (),
    errors: Iterable[type[ProblemException] | ErrorKind] = (),
    tagged: bool = False,
    guarded: bool = False,
    also: Mapping[HTTPStatus, tuple[type[Serializer[Any]], str]] = MappingProxyType({}),
) -> Callable[[Method], Method]:
    """Describe a method of a view, and refuse the query parameters that it does not have (400), unless it gives a page:
    links to pages get parameters on their way. Refuse fields too if it changes something and takes none.

    `answer`: what it returns with `status`, None for no body; `says`: a sentence about it; `body`: what it takes;
    `files`: the media types of files that it takes too; `changes`: it stores, changes or removes something; `errors`:
    those besides the errors of all requests, of all changes and of all bodies; `also`: other answers in JSON, each
    with its sentence; `tagged`: the answer has an ETag; `guarded`: the change obeys If-Match.
    """
    wanted, errors = list(parameters), list(errors)
    kinds = [*OF_ALL]
    if body or changes:
        kinds += OF_BODIES
    if changes:
        kinds += OF_CHANGES
    if any(each.location == OpenApiParameter.PATH for each in wanted):
        kinds.append(NOTHING_HERE)
    kinds += [each if isinstance(each, ErrorKind) else ErrorKind.of(each) for each in errors]
    if status in (HTTPStatus.CREATED, HTTPStatus.ACCEPTED):
        wanted.append(LOCATION)
    if tagged:
        wanted += [IF_NONE_MATCH, ETAG]
    if guarded:
        wanted.append(IF_MATCH)
        kinds.append(OTHER_ETAG)
    if TooManyRequestedDois in errors:
        wanted += RATE_LIMIT
    if IDEMPOTENCY_KEY in wanted:
        wanted.append(REPLAYED)
    shape = dict(answer) if isinstance(answer, Mapping) else answer
    success = {(str(status.value), media_type): OpenApiResponse(shape, description=says)}
    others = {(str(code.value), JSON): OpenApiResponse(kind, description=when) for code, (kind, when) in also.items()}
    if tagged:
        others["304", ""] = OpenApiResponse(description="You have this answer already.")
    known = [each.name for each in wanted if each.location == OpenApiParameter.QUERY]

    def hold_to_description(method: Method) -> Method:
        @wraps(method)
        def answer_request(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
            if media_type != PAGE:
                refuse_unknown_parameters(request, *known)
            if changes and body is None:
                refuse_fields(request)
            return method(view, request, *args, **kwargs)

        return cast("Method", describe(answer_request))

    describe = extend_schema(
        operation_id=name,
        tags=[tag],
        summary=summary,
        description=description or summary + ".",
        parameters=wanted,
        request={FORM: body, **dict.fromkeys(types, BINARY_FILE)} if (types := list(files)) else body,
        responses={**success, **others, **build_error_responses(kinds)},
    )
    return hold_to_description


def removal(name: str, tag: str, summary: str, *, says: str, description: str = "") -> Callable[[Method], Method]:
    """Describe a method that removes the object, under If-Match, and returns no body: an `operation`."""
    return operation(
        name,
        tag,
        summary,
        description=description,
        parameters=[PK],
        changes=True,
        guarded=True,
        status=HTTPStatus.NO_CONTENT,
        answer=None,
        says=says,
    )
