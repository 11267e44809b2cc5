"""Give the space of what was deleted back to the disk, where the database is a file of SQLite.

SQLite keeps the pages of deleted rows for new ones, so a database that was once large stays large. A file that was
rebuilt with auto_vacuum=INCREMENTAL can give them back a few at a time. PostgreSQL has its autovacuum.
"""

import shutil
import time
from pathlib import Path

from django.conf import settings
from django.db import OperationalError, connection

from resolver.services.health.storage_sizes import measure_database

_INCREMENTAL = 2  # the value of PRAGMA auto_vacuum


def let_file_shrink() -> str:
    """Rebuild a database file that can't give space back, if there is room; a new one is rebuilt in a moment. Return
    why it stays as it is, in a sentence for operators, or "". Call it while nothing else uses the database."""
    if connection.vendor != "sqlite" or _read("PRAGMA auto_vacuum") == _INCREMENTAL:
        return ""
    size, path = measure_database(), Path(str(connection.settings_dict["NAME"]))
    room = 2 * size  # a rebuilt file is written twice before it replaces the old one
    if shutil.disk_usage(path.parent).free - settings.DISK_RESERVE < room and size > 1_000_000:
        return (
            f"The database keeps the space of deleted lists: to rebuild it, make room for {room / 1e9:.1f} GB "
            f"beside DISK_RESERVE, and run `{settings.MANAGE_COMMAND} prepare` again."
        )
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA auto_vacuum = {_INCREMENTAL}")
            cursor.execute("VACUUM")
    except OperationalError as error:
        return (
            f"The database keeps the space of deleted lists: it couldn't be rebuilt ({error}). Stop the portal, and "
            f"run `{settings.MANAGE_COMMAND} prepare` again."
        )
    return ""


def give_space_back() -> None:
    """Give free pages back to the disk for a minute at most. The next cleanup continues."""
    if connection.vendor != "sqlite" or _read("PRAGMA auto_vacuum") != _INCREMENTAL:
        return
    end = time.monotonic() + 60.0
    while _read("PRAGMA freelist_count") and time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA incremental_vacuum(1000)")  # pages, 4 MB: meanwhile no other process can write
            cursor.fetchall()  # each row that is fetched gives one page back


def _read(pragma: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(pragma)
        return int(cursor.fetchone()[0])
