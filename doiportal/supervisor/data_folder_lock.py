"""One portal to a data folder: a second one, perhaps of another version, would change tables under the first."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

NAME = "supervisor.lock"
LONGEST_WAIT_SECONDS = 15.0  # a portal that is ending takes ten at most


class DataFolderInUse(Exception):
    """Another portal runs with this data folder; the message says which."""


@contextmanager
def hold_data_folder(folder: Path, note: str, say: Callable[[str], None]) -> Iterator[None]:
    """Keep other portals from `folder` inside `with`. `note` describes this one to them. The kernel lifts the lock when
    the process ends, however it ends. Wait for a portal that is just ending, and report it by `say`. Raises
    DataFolderInUse after LONGEST_WAIT_SECONDS. A folder in which nothing can be written or locked is let through: the
    set-up says what is wrong with it."""
    try:
        if not (folder / NAME).exists():
            (folder / NAME).touch(mode=0o600)
        lock = (folder / NAME).open("a+")
    except OSError:
        yield
        return
    with lock:
        if not _is_ours(lock):
            say(f"the data folder {folder} is in use by {_read_note(lock)}; waiting for it to end")
            _wait(lock, folder)
        with suppress(OSError):  # a full disk, which the set-up reports
            os.ftruncate(lock.fileno(), 0)
            os.write(lock.fileno(), note.encode())
        yield


def _is_ours(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _wait(lock: IO[str], folder: Path) -> None:
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while not _is_ours(lock):
        if time.monotonic() > until:
            raise DataFolderInUse(
                f"the data folder {folder} is in use by {_read_note(lock)}. Use that portal, end it, or choose another "
                "folder with the variable DOIPORTAL_DATA_DIR"
            )
        time.sleep(0.2)


def _read_note(lock: IO[str]) -> str:
    lock.seek(0)
    return lock.read(300) or "another doiportal"
