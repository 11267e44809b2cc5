"""The budget in a folder: for one machine, without a server.

The state is one small file. Each change reads and writes it under a lock. Its times are those of the machine's clock
since it was started, which no program can set.
"""

import fcntl
import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from zlib import crc32

from resolver.proxy.limits.budget import ABANDONED_SECONDS, LEASE_SECONDS, Budget
from resolver.proxy.limits.budget_state import Booking, BudgetLimits, BudgetState
from resolver.proxy.limits.proxy_health import USUAL, BackoffPolicy, ProxyHealth, ProxySignal, Reaction

Result = TypeVar("Result")

BOOT = Path("/proc/sys/kernel/random/boot_id")
NAMESPACE = Path("/proc/self/ns/pid")  # processes of two containers may have one number


class FileBudget(Budget):
    """At most `concurrency` permits, and `rate` requests a second (None or 0: no limit), over all processes. `lease`:
    seconds after which the permit of a killed process is free, if that is not noticed earlier."""

    def __init__(
        self,
        directory: Path,
        concurrency: int,
        rate: float | None,
        *,
        policy: BackoffPolicy = USUAL,
        lease: float = LEASE_SECONDS,
    ) -> None:
        super().__init__(BudgetLimits.of(concurrency, rate, lease), policy)
        self._path = Path(directory, "state")
        self._boot = BOOT.read_bytes().strip() if BOOT.exists() else b"-"
        self._namespace = str(NAMESPACE.readlink()) if NAMESPACE.is_symlink() else "-"
        self._locked: LockableFile | None = None

    def take(self, waiter: str = "") -> Booking:
        permit = f"{self._namespace} {os.getpid()} {secrets.token_hex(4)}"

        def book(state: BudgetState) -> tuple[Booking, ProxyHealth]:
            if len(state.permits) >= self.limits.concurrency:
                self._free_the_killed(state)
            return state.take(permit, self.limits, waiter), state.health

        booking, health = self._change(book)
        self.apply_health(health)
        return booking

    def renew_wait(self, permit: str) -> float:
        return self._change(lambda state: state.renew(permit, self.limits))

    def give_back(self, permit: str, after: float = 0.0) -> None:
        self._change(lambda state: state.give_back(permit, self.limits, after))

    def pause_all(self, seconds: float) -> None:
        self._change(lambda state: state.pause(seconds))

    def get_pause(self) -> float:
        return self._change(lambda state: state.paused_for, write=False)

    def record(self, signal: ProxySignal, spread: float) -> Reaction:
        return self._change(lambda state: state.record(signal, self.full, self.policy, spread))

    def read_health(self) -> ProxyHealth:
        return self._change(lambda state: state.health, write=False)

    def check_store(self) -> None:
        self.get_pause()

    def close(self) -> None:
        if self._locked is not None:
            self._locked.close()
            self._locked = None

    def _change(self, edit: Callable[[BudgetState], Result], *, write: bool = True) -> Result:
        """Return what `edit` returns, while no other process sees or changes the state."""
        file = self._locked
        if file is None or file.process != os.getpid():  # a forked process would share the lock
            file = self._locked = LockableFile(self._path)
        with file:
            state = self._decode(file.read())
            result = edit(state)
            if write:
                content = state.to_json()
                file.write(b"%b\n%08x\n%b\n" % (self._boot, crc32(content), content))
        return result

    def _decode(self, stored: bytes) -> BudgetState:
        """Return the stored state; of one from before the machine's last start only the health counts."""
        now, unix_time = time.monotonic(), time.time()
        boot, checksum, content, *_ = *stored.split(b"\n", 3), b"", b""
        if not content or checksum != b"%08x" % crc32(content):
            return BudgetState(now, unix_time)  # the first start, or damage
        state = BudgetState.from_json(content, now, unix_time)
        return state if boot == self._boot else BudgetState(now, unix_time, health=state.health)

    def _free_the_killed(self, state: BudgetState) -> None:
        alive = {process: _is_alive(int(process)) for namespace, process in map(_split_name, state.permits)
                 if namespace == self._namespace}  # fmt: skip
        for permit, until in state.permits.items():
            namespace, process = _split_name(permit)
            if namespace == self._namespace and not alive[process]:
                state.permits[permit] = min(until, state.now + ABANDONED_SECONDS)


def _split_name(permit: str) -> tuple[str, str]:
    """Return the namespace and the process of a permit."""
    namespace, process, _ = permit.split(" ")
    return namespace, process


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # another account's
        pass
    return True


class LockableFile:
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
