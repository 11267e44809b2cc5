"""How much disk space the database and the uploaded files take."""

from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from django.db import connection

from resolver.services.storage.files import MOST_FILES, iterate_sizes
from resolver.services.storage.storage_errors import FilesUnreachable

_SQL = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}


@dataclass(frozen=True, slots=True)
class FilesUse:
    """The uploaded files: their number, and their size in bytes. `complete`: there are no more than these."""

    files: int
    size: int
    complete: bool


def measure_database() -> int:
    """Return the bytes of the database with its indexes."""
    with connection.cursor() as cursor:
        cursor.execute(_SQL[connection.vendor])
        return int(cursor.fetchone()[0])


def measure_files(most: int = MOST_FILES) -> FilesUse:
    """Return the space of the uploaded files, counting at most `most` of them. Unreachable files are left out."""
    sizes: list[int] = []
    with suppress(FilesUnreachable):  # readiness and doctor report it
        sizes += islice(iterate_sizes(), most + 1)
        return FilesUse(len(sizes[:most]), sum(sizes[:most]), len(sizes) <= most)
    return FilesUse(0, 0, complete=False)
