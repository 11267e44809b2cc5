"""One bound for a whole request of the requests library, whose own timeouts hold for each piece that arrives: a server
that sends a byte now and then could keep a person waiting, and a permit of the budget, for hours."""

import os
import socket
import threading
import time
from contextlib import suppress
from http import HTTPStatus
from http.client import BadStatusLine, HTTPResponse, parse_headers
from typing import Any, NamedTuple, Self

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

KEPT_CONNECTION_SECONDS = 30.0  # servers in between may silently drop a connection that is unused for longer
MOST_INTERIM_ANSWERS = 20  # before the final one

_here = threading.local()


class RequestSeconds(NamedTuple):
    """The time limits of one request, as the requests library takes them. `connect`: for each address of the server;
    `total`: for the whole request."""

    connect: float
    total: float


class TotalTimeout:
    """`with TotalTimeout(seconds) as timeout`: when the time is up, the connection that this thread uses inside is cut,
    a later one raises TimeoutError before it sends, and `timeout.passed` is true. `timeout.on_kept_connection`: the
    request used a connection of an earlier one."""

    def __init__(self, seconds: float) -> None:
        self.passed = self.on_kept_connection = False
        self._mutex = threading.Lock()
        self._watched: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        _here.timeout = self
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        _here.timeout = None
        self._timer.cancel()
        with self._mutex:
            self._forget()

    def watch(self, connection: socket.socket) -> None:
        """Remember the connection to be cut, as a copy, since TLS takes the first one over."""
        with self._mutex:
            if self.passed:
                raise TimeoutError
            self._forget()
            self._watched = socket.socket(fileno=os.dup(connection.fileno()))

    def _cut(self) -> None:
        with self._mutex:
            self.passed = True
            if self._watched is not None:
                with suppress(OSError):  # it has ended by itself
                    self._watched.shutdown(socket.SHUT_RDWR)

    def _forget(self) -> None:
        if self._watched is not None:
            self._watched.close()
            self._watched = None


def _watch(connection: socket.socket, *, kept: bool = False) -> None:
    timeout: TotalTimeout | None = getattr(_here, "timeout", None)
    if timeout is not None:
        timeout.on_kept_connection = kept
        timeout.watch(connection)


class FinalResponse(HTTPResponse):
    """The final answer. http.client takes any interim one but 100 for it, such as 103 with links to preload."""

    def _read_status(self) -> tuple[str, int, str]:
        for _ in range(MOST_INTERIM_ANSWERS + 1):
            found: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
            if not 100 <= found[1] < 200 or found[1] == HTTPStatus.SWITCHING_PROTOCOLS:
                return found
            parse_headers(self.fp)
        raise BadStatusLine(f"more than {MOST_INTERIM_ANSWERS} interim answers")


class WatchedConnection(HTTPConnection):
    response_class = FinalResponse
    _used_at = 0.0  # monotonic; 0 before the first request

    @property
    def is_connected(self) -> bool:
        """If false, the pool makes a new connection."""
        return super().is_connected and time.monotonic() - self._used_at < KEPT_CONNECTION_SECONDS

    def _new_conn(self) -> socket.socket:
        made = super()._new_conn()
        self._used_at = 0.0
        _watch(made)
        return made

    def request(self, *arguments: Any, **options: Any) -> None:
        if self._used_at and self.sock is not None:
            _watch(self.sock, kept=True)
        super().request(*arguments, **options)
        self._used_at = time.monotonic()


class WatchedTlsConnection(WatchedConnection, HTTPSConnection): ...


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = WatchedConnection


class _SafePool(HTTPSConnectionPool):
    ConnectionCls = WatchedTlsConnection


class BoundedAdapter(HTTPAdapter):
    """Makes connections that a TotalTimeout can cut, except through a SOCKS server."""

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SafePool}

    def proxy_manager_for(self, proxy: Any, **options: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **options)
        if not str(proxy).lower().startswith("socks"):
            manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SafePool}
        return manager
