"""The bytes that stay free on the disks of the portal (DISK_RESERVE), so that work that has begun can end."""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.db import connection

from resolver import conf
from resolver.services.storage import files

FULL = 1_000_000  # bytes: with less, a disk counts as full even without a reserve
_FILES, _DATA, _DATABASE = "the uploaded files", "the data folder", "the database"


def find_short_disks() -> list[str]:
    """Return what lies on a disk with less than DISK_RESERVE free, in words for people; empty while there is room.
    Object storage and a database server look after their own disks."""
    least = max(conf.disk_reserve(), FULL)
    return [what for what, folder in _list_folders() if shutil.disk_usage(folder).free < least]


def ensure_room() -> None:
    """Raise OSError (ENOSPC), as a full disk does, while less than DISK_RESERVE is free."""
    if short := find_short_disks():
        raise OSError(errno.ENOSPC, f"less than DISK_RESERVE is free on the disk of {' and '.join(short)}")


def _list_folders() -> Iterator[tuple[str, Path]]:
    shared = files.find_folder()
    if shared is not None and shared.is_dir():  # one that isn't mounted is trouble of another kind
        yield _FILES, shared
    yield _DATA, conf.data_dir()  # with uploads that are being received, and copies
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and Path(name).is_absolute():
        yield _DATABASE, Path(name).parent
