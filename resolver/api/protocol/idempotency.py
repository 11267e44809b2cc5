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

UNCOUNTED = {"csrfmiddlewaretoken"}  # of a form; a retry may have another
REPLAYED = "Idempotent-Replayed"


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
    """Give the first answer again to a request with the same Idempotency-Key, of the same owner, within a day.

    An answer with a status below 300 is kept. After a refusal the key is free for a corrected request; after an error
    of the portal or a 429 the same request may be sent again. Raises KeyReused, KeyUnderWay and InvalidInput.
    """

    @wraps(method)
    def answer(view: IdempotentView, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _get_key(request)
        if not key:
            return method(view, request, *args, **kwargs)
        mine = _begin(request, key)
        if mine.status is not None:
            return _repeat(mine)
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


def _repeat(kept: KeptAnswer) -> Response:
    headers = {REPLAYED: "true"} | ({"Location": kept.location} if kept.location else {})
    return Response(json.loads(zlib.decompress(kept.body)), status=kept.status, headers=headers)


def _compute_fingerprint(request: Request) -> str:
    """Return a digest of the address and of what was sent: of a form its fields and files, as the boundary between them
    is another one in each try. Files are read in pieces."""
    found = sha256(f"{request.method} {request.get_full_path()}\n".encode("utf-8", "surrogatepass"))
    fields, files = request.data, request.FILES
    if isinstance(fields, QueryDict):
        fields = {name: fields.getlist(name) for name in fields if name not in files and name not in UNCOUNTED}
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
