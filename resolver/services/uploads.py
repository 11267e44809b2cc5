"""Uploaded files: streamed to disk, bounded, and gone without a trace when they are refused."""

import hashlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from resolver import conf


class Upload(Protocol):
    """What gives its bytes piece by piece: Django's File and UploadedFile do."""

    def chunks(self) -> Iterable[bytes]: ...


class UploadTooLarge(Exception):
    """The file is larger than MAX_UPLOAD_BYTES; `limit` is that setting."""

    def __init__(self, limit: int) -> None:
        size = f"{limit // 2**20:,} MB" if limit >= 2**20 else f"{limit:,} bytes"
        super().__init__(f"The file is larger than the {size} that this portal takes. Split it.")
        self.limit = limit


def keep(upload: Upload, name: str) -> Path:
    """Write the upload into a folder of its own, named `name`; raises UploadTooLarge and leaves nothing behind."""
    folder = conf.uploads_dir() / name
    folder.mkdir(mode=0o700)
    path = folder / "upload"
    size, limit = 0, conf.max_upload_bytes()
    try:
        with path.open("xb") as file:
            for piece in upload.chunks():
                size += len(piece)
                if size > limit:
                    raise UploadTooLarge(limit)
                file.write(piece)
    except BaseException:
        forget(name)
        raise
    return path


def place(name: str) -> Path:
    """Where the upload of that name lies."""
    return conf.uploads_dir() / name / "upload"


def digest(name: str) -> str:
    """SHA-256 of the upload of that name."""
    with place(name).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def forget(name: str) -> None:
    """Remove the upload and its folder, if they are there."""
    shutil.rmtree(conf.uploads_dir() / name, ignore_errors=True)
