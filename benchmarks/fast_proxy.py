"""A DOI proxy that costs next to no processor time, so that a list measured against it is measured and not the proxy.

It knows every name, and answers only what a list and the script beside it request: `/api/handles/<name>`, and
`/doiRA/<name>,<name>`. `resolver/standin` is the sample proxy, which answers everything as doi.org does, for two to
five times the processor time. `GET /counts` tells what it has had since `GET /reset`.
"""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast
from urllib.parse import unquote_to_bytes

import psutil
import requests
import uvloop

_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json;charset=UTF-8\r\nAccess-Control-Allow-Origin: *\r\n"
    b"Vary: Origin\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nConnection: keep-alive\r\nContent-Length: %d\r\n\r\n"
)
_NOTHING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
_SINCE = b'"ttl":86400,"timestamp":"2024-05-06T07:08:09Z"'
_RECORD = (
    b'{"responseCode":1,"handle":%s,"values":[{"index":1,"type":"URL","data":{"format":"string","value":'
    b'"https://example.org/%s"},' + _SINCE + b'},{"index":100,"type":"HS_ADMIN","data":{"format":"admin","value":'
    b'{"handle":"0.na/10.5555","index":200,"permissions":"111111110010"}},' + _SINCE + b"}]}"
)
_AGENCY = b'{"DOI":%s,"RA":"Crossref"}'


@dataclass
class ProxyCounts:
    """What the proxy has had: the names are those of Which RA, and `seconds` the sum that requests were in flight."""

    requests: int = 0
    names: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    seconds: float = 0.0

    def reset(self) -> None:
        """Count again from zero. Requests in flight stay counted."""
        self.requests = self.names = 0
        self.most_in_flight, self.seconds = self.in_flight, 0.0


class ProxyConnection(asyncio.Protocol):
    """One connection. Requests have no body; several may arrive together, or one in parts."""

    def __init__(self, counts: ProxyCounts, latency: float) -> None:
        self._counts, self._latency, self._rest = counts, latency, b""
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        *received, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for request in received:
            target = request.split(b" ", 2)[1]
            if target.startswith((b"/api/handles/", b"/doiRA/")):
                self._take(target)
            else:
                self._transport.write(self._tell(target))

    def _take(self, target: bytes) -> None:
        counts = self._counts
        counts.requests += 1
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        if self._latency:
            self._loop.call_later(self._latency, self._answer, target, self._loop.time())
        else:
            self._answer(target, 0.0)

    def _answer(self, target: bytes, since: float) -> None:
        counts = self._counts
        counts.in_flight -= 1
        counts.seconds += self._loop.time() - since if since else 0.0
        if target.startswith(b"/doiRA/"):
            names = target[7:].split(b",")
            counts.names += len(names)
            body = b"[%s]" % b",".join([_AGENCY % _write(name) for name in names])
        else:
            name = target[13:].partition(b"?")[0]
            body = _RECORD % (_write(name), name)
        self._transport.write(_HEAD % len(body) + body)

    def _tell(self, target: bytes) -> bytes:
        if target not in (b"/counts", b"/reset"):
            return _NOTHING
        body = json.dumps(vars(self._counts)).encode()
        if target == b"/reset":
            self._counts.reset()
        return _HEAD % len(body) + body


def _write(name: bytes) -> bytes:
    """Return the name of a path as a string of JSON."""
    return json.dumps(unquote_to_bytes(name).decode()).encode() if b"%" in name else b'"%s"' % name


@dataclass(frozen=True)
class FastProxy:
    """A fast proxy in a process of its own."""

    url: str
    process: psutil.Process

    def reset(self) -> None:
        """Count from now on."""
        requests.get(f"{self.url}/reset", timeout=60).raise_for_status()

    def read_counts(self) -> ProxyCounts:
        """Return what it has had since the last `reset`."""
        return ProxyCounts(**requests.get(f"{self.url}/counts", timeout=60).json())

    def read_processor_time(self) -> float:
        """Return the seconds of a processor that it has had since its start."""
        return sum(self.process.cpu_times()[:2])


@contextmanager
def fast_proxy(latency_ms: int) -> Iterator[FastProxy]:
    """A fast proxy that lets each request wait so long."""
    command = [sys.executable, "-m", __name__, str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield FastProxy(process.stdout.readline().strip(), psutil.Process(process.pid))
        finally:
            process.terminate()


async def serve(latency_ms: int) -> None:
    """Print the address, and answer until the process ends."""
    counts = ProxyCounts()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: ProxyConnection(counts, latency_ms / 1000), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
