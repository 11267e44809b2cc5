"""The bytes that stay free on the disks of the portal (DISK_RESERVE), so that work that has begun can end."""

import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from resolver.services.storage import files


def find_short_disks() -> list[str]:
    """Return the names, for people, of what is on a disk with less than DISK_RESERVE free. Object storage and a
    database server look after their own disks."""
    least = max(settings.DISK_RESERVE, 1_000_000)  # bytes: with less, a disk is full even without a reserve
    return [what for what, folder in _list_folders() if shutil.disk_usage(folder).free < least]


def ensure_room() -> None:
    """Raise OSError (ENOSPC), as a full disk does, while less than DISK_RESERVE is free."""
    if short := find_short_disks():
        raise OSError(errno.ENOSPC, f"less than DISK_RESERVE is free on the disk of {' and '.join(short)}")


def _list_folders() -> Iterator[tuple[str, Path]]:
    shared = files.find_folder()
    if shared is not None and shared.is_dir():  # one that isn't mounted is trouble of another kind
        yield "the uploaded files", shared
    yield "the data folder", settings.DOIPORTAL_DATA_DIR  # with uploads that are being received, and copies
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and Path(name).is_absolute():
        yield "the database", Path(name).parent
