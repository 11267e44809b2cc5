"""ETags of answers, and 304 for a program that already has the answer."""

from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import parse_etags, quote_etag
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import doi_reading
from resolver.models import Job

_CODE = (Path(doi_reading.__file__).parent, Path(__file__).parents[2])


class ChangedMeanwhile(APIException):
    """The object has changed since the caller read it: its ETag isn't the one in If-Match."""

    status_code = 412
    default_detail = "This isn't as you saw it: it has another ETag. Nothing was changed. Read it again."


class TaggedView(APIView):
    """A view whose answers to GET have an ETag of their bytes. Its changes obey If-Match."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a change of an object that has changed since its sender read it."""
        super().initial(request, *args, **kwargs)
        method = str(request.method).lower()
        if method in ("patch", "delete") and hasattr(self, method) and "If-Match" in request.headers:
            body = request.accepted_renderer.render(self.get(request, *args, **kwargs).data)
            if not {"*", _compute_etag(body)} & set(parse_etags(request.headers["If-Match"])):
                raise ChangedMeanwhile

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the tag when the answer is rendered."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        if finished.status_code == 200 and request.method in ("GET", "HEAD"):
            if isinstance(finished, Response):
                finished.add_post_render_callback(partial(_add_etag, request))
            elif not finished.streaming:
                return _add_etag(request, finished)
        return finished


def allows_not_modified(request: Request) -> bool:
    """Return whether the answer may be 304. If-Match is for changes, not for reads. If-Unmodified-Since is ignored
    where no answer has a Last-Modified (RFC 9110, 13.1.4)."""
    return not {"If-Match", "If-Unmodified-Since"} & set(request.headers)


def _add_etag(request: Request, response: HttpResponse) -> HttpResponseBase | None:
    etag = _compute_etag(response.content)
    response["ETag"] = etag
    if not allows_not_modified(request):
        return response
    return get_conditional_response(request._request, etag=etag, response=response)


def _compute_etag(body: bytes) -> str:
    return quote_etag(sha256(body).hexdigest()[:32])


def build_results_etag(job: Job, kind: str, query: str, *, weak: bool = False) -> str:
    """Return the ETag of a file of this kind with the results of a job that has ended, without reading its rows. It
    changes with each decision, each retry, each query and each version of this program. A workbook holds the time of
    its making, so its tag is `weak`: the content is the same, not each byte."""
    parts = (job.pk, job.state, job.finished_at, job.review_version, kind, query, _compute_version())
    etag = quote_etag(sha256("\n".join(map(str, parts)).encode()).hexdigest()[:32])
    return f"W/{etag}" if weak else etag


@cache
def _compute_version() -> str:
    """Return a digest of the program's files: another sentence in a message makes another file."""
    files = (file for folder in _CODE for file in sorted(folder.rglob("*.py")))
    found = ((str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files)
    return sha256("\n".join(map(str, found)).encode()).hexdigest()
