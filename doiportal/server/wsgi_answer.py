"""One request in the portal's threads: begun, continued and ended there, each time for a moment."""

from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from time import monotonic
from typing import Any

from django.db import close_old_connections

from doiportal.server.environ import Environ
from resolver.services.http.request_attempt import ATTEMPT, RequestAttempt

Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class WsgiAnswer:
    """The portal's answer to a request. `ended`: nothing follows.

    `begin`, `read_part` and `end` run in threads, one at a time, and inside `context`, which carries what Django keeps
    for a request from thread to thread.
    """

    def __init__(self, application: Application, environ: Environ, attempt: RequestAttempt) -> None:
        self._application, self._environ, self._attempt = application, environ, attempt
        self.context = copy_context()
        self._result: Iterable[bytes] = ()
        self._pieces: Iterator[bytes] = iter(())
        self.status, self.reason = 500, ""
        self.headers: list[tuple[str, str]] = []
        self.ended = False

    def begin(self) -> bytes:
        """Run the view. Return a whole page, and nothing yet of an answer that is made while it is sent."""
        ATTEMPT.set(self._attempt)
        self._result = self._application(self._environ, self._start_response)
        if isinstance(self._result, list) or not getattr(self._result, "streaming", True):
            whole = b"".join(self._result)
            self.end()
            return whole
        self._pieces = iter(self._result)
        return b""

    def read_part(self, most_bytes: int = 64 * 1024, seconds: float = 0.05) -> bytes:
        """Return the next part of such an answer. It ends after so many bytes or seconds, so that other requests get
        the thread."""
        close_old_connections()  # this thread's connections may have died since its last request
        pieces, size, until = [], 0, monotonic() + seconds
        for piece in self._pieces:
            pieces.append(piece)
            size += len(piece)
            if size >= most_bytes or monotonic() >= until:
                return b"".join(pieces)
        self.end()
        return b"".join(pieces)

    def end(self) -> None:
        """Release everything that the view holds."""
        self.ended = True
        if close := getattr(self._result, "close", None):
            close()

    def _start_response(self, status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
        code, _, self.reason = status.partition(" ")
        self.status, self.headers = int(code), headers
