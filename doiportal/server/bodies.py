"""Bodies of requests: received whole before a thread sees them, beyond a few kB on disk, within a time and a room."""

import asyncio
import io
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, Any

from aiohttp.streams import StreamReader

IN_MEMORY = 64 * 1024  # bytes of one body; a longer one is written to a file that has no name
PIECE = 128 * 1024  # bytes that are written at once
SILENCE = 30.0  # seconds without a byte
GRACE, SLOWEST = 60.0, 16 * 1024  # seconds, and bytes a second: what a whole body may take


class TooSlow(Exception):
    """The body did not come in time."""


class NoRoom(Exception):
    """The bodies that are on their way in fill the room that they have together."""


class NotStored(Exception):
    """The disk took no more of the body; the cause says why. No OSError: Django takes that for a client that left."""


class UnreadableBody(io.RawIOBase):
    """In place of a body that could not be stored: a read raises NotStored."""

    def __init__(self, error: OSError) -> None:
        self.error = error

    def readable(self) -> bool:
        return True

    def readinto(self, _buffer: Any) -> int:
        raise NotStored from self.error


class Bodies:
    """All bodies that a process holds."""

    def __init__(self, folder: Path, room: int) -> None:
        """`folder` is for those that are too long for memory; `room`: bytes of all these together."""
        self._folder, self._room, self._stored = folder, room, 0

    @asynccontextmanager
    async def received(self, content: StreamReader, length: int) -> AsyncIterator[IO[bytes]]:
        """The whole body of that length, until the block ends.

        Raises TooSlow, NoRoom, and ConnectionError where the client has left. That the disk is full shows when the body
        is read, so that the portal answers as it does wherever its disk is full.
        """
        with ExitStack() as held:
            try:
                async with asyncio.timeout(GRACE + length / SLOWEST):
                    body = await self._filled(content, length, held)
            except TimeoutError:
                raise TooSlow from None
            except ConnectionError:
                raise
            except OSError as error:
                body = io.BufferedReader(UnreadableBody(error))
            yield body

    async def _filled(self, content: StreamReader, length: int, held: ExitStack) -> IO[bytes]:
        if length <= IN_MEMORY:
            return io.BytesIO(b"".join([piece async for piece in _pieces(content)]))
        body = held.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115 - `held` closes it
        async for piece in _pieces(content):
            if self._stored + len(piece) > self._room:
                raise NoRoom
            self._stored += len(piece)
            held.callback(self._release, len(piece))
            await asyncio.to_thread(body.write, piece)
        body.seek(0)
        return body

    def _release(self, size: int) -> None:
        self._stored -= size


async def _pieces(content: StreamReader) -> AsyncIterator[bytes]:
    """What comes, some at a time. Raises TimeoutError after a silence, and where less comes in a while than the slowest
    may send: who sends most of a body at once must not hold its room for hours by what is left."""
    held = bytearray()
    clock = asyncio.get_running_loop().time
    came, until = 0, clock() + GRACE
    while not content.at_eof():
        async with asyncio.timeout(SILENCE):
            piece = await content.readany()
        held += piece
        came += len(piece)
        if clock() >= until:
            if came < SLOWEST * GRACE:
                raise TimeoutError
            came, until = 0, clock() + GRACE
        if len(held) >= PIECE:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)
