"""The Idempotency-Key of requests that make something: a retry gets the first answer, and makes nothing more."""

import json
import zlib
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from http import HTTPStatus
from typing import Any, TypeVar
from uuid import UUID, uuid5

from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.problem_types import InvalidInput, KeyReused, KeyUnderWay
from resolver.models import KeptAnswer
from resolver.services.accounts.owners import get_owner
from resolver.services.http import idempotent_requests
from resolver.services.storage.clock import read_clock


class IdempotentView(APIView):
    """A view with methods that are `idempotent`. `request_id`: an id that a request and its retries share, or "";
    `request_secret`: another one, which no one else can guess."""

    request_id = ""
    request_secret: UUID | None = None

    def make_object_id(self, number: int = 0) -> UUID | None:
        """Return the id for an object that this request makes; None: any. A retry makes it with the same id, so it
        finds what was stored before the portal was killed."""
        return uuid5(self.request_secret, f"{self.request_id} {number}") if self.request_secret else None


View = TypeVar("View", bound=IdempotentView)
Method = Callable[..., Response]


def idempotent(method: Method) -> Method:
    """Repeat the first answer to a request of the same owner with the same Idempotency-Key, within a day.

    An answer with a status below 300 is kept. After a refusal the key is free for a corrected request. After an error
    of the portal or a 429 the same request may be sent again. Raises KeyReused, KeyUnderWay and InvalidInput.
    """

    @wraps(method)
    def answer(view: IdempotentView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _get_key(request)
        if not key:
            return method(view, request, *args, **kwargs)
        mine = _begin(request, key)
        if mine.status is not None:
            headers = {"Idempotent-Replayed": "true"} | ({"Location": mine.location} if mine.location else {})
            return Response(json.loads(zlib.decompress(mine.body)), status=mine.status, headers=headers)
        view.request_id, view.request_secret = f"kept answer {mine.pk}", UUID(mine.key[:32])
        try:
            response = method(view, request, *args, **kwargs)
        except Exception as error:
            status = getattr(error, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
            refused = status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS
            (idempotent_requests.forget_request if refused else idempotent_requests.free_request)(mine)
            raise
        idempotent_requests.keep_answer(
            mine,
            status=response.status_code,
            location=response.headers.get("Location", ""),
            body=zlib.compress(JSONRenderer().render(response.data)),
        )
        return response

    return answer


def _get_key(request: Request) -> str:
    key: str | None = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not 1 <= len(key := key.strip()) <= 255:
        raise InvalidInput(errors={"Idempotency-Key": ["A key has 1 to 255 characters."]})
    return key


def _begin(request: Request, key: str) -> KeptAnswer:
    try:
        return idempotent_requests.begin_request(
            get_owner(request), key, _compute_fingerprint(request), now=read_clock()
        )
    except idempotent_requests.KeyWasReused as error:
        raise KeyReused from error
    except idempotent_requests.RequestUnderWay as error:
        raise KeyUnderWay(wait=min(error.seconds, 2)) from error


def _compute_fingerprint(request: Request) -> str:
    """Return a digest of the address and the body. Of a form these are its fields and files, because the boundary
    between them differs in each try. Files are read in pieces."""
    found = sha256(f"{request.method} {request.get_full_path()}\n".encode("utf-8", "surrogatepass"))
    fields, files = request.data, request.FILES
    if isinstance(fields, QueryDict):
        counted = [name for name in fields if name not in files and name != "csrfmiddlewaretoken"]  # others in a retry
        fields = {name: fields.getlist(name) for name in counted}
    elif files:  # the file is the body
        fields, files = {}, MultiValueDict({name: [file] for name, file in files.items()})
    found.update(json.dumps(fields, sort_keys=True).encode())
    for name in sorted(files):
        for file in files.getlist(name):
            found.update(json.dumps([name, file.name, file.size]).encode())
            file.seek(0)
            for piece in file.chunks():
                found.update(piece)
            file.seek(0)
    return found.hexdigest()
