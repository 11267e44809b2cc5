"""The connections of a process: how many, how long they may be silent, how much the system holds for each."""

import asyncio
import socket
from typing import Any

from aiohttp import web
from aiohttp.http import HttpVersion11

from doiportal.server.thread_bridge import build_refusal

LINGERING_SECONDS = 30.0  # in which the rest of a refused body is read and dropped
UNSENT_BYTES = 128 * 1024  # that the system holds for a client that is slow to read
READ_AHEAD_BYTES = 64 * 1024  # of a body, while the disk is busy


class Connection(web.RequestHandler):
    """One client's connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A new client."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        if peer is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for the head of the next request, and is not being closed."""
        return self._current_request is None and not self._force_close

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer bad HTTP with 400 and without a line in the log; an error of the server itself is logged."""
        if isinstance(exc, ConnectionError):
            raise exc  # the client has left, or read nothing for too long
        if request.writer.output_size > 0:
            self.log_exception("An answer to %s broke off", request.method, exc_info=exc)
            raise ConnectionError("the answer is on its way already")
        request._version = HttpVersion11  # aiohttp assumes 1.0 for what it could not read
        if status == 500:
            self.log_exception("No answer to %s", request.method, exc_info=exc)
            return build_refusal(500, "Something went wrong on our side. It has been written to the log.")
        return build_refusal(status, "This is no request that this server reads.")


class Connections(web.Server):
    """All connections of a process, `most` at any time."""

    def __init__(self, handler: Any, most: int, **options: Any) -> None:
        super().__init__(handler, **options)
        self._most = most

    def __call__(self) -> Connection:
        """Return a new connection."""
        return Connection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Beyond the most, close the oldest connection that waits for a request, else the new one."""
        super().connection_made(handler, transport)
        if len(self._connections) > self._most:
            waiting = (other for other in self._connections if isinstance(other, Connection) and other.is_waiting)
            next(waiting, handler).force_close()
