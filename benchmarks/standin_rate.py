"""Requests a second that the sample proxy answers: server in one process, client in another."""

import argparse
import asyncio
import multiprocessing
import time
from collections.abc import Callable
from itertools import count
from multiprocessing.connection import Connection

from resolver.standin.server import serve


class RateReader(asyncio.Protocol):
    """A keep-alive client as light as can be, so that the server is what is measured."""

    def __init__(self, next_request: Callable[[], bytes | None], done: asyncio.Future[None]) -> None:
        self.next_request, self.done = next_request, done
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first request."""
        self.transport = transport
        self._send()

    def _send(self) -> None:
        request = self.next_request()
        if request is None:
            self.transport.close()
            self.done.set_result(None)
        else:
            self.transport.write(request)

    def data_received(self, data: bytes) -> None:
        """Send the next request once the answer is whole."""
        self.buffer += data
        head, blank, body = self.buffer.partition(b"\r\n\r\n")
        if not blank:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(body) >= length:
            if not head.startswith(b"HTTP/1.1 200"):
                raise AssertionError(head)
            self.buffer = b""
            self._send()


async def load(port: int, requests: int, connections: int) -> float:
    """Ask for so many distinct made-up names; returns requests a second."""
    numbers = count(1)

    def next_request() -> bytes | None:
        number = next(numbers)
        if number > requests:
            return None
        return f"GET /api/handles/10.5555/rate.{number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    loop = asyncio.get_running_loop()
    futures = [loop.create_future() for _ in range(connections)]
    started = time.perf_counter()
    for future in futures:
        await loop.create_connection(lambda f=future: RateReader(next_request, f), "127.0.0.1", port)
    await asyncio.gather(*futures)
    return requests / (time.perf_counter() - started)


def _serve(pipe: Connection) -> None:
    serve(port=0, on_start=lambda url: pipe.send(int(url.rsplit(":", 1)[1])))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(there,))
    server.start()
    try:
        port = here.recv()
        asyncio.run(load(port, 1000, options.connections))
        rate = asyncio.run(load(port, options.requests, options.connections))
    finally:
        server.terminate()
        server.join()
    print(f"sample proxy: {rate:,.0f} requests/s ({options.requests} names, {options.connections} connections)")


if __name__ == "__main__":
    main()
