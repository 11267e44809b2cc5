"""The FILE of a command: a path, or `-` for standard input, which is copied to disk because it is read twice."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from resolver.management.progress_bar import progress_bar

STANDARD = "-"


@contextmanager
def open_input_file(name: str) -> Iterator[Path]:
    """Yield the path of the file to read. Ends the command with exit status 2 if it can't be opened."""
    if name == STANDARD:
        with tempfile.NamedTemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR, delete=False) as copy:
            path = Path(copy.name)
            try:
                with progress_bar("Standard input", unit="B", unit_scale=True) as bar:
                    while piece := sys.stdin.buffer.read(2**16):
                        copy.write(piece)
                        bar.update(len(piece))
                copy.flush()
                yield path
            finally:
                path.unlink(missing_ok=True)  # the cleanup has removed it if the command took longer than a day
        return
    try:
        Path(name).open("rb").close()
    except OSError as error:
        raise CommandError(f"Cannot read {name}: {error.strerror}.", returncode=2) from error
    yield Path(name)


def label_input_file(name: str) -> str:
    """Return the name of the file for messages."""
    return "standard input" if name == STANDARD else Path(name).name
