"""The budget in a folder: for one machine, without a server.

A slot is a file that is locked with flock. The kernel lifts the lock when its process ends, however it ends, so
nothing can be left behind. What the file holds is until when a slot whose process was killed is left alone: the proxy
may still be at work for it. More files hold the rate's window, until when all pause, and the proxy's mood.
"""

import fcntl
import os
import shutil
import struct
import threading
import time
import weakref
from datetime import UTC, datetime
from pathlib import Path
from random import random

from resolver.proxy.limits import backoff
from resolver.proxy.limits.backoff import NUMBERS, USUAL, BackoffPolicy, ProxyHealth, Reaction, Signal
from resolver.proxy.limits.budget import ABANDONED, LONGEST_POLL, SharedBudget
from resolver.proxy.limits.file_window import Window

MOMENT = struct.Struct("<d")
MOOD = struct.Struct(f"<{len(NUMBERS)}d")
AGAIN = 0.001
PROBE_AGAIN = 0.25
COUNTED = 30.0  # seconds for which the request of a killed process counts towards the rate
FARTHEST = 600.0  # a time further ahead is none of ours
BOOT = Path("/proc/sys/kernel/random/boot_id")

Lease = tuple[int, int]  # the slot's number, and that of the window's token (0: none)


class FileBudget(SharedBudget[Lease]):
    """At most `concurrency` slots, and `rate` requests a second (None or 0: as many as come), over all processes.

    `lease`: seconds after its turn in which nobody else gets the slot of a killed process.
    """

    def __init__(
        self,
        directory: Path,
        concurrency: int,
        rate: float | None,
        *,
        manners: BackoffPolicy = USUAL,
        lease: float = ABANDONED,
    ) -> None:
        super().__init__(concurrency, rate, manners)
        self._directory = Path(directory)
        self._lease = lease
        self._mutex = threading.Lock()
        self._files: dict[str, int] = {}
        self._held: set[int] = set()
        self._probing: Lease | None = None
        self._next = os.getpid() % self.concurrency
        _budgets.add(self)

    def take(self) -> tuple[Lease, float] | None:
        with self._mutex:
            self.next_look = 0.0
            slot = self._lock_one()
            if slot is None:
                return None
            booked = self._book()
            if booked is None:
                self._unlock(slot)
                return None
            token, wait = booked
            self._mark(slot, wait)
            return (slot, token), wait

    def still_to_wait(self, lease: Lease) -> float:
        with self._mutex:
            wait = self._paused()
            if wait > 0:
                wait += random() * AGAIN  # noqa: S311 - waits out of step; no secret
            elif self._mood().stopped and not self._may_probe(lease):
                wait = PROBE_AGAIN
            else:
                wait = 0.0
            self._mark(lease[0], wait)
            if lease[1]:
                self._window().keep(lease[1], time.monotonic() + wait + COUNTED)
            return wait

    def give_back(self, lease: Lease, after: float = 0.0) -> None:
        slot, token = lease
        with self._mutex:
            if slot not in self._held:
                return
            if token:
                self._window().keep(token, time.monotonic() + self.counted_for)
            if self._probing == lease:
                fcntl.flock(self._files["probe"], fcntl.LOCK_UN)
                self._probing = None
            taken_until = time.monotonic() + after if after else 0.0
            os.pwrite(self._files[f"slot-{slot}"], MOMENT.pack(taken_until), 0)
            self._unlock(slot)

    def pause(self, seconds: float) -> None:
        seconds = min(seconds, self.manners.longest_pause)
        self.keep_still(seconds)
        with self._mutex:
            file = self._open("pause")
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                if seconds > self._paused():
                    os.pwrite(file, MOMENT.pack(time.monotonic() + seconds), 0)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)

    def paused_for(self) -> float:
        with self._mutex:
            return max(self._paused(), 0.0)

    def take_in(self, signal: Signal) -> Reaction:
        with self._mutex:
            file = self._open("mood")
            fcntl.flock(file, fcntl.LOCK_EX)
            try:
                spread = 0.5 + random()  # noqa: S311 - waits out of step; no secret
                consequence = backoff.after(self._mood(), signal, time.time(), self.full, self.manners, spread)
                mood = consequence.mood
                os.pwrite(file, MOOD.pack(*(getattr(mood, name) for name in NUMBERS)), 0)
            finally:
                fcntl.flock(file, fcntl.LOCK_UN)
        return consequence

    def barred_since(self) -> datetime | None:
        with self._mutex:
            mood = self._mood()
        return datetime.fromtimestamp(mood.refused_since, UTC) if mood.barred else None

    def close(self) -> None:
        """Close the files; what is held is given back."""
        with self._mutex:
            for file in self._files.values():
                os.close(file)
            self._files.clear()
            self._held.clear()
            self._probing = None

    __del__ = close

    def _open(self, name: str) -> int:
        if name not in self._files:
            folder = _since_boot(self._directory)
            path = (self._directory if name == "mood" else folder) / name
            self._files[name] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        return self._files[name]

    def _lock_one(self) -> int | None:
        for step in range(self.concurrency):
            slot = (self._next + step) % self.concurrency
            file = self._open(f"slot-{slot}")
            if slot not in self._held and _lock(file):
                if 0 < _read(file) - time.monotonic() <= FARTHEST:
                    fcntl.flock(file, fcntl.LOCK_UN)
                    continue
                self._held.add(slot)
                self._next = slot
                return slot
        return None

    def _unlock(self, slot: int) -> None:
        self._held.remove(slot)
        fcntl.flock(self._files[f"slot-{slot}"], fcntl.LOCK_UN)

    def _mark(self, slot: int, wait: float) -> None:
        """For the case that we are killed with this slot in hand."""
        os.pwrite(self._files[f"slot-{slot}"], MOMENT.pack(time.monotonic() + wait + self._lease), 0)

    def _paused(self) -> float:
        left = _read(self._open("pause")) - time.monotonic()
        # Another process may have set a pause longer than ours may be: it holds for us too.
        return left if left <= max(FARTHEST, self.manners.longest_pause) else 0.0

    def _mood(self) -> ProxyHealth:
        content = os.pread(self._open("mood"), MOOD.size, 0)
        return ProxyHealth.of(MOOD.unpack(content), time.time()) if len(content) == MOOD.size else ProxyHealth()

    def _may_probe(self, lease: Lease) -> bool:
        """One request at a time is tried while the proxy refuses us; the kernel frees the lock of a killed process."""
        if self._probing is None and _lock(self._open("probe")):
            self._probing = lease
        return self._probing == lease

    def _window(self) -> Window:
        return Window(self._open("rate"), self.tokens, FARTHEST)

    def _book(self) -> tuple[int, float] | None:
        """A token of the window and the seconds until its turn; None when there is none, or another process is just
        booking."""
        mood = self._mood()
        self.see(mood)
        interval = max(1.0 / self.rate if self.rate else 0.0, 1.0 / mood.pace if mood.pace else 0.0)
        wait = max(self._paused(), 0.0)
        if mood.stopped:
            wait = max(wait, AGAIN)  # then it is asked who may try
        if not interval:
            return 0, wait
        file = self._open("rate")
        if not _lock(file):
            return None
        try:
            booked = self._window().take(time.monotonic(), wait, interval, COUNTED)
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
        if isinstance(booked, float):
            self.next_look = min(booked, LONGEST_POLL)
            return None
        return booked


def _since_boot(directory: Path) -> Path:
    """Where times of the machine's clock since its start are kept: those of an earlier start mean nothing."""
    folder = directory / (BOOT.read_text().strip() if BOOT.exists() else "times")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return folder
    # Only the process that made it clears up, and never it: others may hold locks in it already.
    for earlier in directory.glob("*/"):
        if earlier != folder:
            shutil.rmtree(earlier, ignore_errors=True)
    return folder


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
