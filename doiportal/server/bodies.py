"""Bodies of requests: received whole before a thread reads them, on disk if they are long, limited in time and room."""

import asyncio
import io
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from aiohttp.streams import StreamReader

MOST_BYTES_IN_MEMORY = 64 * 1024  # of one body; a longer one is written to a file that has no name


class BodyTooSlow(Exception):
    """The body did not come in time."""


class BodyRoomFull(Exception):
    """The bodies that are being received fill their common room."""


class BodyNotStored(Exception):
    """The disk is full; the cause has the details. Not an OSError, which Django treats as a client that has left."""


class UnreadableBody(io.BytesIO):
    """The stand-in for a body that could not be stored: reading it raises BodyNotStored."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def read(self, _size: int | None = -1, /) -> bytes:
        raise BodyNotStored from self.error

    readline = read


@dataclass(frozen=True)
class PaceLimit:
    """How slowly a body may arrive: `silence`, seconds without a byte; `slowest`, bytes a second on average over
    `period` seconds."""

    silence: float = 30.0
    slowest: float = 16 * 1024
    period: float = 60.0


class BodyStore:
    """All bodies that a process holds."""

    def __init__(self, folder: Path, room: int, pace: PaceLimit = PaceLimit()) -> None:
        """`folder`: for bodies too long for memory; `room`: bytes of all these together."""
        self._folder, self._room, self._pace, self._stored = folder, room, pace, 0

    @asynccontextmanager
    async def received(self, content: StreamReader, length: int) -> AsyncIterator[IO[bytes]]:
        """Yield the whole body of that length, which exists until the block ends. Raises BodyTooSlow, BodyRoomFull, and
        ConnectionError if the client has left. A full disk shows when the body is read, so that the portal answers as
        for any full disk."""
        with ExitStack() as held:
            try:
                body = await self._fill(content, length, held)
            except TimeoutError:
                raise BodyTooSlow from None
            except ConnectionError:
                raise
            except OSError as error:
                body = UnreadableBody(error)
            yield body

    async def _fill(self, content: StreamReader, length: int, held: ExitStack) -> IO[bytes]:
        if length <= MOST_BYTES_IN_MEMORY:
            return io.BytesIO(b"".join([piece async for piece in self._read_pieces(content)]))
        body = held.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 - `held` closes it
        async for piece in self._read_pieces(content):
            if self._stored + len(piece) > self._room:
                raise BodyRoomFull
            self._stored += len(piece)
            held.callback(self._release, len(piece))
            await asyncio.to_thread(body.write, piece)
        body.seek(0)
        return body

    def _release(self, size: int) -> None:
        self._stored -= size

    async def _read_pieces(self, content: StreamReader, size: int = 128 * 1024) -> AsyncIterator[bytes]:
        """The body in pieces of at least `size` bytes but for the last. Raises TimeoutError if it comes too slowly."""
        held, pace = bytearray(), self._pace
        clock = asyncio.get_running_loop().time
        came, until = 0, clock() + pace.period
        while not content.at_eof():
            async with asyncio.timeout(pace.silence):
                piece = await content.readany()
            held += piece
            came += len(piece)
            if clock() >= until:
                if came < pace.slowest * pace.period:
                    raise TimeoutError
                came, until = 0, clock() + pace.period
            if len(held) >= size:
                yield bytes(held)
                held.clear()
        if held:
            yield bytes(held)
