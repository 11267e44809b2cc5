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


def is_too_long(announced: str) -> bool:
    """Whether a request whose Content-Length is this brings more than a file and the form around it may have. The web
    server receives no such body (LONGEST_BODY)."""
    return announced.isascii() and announced.isdigit() and int(announced) > conf.longest_body()


def keep(upload: Upload, name: str, *, accepted: bool = False) -> str:
    """Write the upload into a folder of its own, named `name`: the SHA-256 of its bytes, in hexadecimal digits. Raises
    UploadTooLarge and leaves nothing behind; what was accepted before is never too large, whatever the setting says
    since."""
    folder = conf.uploads_dir() / name
    folder.mkdir(mode=0o700)
    size, limit, digest = 0, conf.max_upload_bytes(), hashlib.sha256()
    try:
        with place(name).open("xb") as file:
            for piece in upload.chunks():
                size += len(piece)
                if size > limit and not accepted:
                    raise UploadTooLarge(limit)
                digest.update(piece)
                file.write(piece)
    except BaseException:
        forget(name)
        raise
    return digest.hexdigest()


def place(name: str) -> Path:
    """Where the upload of that name lies."""
    return conf.uploads_dir() / name / "upload"


def forget(name: str) -> None:
    """Remove the upload and its folder, if they are there."""
    shutil.rmtree(conf.uploads_dir() / name, ignore_errors=True)
