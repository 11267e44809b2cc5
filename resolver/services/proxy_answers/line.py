"""Who of a web process may wait for the DOI proxy: not all its threads, since what is stored is answered meanwhile.

A request that needs what is not stored stands in line: a lookup, or one of the gateway's. The first five of a process
may ask the proxy, or wait for another's answer. The others wait behind them, as long as the line moves: of a thousand
who ask for the same name all get their answer, since it is there within a second or so. But where most of those in
front have been there for three seconds, the proxy is slow or silent, and those behind are sent away (503, by the
gateway 500).

Those in front hold a thread each, and those behind hold none where the web server can keep a request without one
(doiportal/server): it finds the request `turned_back`, and runs it again from its beginning a moment later. Nothing was
asked or stored by then. So three threads never wait for the proxy; of these logins may take two (services/logins).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from resolver.domain.message import Message
from resolver.proxy.limits import Paused

FRONT = 5  # of the eight threads that a web process has (doiportal/supervisor/processes.py)
SLOW_AFTER = 3.0  # seconds: a registered name is usually answered within one
LONGEST_BEHIND = 8.0  # seconds, however well the line moves
COME_AGAIN = 5.0
POLL = 0.02


class ProxyBusy(Paused):
    """The proxy is slow, and enough are waiting for it already. Nothing was sent, and all is well again in a moment."""

    def __init__(self) -> None:
        """`seconds` says when to come again."""
        super().__init__(COME_AGAIN)

    def until(self, time: str) -> Message:
        return Message(
            "The DOI proxy is slow to answer, and many are waiting for it, so nothing more is asked until {time} UTC.",
            time=time,
        )


class TurnedBack(ProxyBusy):
    """The request stands behind, and the web server runs it again."""


@dataclass
class Attempt:
    """A request that the web server can run again; it puts one into ATTEMPT for each run, with the time when the
    request came. `turned_back`: this run was in vain."""

    came_at: float = field(default_factory=time.monotonic)
    turned_back: bool = False

    @property
    def waited(self) -> float:
        """Seconds since the request came."""
        return time.monotonic() - self.came_at


ATTEMPT: ContextVar[Attempt | None] = ContextVar("attempt", default=None)


class Line:
    """Those who ask for what is not stored, in the order in which they came; threads share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._since: dict[Standing, float] = {}  # those in front, and since when they are
        self._behind: list[Standing] = []
        self._kept: ContextVar[_Place | None] = ContextVar("kept", default=None)

    @contextmanager
    def joined(self) -> Iterator["Standing"]:
        """Stand in line until the block ends; inside `one_place`, until that one does."""
        kept = self._kept.get()
        if kept is None:
            with ExitStack() as place:
                yield place.enter_context(self._standing())
            return
        if kept.standing is None:
            kept.standing = kept.place.enter_context(self._standing())
        yield kept.standing

    @contextmanager
    def one_place(self) -> Iterator[None]:
        """All questions of the block are put from one place in the line, taken with the first of them."""
        with ExitStack() as place:
            token = self._kept.set(_Place(place))
            place.callback(self._kept.reset, token)
            yield

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

    @contextmanager
    def _standing(self) -> Iterator["Standing"]:
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

    def _move_up(self) -> None:
        while self._behind and len(self._since) < FRONT:
            self._since[self._behind.pop(0)] = time.monotonic()


@dataclass
class _Place:
    place: ExitStack
    standing: "Standing | None" = None


class Standing:
    """One who stands in line."""

    def __init__(self, line: Line) -> None:
        self._line = line

    @property
    def in_front(self) -> bool:
        """Whether this one may ask, or wait for another who does."""
        return self._line.is_in_front(self)

    def stay(self) -> None:
        """Wait no longer than it makes sense where this one stands behind: raises Busy where it goes on no more, and
        TurnedBack where the web server can wait instead."""
        if self.in_front:
            return
        attempt = ATTEMPT.get()
        if self._line.is_stuck or (attempt and attempt.waited > LONGEST_BEHIND):
            raise ProxyBusy
        if attempt:
            attempt.turned_back = True
            raise TurnedBack

    def get_ahead(self) -> None:
        """Wait until this one may ask. Raises as `stay` does."""
        while not self.in_front:
            self.stay()
            time.sleep(POLL)


OF_THIS_PROCESS = Line()
