"""Who of a web process may wait for the DOI proxy: not all its threads, since what is stored is answered meanwhile.

Those who ask for what is not stored stand in line. The first three of a process may ask the proxy, or wait for
another's answer. Who comes then waits too, as long as the line moves: of a thousand who ask for the same name all get
their answer, since it is there within a second or so. But where most of those in front have been there for three
seconds, the proxy is slow or silent, and who stands behind is sent away at once (503): so of four threads one is left
for what is stored, after three seconds at the latest.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from resolver.proxy.budget import Paused

FRONT = 3  # of the four threads that a web process has (doiportal/supervisor/table.py)
SLOW_AFTER = 3.0  # seconds: a registered name is usually answered within one
COME_AGAIN = 5.0
POLL = 0.02


class Busy(Paused):
    """The proxy is slow, and enough are waiting for it already. Nothing was sent, and all is well again in a moment."""

    because = "The DOI proxy is slow to answer, and many are waiting for it, so nothing more is asked"

    def __init__(self) -> None:
        """`seconds` says when to come again."""
        super().__init__(COME_AGAIN)


class Line:
    """Those who ask for what is not stored, in the order in which they came; threads share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[Standing, float] = {}  # those in front, and since when they are
        self._behind: list[Standing] = []

    @contextmanager
    def joined(self) -> Iterator["Standing"]:
        """Stand in line until the block ends."""
        standing = Standing(self)
        with self._lock:
            self._behind.append(standing)
            self._move_up()
        try:
            yield standing
        finally:
            with self._lock:
                if self._since.pop(standing, None) is None:
                    self._behind.remove(standing)
                self._move_up()

    def is_in_front(self, standing: "Standing") -> bool:
        return standing in self._since

    @property
    def is_full(self) -> bool:
        """Whether whoever comes now must stand behind."""
        return len(self._since) >= FRONT

    @property
    def is_stuck(self) -> bool:
        """Whether most of those in front have been there for long."""
        with self._lock:
            now = time.monotonic()
            slow = sum(now - since >= SLOW_AFTER for since in self._since.values())
            return 2 * slow > len(self._since)

    def _move_up(self) -> None:
        while self._behind and len(self._since) < FRONT:
            self._since[self._behind.pop(0)] = time.monotonic()


class Standing:
    """One who stands in line."""

    def __init__(self, line: Line) -> None:
        self._line = line

    @property
    def in_front(self) -> bool:
        """Whether this one may ask, or wait for another who does."""
        return self._line.is_in_front(self)

    def stay(self) -> None:
        """Raises Busy where this one stands behind and it goes on no more."""
        if not self.in_front and self._line.is_stuck:
            raise Busy

    def get_ahead(self) -> None:
        """Wait until this one may ask. Raises Busy, as `stay` does."""
        while not self.in_front:
            self.stay()
            time.sleep(POLL)


OF_THIS_PROCESS = Line()
