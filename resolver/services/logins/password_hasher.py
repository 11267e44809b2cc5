"""A bound on the passwords that a process hashes at a time. A hash takes half a second of a processor on purpose."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class TooManyHashes(Exception):
    """Enough passwords are being hashed, so this one was not. Try again in `seconds`."""

    seconds = 2


class HashGate:
    """Lets one thread through, keeps one waiting for at most `patience` seconds, and refuses the others. So log-ins
    take at most two of the eight threads of a process."""

    def __init__(self, patience: float = 2.0) -> None:
        self._present = threading.BoundedSemaphore(2)
        self._inside = threading.BoundedSemaphore(1)
        self._patience = patience

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Hold the place until the block ends. Raises TooManyHashes."""
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
    """Django's own hash, through the gate, on every page that hashes a password."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with HASH_GATE.enter():
            return super().encode(password, salt, iterations)
