"""The file in which a process keeps its counts for prometheus_client. A full disk may cost counts, and nothing else."""

import fcntl
import logging
import math
import os
import struct
import sys
import time
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

FIRST = 1 << 16  # bytes of a new file
ENTRY = 28  # bytes of an entry beside its key, at most: a length, padding, two doubles
LEAST_ENTRY = 24  # bytes of an entry with its key
RETRY_AFTER = 60.0  # seconds
# What prometheus_client raises for a file of which bytes are lost, as after a power failure.
DAMAGE = (ValueError, TypeError, AttributeError, RuntimeError, struct.error)

log = logging.getLogger(__name__)


class CountsFile:
    """Counts by key, in a file of this process. Used where prometheus_client has its MmapedDict.

    The process holds a shared lock on the file until it ends, however it ends: so no merge takes the file
    (`counts_folder.py`).

    Counts for which the disk has no room stay in memory, and are written once there is room: they are lost only if the
    process ends first. As with MmapedDict, a key is read before it is written, and the caller holds a lock.
    """

    def __init__(self, filename: str, retry_after: float = RETRY_AFTER) -> None:
        """`retry_after`: seconds without room until the next attempt to write."""
        self._filename, self._retry_after = filename, retry_after
        self._file: ReservedFile | None = None
        self._held: BinaryIO | None = None  # the file again, with the lock
        self._waiting: dict[str, tuple[float, float]] = {}
        self._next_attempt = -math.inf  # monotonic seconds

    def read_value(self, key: str) -> tuple[float, float]:
        """Return the count and its time; zeros for a new key."""
        if key not in self._waiting:
            try:
                return self._open().read_value(key)
            except OSError as error:
                if not self._waiting:
                    log.warning("No room for counts, which wait in memory: %s", error)
                self._waiting[key] = self._read_stored(key)
        return self._waiting[key]

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """Store what the key counts now."""
        if key not in self._waiting:
            self._open().write_value(key, value, timestamp)  # its bytes are reserved since it was read
            return
        self._waiting[key] = value, timestamp
        if time.monotonic() >= self._next_attempt:
            self._write_waiting()

    def close(self) -> None:
        """Close the file. What waits isn't written: after a fork it is the parent's, and so is the lock."""
        for file in (self._file, self._held):
            if file is not None:
                file.close()

    def _write_waiting(self) -> None:
        try:
            file = self._open()
            for key, count in list(self._waiting.items()):
                file.write_value(key, *count)
                del self._waiting[key]
        except OSError:
            self._next_attempt = time.monotonic() + self._retry_after

    def _open(self) -> "ReservedFile":
        if self._held is None:
            self._held = _hold(self._filename)
        if self._file is None:
            self._empty_if_damaged()
            self._file = ReservedFile(self._filename)
        return self._file

    def _empty_if_damaged(self) -> None:
        """Begin anew if an earlier process with the same number has left a file that can't be read."""
        if Path(self._filename).stat().st_size and (damage := find_damage(self._filename)):
            log.warning("The counts of a file are lost, because it can't be read: %s (%s)", self._filename, damage)
            os.truncate(self._filename, 0)

    def _read_stored(self, key: str) -> tuple[float, float]:
        """Return what an earlier process with the same number has counted, so that no count ever falls."""
        try:
            # In a damaged file one entry may come again without end.
            most = Path(self._filename).stat().st_size // LEAST_ENTRY
            entries = islice(MmapedDict.read_all_values_from_file(self._filename), most)
            return next(((value, timestamp) for name, value, timestamp, _ in entries if name == key), (0.0, 0.0))
        except (OSError, *DAMAGE):  # there is no file, or one that can't be read
            return 0.0, 0.0


def find_damage(filename: str) -> str:
    """Return why prometheus_client can't read the file; "" if it can. A command that ran once with another account, as
    with `sudo`, leaves a file that is closed to this one."""
    try:
        MultiProcessCollector.merge([filename])
    except (PermissionError, *DAMAGE) as error:
        return repr(error)
    with Path(filename).open("rb") as file:
        used, size = int.from_bytes(file.read(4), sys.byteorder, signed=True), os.fstat(file.fileno()).st_size
    if used and (used % 8 or not 8 <= used <= size):
        return f"it says that it uses {used} of {size} bytes"
    return ""


def _hold(filename: str) -> BinaryIO:
    """Return the open file with a shared lock. Waits while a merge sets aside the file of an ended process with the
    same number, and then begins a new one."""
    while True:
        Path(filename).touch(mode=0o600)
        file = Path(filename).open("a+b")  # noqa: SIM115 - as long as the process lives
        fcntl.flock(file, fcntl.LOCK_SH)
        if _is_at(file, Path(filename)):
            return file
        file.close()  # set aside since it was opened


def _is_at(file: BinaryIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


class ReservedFile(MmapedDict):
    """A file whose bytes are reserved before they are mapped. MmapedDict makes its file longer without reserving: the
    first write to a byte for which the disk has no room then ends the process (SIGBUS). Raises OSError instead."""

    def __init__(self, filename: str) -> None:
        Path(filename).touch(mode=0o600)
        with Path(filename).open("ab") as file:
            _reserve(file.fileno(), FIRST)
        super().__init__(filename)

    def _init_value(self, key: str) -> None:
        needed = self._used + len(key.encode()) + ENTRY
        size = self._capacity
        while size < needed:
            size *= 2
        if size > self._capacity:
            _reserve(self._f.fileno(), size)
        super()._init_value(key)


def _reserve(descriptor: int, size: int) -> None:
    """Reserve that many bytes, or all of a longer file, in which an earlier version may have left holes. A system
    without posix_fallocate (macOS) gets zeros at the end of the file instead."""
    before = os.fstat(descriptor).st_size
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, max(size, before))
        else:
            while (end := os.fstat(descriptor).st_size) < size:
                os.pwrite(descriptor, bytes(size - end), end)
    except OSError:
        os.ftruncate(descriptor, before)  # a part may have been reserved
        raise
