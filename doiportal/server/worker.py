"""A process of the web server, as gunicorn starts it (`--worker-class doiportal.server.worker.Worker`), and its
connections: how many, how long they may be silent, how much the system holds for each."""

import asyncio
import os
import resource
import socket
from typing import Any

from aiohttp import web
from aiohttp.http import HttpVersion11
from aiohttp.worker import GunicornUVLoopWebWorker
from django.conf import settings

from doiportal.server.bodies import BodyStore
from doiportal.server.requester import FrontServer
from doiportal.server.thread_bridge import ThreadBridge, build_refusal


class Worker(GunicornUVLoopWebWorker):
    """gunicorn's process with an event loop (uvloop, the fastest), and the portal in threads beside it."""

    async def _run(self) -> None:
        portal = ThreadBridge(
            self.wsgi,
            self.cfg.threads,
            BodyStore(settings.FILE_UPLOAD_TEMP_DIR, room=10 * settings.MAX_UPLOAD_BYTES),
            longest=settings.LONGEST_BODY,
            front=FrontServer(
                settings.TRUSTED_PROXIES,
                settings.URL_PREFIX,
                settings.REMOTE_USER_HEADER,
                settings.REMOTE_GROUPS_HEADER,
            ),
        )
        server = Connections(
            portal,
            _compute_most_connections(),
            logger=self.log.error_log,
            access_log=None,
            keepalive_timeout=self.cfg.keepalive,
            max_line_size=2 * self.cfg.limit_request_line,  # the gateway itself refuses lines beyond the limit
            lingering_time=30.0,  # seconds in which the rest of a refused body is read and dropped
            read_bufsize=64 * 1024,  # bytes of a body, while the disk is busy
            auto_decompress=False,
        )
        runner = web.ServerRunner(server, shutdown_timeout=self.cfg.graceful_timeout * 0.9)
        await runner.setup()
        for sock in self.sockets:
            # A descriptor of its own: at the end each closes one, gunicorn and the event loop.
            await web.SockSite(runner, sock.dup(), backlog=self.cfg.backlog).start()
        self.booted = True
        beats = asyncio.create_task(_say_alive())
        while self.alive and self.ppid == os.getppid():
            self.notify()
            await self._wait_next_notify()
        beats.cancel()
        await runner.cleanup()
        await _cancel_others()
        portal.close()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """SIGTERM: answer the requests that have arrived, and end at once instead of at the next look."""
        super().handle_exit(sig, frame)
        self._notify_waiter_done()


async def _say_alive() -> None:
    """Store heartbeats, in a thread: all processes of this server share one."""
    # gunicorn loads this module before Django is ready.
    from resolver.models import Process
    from resolver.services.health.heartbeats import EVERY, say_alive

    name = f"web@{socket.gethostname()}:{settings.PORT}"
    while True:
        await asyncio.to_thread(say_alive, name, Process.WEB)
        await asyncio.sleep(EVERY.total_seconds())


async def _cancel_others() -> None:
    """Cancel the tasks that wait for the rest of a body whose client has left: aiohttp forgets them, and Python reports
    an error if they outlive the event loop."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=1)


def _compute_most_connections(most: int = 10_000, other_files: int = 300) -> int:
    """Return how many connections fit the limit of open files, `most` at best: each takes one, and one more for a body
    on disk. `other_files` are open for other reasons."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * most + other_files
    files = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(1, (files - other_files) // 2)


class Connection(web.RequestHandler):
    """One client's connection."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A new client."""
        super().connection_made(transport)
        peer = transport.get_extra_info("socket")
        if peer is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            # The bytes that the system holds for a client that is slow to read.
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, 128 * 1024)

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
