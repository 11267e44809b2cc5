"""A client that sends and takes what it is told, and no more."""

import asyncio
import socket
from typing import Self

WAIT = 10.0  # seconds after which a test fails that hangs


class RawClient:
    """One connection; `window`: bytes that the system takes for a client that reads nothing."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    @classmethod
    async def connected(cls, port: int, window: int = 0) -> Self:
        connection = socket.socket()
        connection.setblocking(False)
        if window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", port))
        return cls(connection)

    async def send(self, raw: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self._connection, raw)

    async def take(self, most: int = 65_536) -> bytes:
        """What comes next; b"" at the end."""
        async with asyncio.timeout(WAIT):
            return await asyncio.get_running_loop().sock_recv(self._connection, most)

    async def until(self, end: bytes) -> bytes:
        """What comes up to these bytes."""
        received = b""
        while not received.endswith(end):
            piece = await self.take(1)
            assert piece, received
            received += piece
        return received

    async def rest(self) -> bytes:
        """All that comes until the other side closes."""
        received = bytearray()
        try:
            while piece := await self.take():
                received += piece
        except ConnectionResetError:
            pass  # it closed before it had read all: what came before that counts
        finally:
            self.close()
        return bytes(received)

    def close(self) -> None:
        self._connection.close()
