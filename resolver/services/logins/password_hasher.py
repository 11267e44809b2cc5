"""A bound on the passwords that a process hashes at a time. A hash takes half a second of a processor on purpose."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import PBKDF2PasswordHasher

AT_ONCE = 1
WAITING = 1  # so log-ins keep at most two of the eight threads of a process
PATIENCE = 2.0  # seconds


class TooManyHashes(Exception):
    """Enough passwords are being hashed, so this one was not. Try again in `seconds`."""

    seconds = 2


class HashGate:
    """Lets a few through at once, keeps a few waiting, and refuses the others. Threads share one."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING, patience: float = PATIENCE) -> None:
        self._present = threading.BoundedSemaphore(at_once + waiting)
        self._inside = threading.BoundedSemaphore(at_once)
        self._patience = patience

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Hold a place until the block ends. Raise TooManyHashes."""
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


HASH_GATE = HashGate()


class GatedHasher(PBKDF2PasswordHasher):
    """Django's own hash, behind the gate, on every page that hashes a password."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with HASH_GATE.enter():
            return super().encode(password, salt, iterations)
