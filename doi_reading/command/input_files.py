"""The files that are named on the command line: files, folders with files of known formats, and `-`."""

import os
from collections.abc import Iterator
from pathlib import Path

from doi_reading.command.file_text import RefusedFile
from doi_reading.command.formats import FORMATS

STDIN = "-"
MOST_FILES = 100_000
"""Files of a folder; the others aren't read."""
_LEFT_OUT = frozenset({"node_modules", "__pycache__"})


def list_files(names: list[str]) -> Iterator[str]:
    """Yield the files, each once. Folders and files whose name begins with a full stop are left out of a folder, and
    symbolic links aren't followed there. A named file that doesn't exist is yielded, too. Raises RefusedFile after
    MOST_FILES of a folder."""
    seen = set[str]()
    for name in names:
        for one in _walk(name) if name != STDIN and Path(name).is_dir() else (name,):
            if one not in seen:
                seen.add(one)
                yield one


def _walk(folder: str) -> Iterator[str]:
    left = MOST_FILES
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _LEFT_OUT)
        for name in sorted(files):
            path = Path(parent, name)
            if path.suffix.lower() in FORMATS and not name.startswith(".") and not path.is_symlink():
                if not left:
                    raise RefusedFile(f"{folder} has more than {MOST_FILES:,} files, so the others weren't read")
                yield str(path)
                left -= 1
