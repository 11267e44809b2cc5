"""Uploaded files: bounded, stored where every machine reaches them, and removed if they are refused."""

import hashlib
import logging
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.files.uploadhandler import TemporaryFileUploadHandler

from doi_reading import Message
from resolver.domain.foreign_text import parse_whole_number
from resolver.services.health import shared_files
from resolver.services.storage import files, local_copies
from resolver.services.storage.clock import read_clock
from resolver.services.storage.disk_reserve import ensure_room
from resolver.services.storage.storage_errors import FilesUnreachable
from resolver.sheets.input.table import OperatorBounds

GONE = Message("The uploaded file is no longer available.")
logger = logging.getLogger(__name__)


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


class FileIsGone(FileNotFoundError):
    """The uploaded file of the list is no longer there, though its storage can be reached."""


def get_reading_bounds() -> OperatorBounds:
    """Return the bounds in the settings."""
    return {"max_rows": settings.MAX_ROWS, "max_field": settings.MAX_FIELD, "max_expanded": settings.MAX_EXPANDED}


def is_body_too_long(announced: str) -> bool:
    """Return whether this Content-Length is more than a file with its form may have (LONGEST_BODY)."""
    longest = settings.LONGEST_BODY
    return (parse_whole_number(announced, longest + 1) or 0) > longest


def write_upload(upload: Upload, name: str, *, accepted: bool = False) -> str:
    """Store the upload where every machine reaches it. Return the SHA-256 of its bytes, in hexadecimal digits. Raise
    UploadTooLarge or FilesUnreachable, and leave nothing behind, unless the file was `accepted` before. Raises OSError
    on a full disk."""
    ensure_room()
    size, limit, digest = 0, settings.MAX_UPLOAD_BYTES, hashlib.sha256()
    descriptor, place = tempfile.mkstemp(prefix=f"{name}.", dir=settings.FILE_UPLOAD_TEMP_DIR)  # mode 0600
    written = Path(place)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in upload.chunks():
                size += len(piece)
                if size > limit and not accepted:
                    raise UploadTooLarge(limit)
                digest.update(piece)
                file.write(piece)
        files.save_file(name, written)
        local_copies.keep_copy(name, written)
    except FilesUnreachable:
        local_copies.delete_copy(name)
        raise  # no caller waits for another attempt: the cleanup removes what was stored
    except BaseException:
        delete_upload(name)
        raise
    finally:
        written.unlink(missing_ok=True)
    return digest.hexdigest()


def get_upload_path(name: str) -> Path:
    """Return a path of this machine with the upload of that name. Raises FileIsGone, or FilesUnreachable."""
    try:
        return local_copies.get_local_path(name)
    except FileNotFoundError as error:
        ensure_shared()
        raise FileIsGone(name) from error


def is_stored(name: str) -> bool:
    """Return whether the upload is there. Raises FilesUnreachable."""
    if files.is_stored(name):
        return True
    ensure_shared()
    return False


def ensure_shared() -> None:
    """Raise FilesUnreachable if the storage itself is missing, or web servers and workers reach different files: then
    a file that is missing here may be elsewhere."""
    files.ensure_reached()
    if shared_files.are_apart(read_clock()):
        raise FilesUnreachable(shared_files.APART)


def measure_upload(name: str) -> int:
    """Return the bytes of the upload. Raises FileNotFoundError."""
    return get_upload_path(name).stat().st_size


def delete_upload(name: str) -> None:
    """Remove the upload. If it can't be reached now, the cleanup removes it as a file without a list."""
    local_copies.delete_copy(name)
    try:
        files.delete_file(name)
    except FilesUnreachable:
        logger.warning("A file can't be removed now; the cleanup removes it when its storage is back.", exc_info=True)


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
