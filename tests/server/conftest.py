"""The web server around an application of the test's own, on a port of its own."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from doiportal.server.bodies import BodyStore, PaceLimit
from doiportal.server.requester import FrontServer
from doiportal.server.thread_bridge import ThreadBridge
from doiportal.server.worker import Connections
from tests.server.clients import RawClient

WAIT = 10.0  # seconds after which a test fails that hangs


@dataclass
class Server:
    """Where it listens, its connections and their bodies. `asked`: the environ of each request that the application
    got."""

    port: int
    connections: Connections
    bodies: "WatchedBodies"
    asked: list[dict[str, Any]] = field(default_factory=list)
    clients: list[RawClient] = field(default_factory=list)

    async def connect(self, window: int = 0) -> RawClient:
        client = await RawClient.connected(self.port, window)
        self.clients.append(client)
        return client

    async def ask(self, raw: bytes) -> bytes:
        """What comes back for these bytes, to the end of the connection."""
        client = await self.connect()
        await client.send(raw)
        return await client.rest()


class WatchedBodies(BodyStore):
    @property
    def stored(self) -> int:
        """The bytes in the room of all bodies."""
        return self._stored


Application = Callable[..., Any]
Serve = Callable[..., Any]


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Says what it was sent."""
    body = environ["wsgi.input"].read()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["RAW_URI"].encode("latin-1"), b" ", str(len(body)).encode(), b" ", body[:20]]


@pytest.fixture
async def serve(tmp_path: Path) -> AsyncIterator[Serve]:
    async with AsyncExitStack() as stack:

        async def started(
            application: Application = echo,
            *,
            threads: int = 2,
            room: int = 10_000_000,
            longest: int = 1_000_000,
            most: int = 100,
            keep_alive: float = WAIT,
            folder: Path = tmp_path,
            front: FrontServer = FrontServer(),  # noqa: B008 - it is a tuple
            pace: PaceLimit = PaceLimit(),  # noqa: B008 - it is frozen
            stalled: float = WAIT,
        ) -> Server:
            def watched(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
                server.asked.append(environ)
                return application(environ, start_response)

            bodies = WatchedBodies(folder, room, pace)
            portal = ThreadBridge(watched, threads, bodies, longest=longest, front=front, stalled=stalled)
            stack.callback(portal.close)
            connections = Connections(portal, most, keepalive_timeout=keep_alive, lingering_time=0.3, access_log=None)
            runner = web.ServerRunner(connections, shutdown_timeout=0.1)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            server = Server(runner.addresses[0][1], connections, bodies)
            stack.callback(lambda: [client.close() for client in server.clients])
            return server

        yield started
