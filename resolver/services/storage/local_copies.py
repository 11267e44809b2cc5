"""Copies of files in object storage, for code that reads a file by its path.

Each has a folder of its own, with what is made of the file, and with what a killed process left of that. A copy is made
whole or not at all. It is removed an hour after it was last wanted. If there is no room for another, the oldest are
removed earlier. One that is being read stays readable until it is closed.
"""

import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from resolver import conf
from resolver.services.storage import files
from resolver.services.storage.storage_errors import FilesUnreachable

KEPT_SECONDS = 3600.0  # since a copy was last wanted
IN_USE_SECONDS = 60.0  # after that: its reader may not have opened it yet
ROOM_IN_UPLOADS = 10  # of the largest size


def get_local_path(name: str) -> Path:
    """Return a path of this machine with the file's content: the file itself in a folder, else a copy. Raises
    FileNotFoundError, FilesUnreachable, or OSError if the disk is full."""
    folder = files.find_folder()
    if folder is not None:
        path = folder / name / files.CONTENT
        if not files.is_stored(name):
            raise FileNotFoundError(path)
        return path
    path = conf.copies_dir() / name / files.CONTENT
    try:
        os.utime(path)
    except FileNotFoundError:
        return _fetch(name)
    return path


def keep_copy(name: str, path: Path) -> None:
    """Make the local file, just stored under that name, its copy, unless a folder has taken the file itself."""
    if files.find_folder() is None:
        make_room(path.stat().st_size)
        os.utime(path)
        path.rename(_make_folder(name) / files.CONTENT)


def delete_copy(name: str) -> None:
    """Remove the copy on this machine. Those of other machines are removed when they are old."""
    shutil.rmtree(conf.copies_dir() / name, ignore_errors=True)


def prune_copies() -> None:
    """Remove the copies that were not wanted for KEPT_SECONDS, also those that were never completed."""
    before = time.time() - KEPT_SECONDS
    for name, _, wanted in _list_copies():
        if wanted < before:
            delete_copy(name)


def make_room(size: int) -> None:
    """Remove the copies that were wanted longest ago until one of `size` bytes fits. Raises FilesUnreachable if all
    others are in use: a worker tries again later."""
    copies = sorted(_list_copies(), key=lambda copy: copy[2])
    beyond = sum(size for _, size, _ in copies) + size - ROOM_IN_UPLOADS * settings.MAX_UPLOAD_BYTES
    for name, held, wanted in copies:
        if beyond <= 0 or wanted > time.time() - IN_USE_SECONDS:
            break
        delete_copy(name)
        beyond -= held
    if beyond > 0 and copies:
        raise FilesUnreachable("there is no room for another local copy")


def _make_folder(name: str) -> Path:
    folder = conf.copies_dir() / name
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _fetch(name: str) -> Path:
    folder = _make_folder(name)
    descriptor, part = tempfile.mkstemp(dir=folder)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in files.read_pieces(name):
                file.write(piece)
            make_room(file.tell())
        return Path(part).rename(folder / files.CONTENT)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        with suppress(OSError):  # another process has its copy there
            folder.rmdir()
        raise


def _list_copies() -> list[tuple[str, int, float]]:
    """Return the name of each copy with the bytes in its folder and the time at which it was last wanted."""
    found = []
    for folder in conf.copies_dir().iterdir():
        with suppress(FileNotFoundError):  # another process removed it
            held = [path.lstat() for path in (folder, *folder.rglob("*"))]
            size = sum(one.st_size for one in held if stat.S_ISREG(one.st_mode))
            found.append((folder.name, size, max(one.st_mtime for one in held)))
    return found
