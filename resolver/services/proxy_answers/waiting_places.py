"""A bound on the threads of a web process that wait for the DOI proxy: stored answers need threads too.

A lookup or a gateway request that needs more than stored answers takes one of five places. It then sends a request, or
waits for another's answer. Requests without a place wait while places become free: a thousand for one name all get
their answer, within a second or so. If no place becomes free for five seconds, the proxy is slow or silent, and they
get `ProxyBusy` (503, from the gateway 500).

A batch of a program holds its place for many seconds. So batches may take at most three of the five places: a lookup
always finds one that becomes free soon.

A request without a place holds no thread if the web server can keep it without one (doiportal/server). The server finds
it `turned_back`, and runs it again from its beginning a moment later. By then nothing was requested or stored. So three
threads never wait for the proxy; log-ins may take two of these (services/logins).
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from doi_reading import Message
from resolver.proxy.limits import Paused
from resolver.services.http.request_run import ATTEMPT, RequestRun

PLACES = 5  # of the eight threads that a web process has (doiportal/supervisor/process_commands.py)
BATCH_PLACES = 3  # of these, which batches may take
LONGEST_WAIT_SECONDS = 8.0  # without a place, however often places become free
LOOKUP_SECONDS = 18.0  # that a person waits for a place and for all answers


class ProxyBusy(Paused):
    """The proxy is slow, and enough requests wait for it already. Nothing was sent."""

    def __init__(self) -> None:
        super().__init__(seconds=5.0)

    def describe(self, time: str) -> Message:
        """Return the sentence for people, with the time of day in UTC."""
        return Message(
            "The DOI proxy is slow, and many requests are waiting. There may be room after {time} UTC.", time=time
        )


class TurnedBack(ProxyBusy):
    """There is no place for the request, and the web server runs it again."""


@dataclass
class _Request:
    is_batch: bool = False
    has_place: bool = False


class ProxyPlaces:
    """The places of this process. Its threads share them. `slow_after`: seconds; an answer usually takes one."""

    def __init__(self, slow_after: float = 5.0) -> None:
        self.slow_after = slow_after
        self._places = threading.BoundedSemaphore(PLACES)
        self._for_batches = threading.BoundedSemaphore(BATCH_PLACES)
        self._lock = threading.Lock()
        self._taken = self._batches = 0
        self._moved_at = 0.0  # when a place was last taken or given back
        self._request: ContextVar[_Request | None] = ContextVar("request", default=None)

    @property
    def is_full(self) -> bool:
        """Return whether all places are taken."""
        return self._taken >= PLACES

    @property
    def is_stuck(self) -> bool:
        """Return whether all places are taken, and none became free for long."""
        return self.is_full and time.monotonic() - self._moved_at >= self.slow_after

    def is_full_for(self, attempt: RequestRun) -> bool:
        """Return whether all places that this request may take are taken."""
        return self.is_full or (attempt.is_batch and self._batches >= BATCH_PLACES)

    @contextmanager
    def keep_place(self, *, is_batch: bool = False) -> Iterator[None]:
        """Let all `take_place` blocks within this block share one place. The first of them takes it, and it is given
        back when this block ends. `is_batch`: it is one of the places that batches may take."""
        request = _Request(is_batch)
        token = self._request.set(request)
        try:
            yield
        finally:
            self._request.reset(token)
            if request.has_place:
                self._count(-1, request)
                self._give_back(request)

    @contextmanager
    def take_place(self) -> Iterator[None]:
        """Take a place until the block ends, or until the `keep_place` block around it ends. Raises ProxyBusy if places
        don't become free, and TurnedBack if the web server can wait instead."""
        request = self._request.get()
        if request is None:
            with self.keep_place(), self.take_place():
                yield
            return
        if not request.has_place:
            self._take(request)
            request.has_place = True
        yield

    def _take(self, request: _Request) -> None:
        attempt = ATTEMPT.get()
        while not self._acquire(request, 0 if attempt else self.slow_after):
            if self.is_stuck or (attempt and attempt.waited > LONGEST_WAIT_SECONDS):
                raise ProxyBusy
            if attempt:
                attempt.turned_back, attempt.is_batch = True, request.is_batch
                raise TurnedBack
        self._count(1, request)

    def _acquire(self, request: _Request, seconds: float) -> bool:
        if request.is_batch and not self._for_batches.acquire(timeout=seconds):
            return False
        if self._places.acquire(timeout=seconds):
            return True
        if request.is_batch:
            self._for_batches.release()
        return False

    def _give_back(self, request: _Request) -> None:
        self._places.release()
        if request.is_batch:
            self._for_batches.release()

    def _count(self, change: int, request: _Request) -> None:
        with self._lock:
            self._taken += change
            self._batches += change if request.is_batch else 0
            self._moved_at = time.monotonic()


PROXY_PLACES = ProxyPlaces()
