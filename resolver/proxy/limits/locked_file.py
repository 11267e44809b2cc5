"""A small file that processes and threads change one after the other, and that a full disk leaves whole."""

import fcntl
import os
import threading
from pathlib import Path


class LockedFile:
    """A small file that processes and threads change one after the other, and that a full disk leaves whole.

    Locked inside `with`. The kernel lifts the lock when the process ends, however it ends. A forked process opens the
    file for itself.
    """

    def __init__(self, path: Path) -> None:
        """Raises OSError if the file cannot be made."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.process = os.getpid()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._room = os.fstat(self._file).st_size
        self._mutex = threading.Lock()  # the kernel's lock is one for all threads

    def __enter__(self) -> None:
        self._mutex.acquire()
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
        self._mutex.release()

    def read(self) -> bytes:
        """Return what was written last, perhaps with the rest of an older, longer content after it."""
        return os.pread(self._file, 2**20, 0)  # the permits of 10,000 requests take less than this MB

    def write(self, content: bytes) -> None:
        """Write over the beginning. Raises OSError if the disk is full; then the file is as it was."""
        while self._room < len(content):
            self._room += os.pwrite(self._file, bytes(4096), self._room)  # a block, so that it seldom has to grow
        os.pwrite(self._file, content, 0)

    def close(self) -> None:
        """Close the file; no thread may hold the lock."""
        os.close(self._file)
