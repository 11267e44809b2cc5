"""Files that web servers and workers share: in the data folder, a folder of several machines, or object storage
(FILES_URL). Each is written once, under a name of its own, and never changed."""

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage, storages

from resolver import conf
from resolver.services.storage.storage_errors import FilesUnreachable, is_unwritable

CONTENT = "upload"  # the name of the file in its folder, or the end of its key
MARK = "mark"  # a small file by which a process knows that it reaches the files of the others
FILES_PER_PAGE = 1000  # the most that object storage lists in one answer
MOST_FILES = 20_000  # that one look at the storage passes


class DataFolderStorage(FileSystemStorage):
    """The folder `uploads` of the data folder."""

    directory_permissions_mode = 0o700  # FILE_UPLOAD_PERMISSIONS has that of the files

    @property
    def location(self) -> str:
        """The folder. Creates it."""
        return str(conf.uploads_dir())


class SharedFolderStorage(FileSystemStorage):
    """A folder that several machines share. It is never created: where it is missing, it isn't mounted."""

    directory_permissions_mode = 0o700

    def path(self, name: str) -> str:
        """Return the path. Raises FilesUnreachable if the folder isn't there."""
        if not Path(self.location).is_dir():
            raise FilesUnreachable("the shared folder of FILES_URL isn't there")
        return super().path(name)


class _LocalFile(File):
    """A file on this machine; a storage that is a folder may move it."""

    def temporary_file_path(self) -> str:
        return str(self.name)


def find_folder() -> Path | None:
    """Return the folder of the files; None with object storage."""
    storage = _get_storage()
    return Path(storage.location) if isinstance(storage, FileSystemStorage) else None


def save_file(name: str, path: Path) -> None:
    """Store the local file under that name. A folder takes the file itself, object storage a copy. Raises
    FilesUnreachable, or OSError if the disk is full."""
    with report_unreachable(), path.open("rb") as opened:
        saved = _get_storage().save(_make_key(name), _LocalFile(opened, str(path)))
    if saved != _make_key(name):
        raise FileExistsError(errno.EEXIST, "there is a file of that name", name)


def is_stored(name: str) -> bool:
    """Return whether a file of that name is there. Raises FilesUnreachable."""
    with report_unreachable():
        return bool(_get_storage().exists(_make_key(name)))


def read_pieces(name: str) -> Iterator[bytes]:
    """Yield the file's bytes. Raises FileNotFoundError or FilesUnreachable."""
    with report_unreachable(), _get_storage().open(_make_key(name)) as file:
        yield from file.chunks()


def delete_file(name: str) -> None:
    """Remove the file, if it is there. Raises FilesUnreachable."""
    with report_unreachable():
        storage = _get_storage()
        storage.delete(_make_key(name))
        if isinstance(storage, FileSystemStorage):
            shutil.rmtree(storage.path(name), ignore_errors=True)  # its folder, with what was made of the file


def iterate_untouched(before: datetime) -> Iterator[str]:
    """Yield names of files that were written before that time. In a folder these are all; in object storage up to
    MOST_FILES from a random name, so that each is seen one day. Raises FilesUnreachable."""
    with report_unreachable():
        folder = find_folder()
        if folder is not None:
            for place in folder.iterdir():
                if place.is_dir() and find_last_write(place) < before.timestamp():
                    yield place.name
            return
        for key, entry in islice(_iterate_objects(start=str(uuid4())), MOST_FILES):
            name, _, rest = key.partition("/")
            if rest == CONTENT and entry["LastModified"] < before:
                yield name


def iterate_sizes() -> Iterator[int]:
    """Yield the bytes of each file. Raises FilesUnreachable."""
    with report_unreachable():
        folder = find_folder()
        if folder is None:
            yield from (entry["Size"] for _, entry in _iterate_objects())
            return
        for place, _, names in os.walk(folder):
            for name in names:
                try:
                    yield Path(place, name).stat().st_size
                except FileNotFoundError:  # it was removed meanwhile
                    yield 0


def ensure_reached() -> None:
    """Raise FilesUnreachable if the bucket or the folder itself is missing: then so is each file in it."""
    with report_unreachable():
        storage = _get_storage()
        if isinstance(storage, FileSystemStorage):
            storage.path(MARK)
        else:
            storage.connection.meta.client.list_objects_v2(
                Bucket=storage.bucket_name, Prefix=storage.location, MaxKeys=1
            )


def read_mark() -> str:
    """Return the mark of these files, equal in each process; "" if there is none yet. Raises FilesUnreachable."""
    with report_unreachable():
        try:
            with _get_storage().open(MARK) as file:
                return str(file.read(64), "ascii", "replace").strip()
        except FileNotFoundError:
            ensure_reached()
            return ""


def make_mark() -> str:
    """Return the mark; the first process that finds none makes it. Raises FilesUnreachable."""
    if not read_mark():
        with report_unreachable():
            _get_storage().save(MARK, ContentFile(secrets.token_hex(16).encode()))
    return read_mark()  # another may have made one at the same moment


@contextmanager
def report_unreachable() -> Iterator[None]:
    """Raise FilesUnreachable if the storage is away or refuses, but not for a missing file or a full disk."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        if is_unwritable(error):
            raise
        raise FilesUnreachable(f"{type(error).__name__}: {error.strerror or 'an error of the disk'}") from error
    except _get_network_errors() as error:
        raise FilesUnreachable(_name_error(error)) from error


def _get_network_errors() -> tuple[type[Exception], ...]:
    if find_folder() is not None:
        return ()
    from boto3.exceptions import Boto3Error  # loaded by the storage
    from botocore.exceptions import BotoCoreError, ClientError

    return Boto3Error, BotoCoreError, ClientError


def _name_error(error: Exception) -> str:
    """Return the class of the error, and the code of the server's answer: the rest names addresses."""
    code = getattr(error, "response", {}).get("Error", {}).get("Code", "")
    return f"{type(error).__name__} {code}".strip()


def _get_storage() -> Any:
    storage: Storage = storages["default"]
    return storage


def _make_key(name: str) -> str:
    return f"{name}/{CONTENT}"


def _iterate_objects(start: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object below the prefix, page by page, by its key without the prefix: those after `start`, then those
    before it."""
    storage = _get_storage()
    prefix = f"{storage.location.strip('/')}/".lstrip("/")
    pages = storage.connection.meta.client.get_paginator("list_objects_v2")
    query = {"Bucket": storage.bucket_name, "Prefix": prefix, "PaginationConfig": {"PageSize": FILES_PER_PAGE}}
    for page in pages.paginate(**query, StartAfter=f"{prefix}{start}"):
        for entry in page.get("Contents", ()):
            yield entry["Key"].removeprefix(prefix), entry
    for page in pages.paginate(**query) if start else ():
        for entry in page.get("Contents", ()):
            key = entry["Key"].removeprefix(prefix)
            if key > start:
                return
            yield key, entry


def find_last_write(path: Path) -> float:
    """Return the time of the last change of a file, or in a folder; now if another worker removes it."""
    try:
        entries = (path, *path.iterdir()) if path.is_dir() else (path,)
        return max(one.stat().st_mtime for one in entries)
    except OSError:
        return datetime.now(UTC).timestamp()
