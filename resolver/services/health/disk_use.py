"""How much disk space the database and the uploaded files take."""

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from django.db import connection

MOST_FILES = 20_000  # that are looked at
_SQL = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}


@dataclass(frozen=True, slots=True)
class FolderUse:
    """The files of a folder: their number, and their size in bytes. `complete`: there are no more than these."""

    files: int
    size: int
    complete: bool


def measure_database() -> int:
    """Return the bytes of the database with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL[connection.vendor])
        return int(cursor.fetchone()[0])


def measure_folder(folder: Path, most: int = MOST_FILES) -> FolderUse:
    """Return what the files in this folder and its folders take; of more than `most`, only of so many."""
    files = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    sizes = [_measure_file(file) for file in islice(files, most + 1)]
    return FolderUse(len(sizes[:most]), sum(sizes[:most]), len(sizes) <= most)


def _measure_file(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # it was removed meanwhile
        return 0
