"""A part of a file with results, for a download that was cut (RFC 9110, section 14)."""

import re
import tempfile
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import IO, cast

from django.http import StreamingHttpResponse
from rest_framework.request import Request

from resolver import conf
from resolver.api.problem_types import DecidedElsewhere, JobNotFinished, RangeNotSatisfiable
from resolver.models import Job
from resolver.services.results.export import JobChanged

_SINGLE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})", re.ASCII)
_PIECE = 256 * 1024  # bytes


def wants_part(request: Request, etag: str) -> bool:
    """Return whether the request wants one range of bytes, and has no other file than this one. Several ranges, other
    units and a range that can't be read count as none."""
    found = _SINGLE.fullmatch(request.headers.get("Range", "").strip())
    wanted = request.method == "GET" and found is not None and found.groups() != ("", "")
    return wanted and request.headers.get("If-Range", etag).strip() == etag


def send_part(request: Request, whole: StreamingHttpResponse, job: Job) -> StreamingHttpResponse:
    """Return the range of the file that `wants_part` has found. The file is written to the disk first, because its
    length must be known. Raises RangeNotSatisfiable, and DecidedElsewhere if somebody decided meanwhile: the part would
    not fit the others that have the same ETag."""
    made = tempfile.TemporaryFile(dir=conf.incoming_dir())  # noqa: SIM115 - closed by _FilePart
    try:
        try:
            made.writelines(cast("Iterable[bytes]", whole.streaming_content))
        except JobChanged as error:
            raise JobNotFinished from error
        if not Job.objects.filter(pk=job.pk, review_version=job.review_version).exists():
            raise DecidedElsewhere("Rows were decided during the download. Download the whole file again.")
        length = made.tell()
        first, last = _read_range(request, length)
        if first > last:
            raise RangeNotSatisfiable(length, request.headers["Range"].strip())
    except BaseException:
        made.close()
        raise
    response = StreamingHttpResponse(
        _FilePart(made, first, last), status=HTTPStatus.PARTIAL_CONTENT, headers=dict(whole.headers)
    )
    response["Content-Range"] = f"bytes {first}-{last}/{length}"
    response["Content-Length"] = str(last - first + 1)
    return response


def _read_range(request: Request, length: int) -> tuple[int, int]:
    """Return the first and the last byte. The first is behind the last if there are none."""
    found = _SINGLE.fullmatch(request.headers["Range"].strip())
    first, last = found.groups() if found else ("", "")
    if not first:  # the last so many bytes
        return (max(length - int(last), 0), length - 1) if int(last) else (1, 0)
    return int(first), min(int(last), length - 1) if last else length - 1


class _FilePart:
    """The bytes of a file from `first` to `last`, in pieces. Django closes it with the response."""

    def __init__(self, file: IO[bytes], first: int, last: int) -> None:
        self.close = file.close
        self._file = file
        self._left = last - first + 1
        file.seek(first)

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = self._file.read(min(self._left, _PIECE))
        if not piece:
            raise StopIteration
        self._left -= len(piece)
        return piece
