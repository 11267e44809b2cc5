"""Uploaded files: streamed to disk, bounded, and removed if they are refused."""

import hashlib
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from django.core.files.uploadhandler import TemporaryFileUploadHandler

from resolver import conf
from resolver.domain.message import Message
from resolver.domain.text.whole_number import parse_whole_number
from resolver.services.disk_reserve import ensure_room
from resolver.sheets.input.open import OperatorBounds


class Upload(Protocol):
    """What yields its bytes piece by piece, as Django's File does."""

    def chunks(self) -> Iterable[bytes]: ...


class UploadTooLarge(Exception):
    """The file is larger than MAX_UPLOAD_BYTES; `limit` is that setting."""

    def __init__(self, limit: int) -> None:
        size = Message.of_count("{count} byte", "{count} bytes", limit)
        if limit >= 2**20:
            size = Message("{count} MB", count=limit // 2**20)
        super().__init__(Message("The file is larger than this portal's limit of {size}. Split it.", size=size))
        self.limit = limit


class FileIsGone(Exception):
    """The uploaded file of the list is no longer there."""


def get_reading_bounds() -> OperatorBounds:
    """Return the bounds in the settings."""
    return {"max_rows": conf.max_rows(), "max_field": conf.max_field(), "max_expanded": conf.max_expanded()}


def is_body_too_long(announced: str) -> bool:
    """Return whether this Content-Length is more than a file and its form may have. The web server receives no such
    body (LONGEST_BODY)."""
    longest = conf.longest_body()
    return (parse_whole_number(announced, longest + 1) or 0) > longest


def write_upload(upload: Upload, name: str, *, accepted: bool = False) -> str:
    """Write the upload into a folder of its own. Return the SHA-256 of its bytes, in hexadecimal digits. Raise
    UploadTooLarge, and leave nothing behind, unless the file was `accepted` before. Raises OSError on a full disk."""
    ensure_room()
    folder = conf.uploads_dir() / name
    folder.mkdir(mode=0o700)
    size, limit, digest = 0, conf.max_upload_bytes(), hashlib.sha256()
    try:
        get_upload_path(name).touch(mode=0o600, exist_ok=False)
        with get_upload_path(name).open("wb") as file:
            for piece in upload.chunks():
                size += len(piece)
                if size > limit and not accepted:
                    raise UploadTooLarge(limit)
                digest.update(piece)
                file.write(piece)
    except BaseException:
        delete_upload(name)
        raise
    return digest.hexdigest()


def get_upload_path(name: str) -> Path:
    """Return the path of the upload of that name."""
    return conf.uploads_dir() / name / "upload"


def measure_upload(name: str) -> int:
    """Return the bytes of the upload. Raises FileNotFoundError."""
    return get_upload_path(name).stat().st_size


def delete_upload(name: str) -> None:
    """Remove the upload and its folder, if they are there."""
    shutil.rmtree(conf.uploads_dir() / name, ignore_errors=True)


class DiskUploadHandler(TemporaryFileUploadHandler):
    """Django's handler, but on a full disk it reads the whole request before it raises the error, because a client that
    is still sending never sees the answer. And it leaves no half file. Below DISK_RESERVE a disk counts as full."""

    _failed: OSError | None = None

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file, if there is room."""
        super().new_file(*args, **kwargs)
        try:
            ensure_room()
        except OSError as error:
            self._fail(error)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece, as long as there is room."""
        if self._failed is None:
            try:
                super().receive_data_chunk(raw_data, start)
            except OSError as error:
                self._fail(error)

    def file_complete(self, file_size: int) -> Any:
        """The file, written to its end; raises OSError."""
        if self._failed is not None:
            raise self._failed
        try:
            return super().file_complete(file_size)
        except OSError as error:
            self._fail(error)
            raise

    def _fail(self, error: OSError) -> None:
        self._failed = error
        with suppress(OSError):  # what is buffered still finds no room
            self.file.close()
