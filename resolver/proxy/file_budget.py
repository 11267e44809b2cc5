"""The budget in a folder: for one machine, without a server.

A slot is a file that is locked with flock. The kernel lifts the lock when its process ends, however it ends, so
nothing can be left behind. Two more files hold a time each: when the next turn is free, and until when all pause.
"""

import fcntl
import os
import struct
import threading
import time
import weakref
from pathlib import Path

from resolver.proxy.slots import MAX_PAUSE, TurnTaking

MOMENT = struct.Struct("<d")
BUSY = 0.001
FARTHEST = 600.0  # a time further ahead than this was written before somebody set the clock back


class FileBudget(TurnTaking[int]):
    """At most `concurrency` slots, and `rate` turns a second (None or 0: as many as come), over all processes."""

    def __init__(self, directory: Path, concurrency: int, rate: float | None) -> None:
        self._directory = Path(directory)
        self._concurrency = max(1, concurrency)
        self._interval = 1.0 / rate if rate and rate > 0 else 0.0
        super().__init__(self._interval)
        self._mutex = threading.Lock()
        self._files: dict[str, int] = {}
        self._held: set[int] = set()
        self._next = os.getpid() % self._concurrency
        _budgets.add(self)

    def take(self) -> tuple[int, float] | None:
        with self._mutex:
            slot = self._lock_one()
            if slot is None:
                return None
            wait = self._book()
            if wait is None:
                self._unlock(slot)
                return None
            return slot, wait

    def still_to_wait(self, lease: int) -> float:
        with self._mutex:
            if self._paused(time.time()) <= 0:
                return 0.0
            wait = self._book()
        return BUSY if wait is None else wait

    def give_back(self, lease: int) -> None:
        with self._mutex:
            self._unlock(lease)

    def pause(self, seconds: float) -> None:
        self.keep_still(min(seconds, MAX_PAUSE))
        now = time.time()
        with self._mutex:
            file = self._open("pause")
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                if min(seconds, MAX_PAUSE) > self._paused(now):
                    os.pwrite(file, MOMENT.pack(now + min(seconds, MAX_PAUSE)), 0)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the files; what is held is given back."""
        with self._mutex:
            for file in self._files.values():
                os.close(file)
            self._files.clear()
            self._held.clear()

    __del__ = close

    def _open(self, name: str) -> int:
        if name not in self._files:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._files[name] = os.open(self._directory / name, os.O_RDWR | os.O_CREAT, 0o600)
        return self._files[name]

    def _lock_one(self) -> int | None:
        for step in range(self._concurrency):
            slot = (self._next + step) % self._concurrency
            if slot not in self._held and _lock(self._open(f"slot-{slot}")):
                self._held.add(slot)
                self._next = slot
                return slot
        return None

    def _unlock(self, slot: int) -> None:
        if slot in self._held:
            self._held.remove(slot)
            fcntl.flock(self._files[f"slot-{slot}"], fcntl.LOCK_UN)

    def _paused(self, now: float) -> float:
        left = _read(self._open("pause")) - now
        return left if left <= MAX_PAUSE else 0.0

    def _book(self) -> float | None:
        """The seconds until the next free turn, which is then taken; None when another process is just booking."""
        now = time.time()
        paused = max(self._paused(now), 0.0)
        if not self._interval:
            return paused
        file = self._open("rate")
        if not _lock(file):
            return None
        try:
            free = _read(file)
            if free > now + FARTHEST + 2 * self._concurrency * self._interval:
                free = now
            turn = max(free, now + paused)
            os.pwrite(file, MOMENT.pack(turn + self._interval), 0)
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
        return turn - now


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(file: int) -> float:
    content = os.pread(file, MOMENT.size, 0)
    moment = MOMENT.unpack(content)[0] if len(content) == MOMENT.size else 0.0
    return float(moment) if moment == moment else 0.0


_budgets: "weakref.WeakSet[FileBudget]" = weakref.WeakSet()


def _forget() -> None:
    """A child shares its parent's open files, and with them the locks: it must open its own."""
    for budget in list(_budgets):
        budget._mutex = threading.Lock()
        budget.close()


os.register_at_fork(after_in_child=_forget)
