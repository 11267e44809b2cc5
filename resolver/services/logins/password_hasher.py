"""How many passwords a process hashes at a time. A hash is made to be slow: half a second of a processor each."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import PBKDF2PasswordHasher

AT_ONCE = 1
WAITING = 1  # so of eight threads of a process two at most are kept by people who log in
PATIENCE = 2.0  # seconds that one waits


class TooManyHashes(Exception):
    """Enough passwords are being hashed: this one was not. It is over within `seconds`."""

    seconds = 2


class Gate:
    """Lets a few through at once, keeps a few waiting, and sends the others away; threads share one."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING, patience: float = PATIENCE) -> None:
        self._present = threading.BoundedSemaphore(at_once + waiting)
        self._inside = threading.BoundedSemaphore(at_once)
        self._patience = patience

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Raises Busy."""
        if not self._present.acquire(blocking=False):
            raise TooManyHashes
        try:
            if not self._inside.acquire(timeout=self._patience):
                raise TooManyHashes
            try:
                yield
            finally:
                self._inside.release()
        finally:
            self._present.release()


OF_THIS_PROCESS = Gate()


class GatedHasher(PBKDF2PasswordHasher):
    """Django's own hash, behind the gate: whoever logs in, changes a password or is given one, on any page."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with OF_THIS_PROCESS.passed():
            return super().encode(password, salt, iterations)
