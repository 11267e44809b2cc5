"""A server of raw bytes: what a socket really received, and answers that no HTTP library would send."""

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from tests.proxy.socket_server import SocketServer


class Request:
    """One request as it came: the request line's target, undecoded, and the headers."""

    def __init__(self, head: bytes) -> None:
        lines = head.decode("latin-1").split("\r\n")
        self.line = lines[0]
        self.method, self.target = self.line.split(" ")[:2]
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        self.at = time.monotonic()
        self.stale = False  # its connection was made before the server was "restarted"

    @property
    def name(self) -> str:
        return unquote(self.target.partition("?")[0].partition("/api/handles/")[2])

    @property
    def names(self) -> list[str]:
        return [unquote(part) for part in self.target.partition("/doiRA/")[2].split(",")]


Answer = bytes | Callable[[socket.socket], None]


def http(status: int, body: bytes | str | Any, **headers: str) -> bytes:
    """An HTTP answer; anything but text and bytes becomes JSON."""
    content = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
    extra = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(content)}\r\n{extra}\r\n".encode() + content


def record(name: str, *values: tuple[str, str], status: int = 200) -> bytes:
    listed = [
        {"index": index, "type": kind, "data": {"format": "string", "value": value}, "ttl": 86400}
        for index, (kind, value) in enumerate(values or (("URL", "https://example.org/"),), start=1)
    ]
    return http(status, {"responseCode": 1, "handle": name, "values": listed})


def missing(name: str) -> bytes:
    return http(404, {"responseCode": 100, "handle": name})


def agencies(names: Sequence[str], ra: str = "Crossref") -> bytes:
    return http(200, [{"DOI": name, "RA": ra} for name in names])


PAGE = http(200, "<html><title>Just a moment...</title></html>", Content_Type="text/html")


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hang_up(connection: socket.socket) -> None:
    """Close in good order, without a byte."""


def silence(connection: socket.socket) -> None:
    connection.settimeout(5)
    connection.recv(1)


def dripping(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n")
    for _ in range(40):
        connection.sendall(b" ")
        time.sleep(0.05)


def dripping_head(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\n")
    for number in range(40):
        connection.sendall(b"X-%d: y\r\n" % number)
        time.sleep(0.05)


def half(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n{"responseCode":100,')


def half_chunked(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"responseCode":100,')


def chunked(body: bytes, size: int) -> bytes:
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    sent = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts)
    return b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n" + sent + b"0\r\n\r\n"


class RawServer(SocketServer):
    """Answers each request with what `answer` returns for it: bytes, or something to do before the socket is closed."""

    def __init__(self, answer: Callable[[Request], Answer], tls: ssl.SSLContext | None = None) -> None:
        super().__init__()
        self._answer = answer
        self._tls = tls
        self.requests: list[Request] = []
        self.in_flight = self.most_in_flight = 0
        self.restarts = 0
        self._mutex = threading.Lock()
        self.url = f"{'https' if tls else 'http'}://{'localhost' if tls else '127.0.0.1'}:{self.port}"
        self._open: set[socket.socket] = set()

    @property
    def lines(self) -> list[str]:
        return [request.line for request in self.requests]

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.requests]

    def _hang_up(self) -> None:
        with self._mutex:
            left = list(self._open)
        for connection in left:
            with _gone():
                connection.shutdown(socket.SHUT_RDWR)

    def _serve(self, plain: socket.socket) -> None:
        connection = plain
        with _gone():
            if self._tls:
                connection = self._tls.wrap_socket(plain, server_side=True)
        with self._mutex:
            self._open.add(connection)
        restarts = self.restarts
        with connection, _gone():
            for head in _heads(connection):
                request = Request(head)
                request.stale = restarts < self.restarts
                self._one(connection, request)
        with self._mutex:
            self._open.discard(connection)

    def _one(self, connection: socket.socket, request: Request) -> None:
        with self._mutex:
            self.requests.append(request)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        answer = self._answer(request)
        with self._mutex:
            self.in_flight -= 1
        if isinstance(answer, bytes):
            connection.sendall(answer)
            return
        answer(connection)
        connection.close()


def _heads(connection: socket.socket) -> Iterator[bytes]:
    waiting = b""
    while connection.fileno() >= 0:
        while b"\r\n\r\n" not in waiting:
            received = connection.recv(65_536)
            if not received:
                return
            waiting += received
            if waiting.startswith(b"\x16"):  # a TLS greeting
                connection.sendall(b"HTTP/1.1 400 X\r\n\r\n")
                return
        head, _, waiting = waiting.partition(b"\r\n\r\n")
        yield head


class _gone:
    """A peer that is gone is no fault of the server."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is not None and issubclass(kind, OSError)
