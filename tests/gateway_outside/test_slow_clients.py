"""Clients that send half of a request, nothing at all, or read nothing of what they get: the others notice nothing."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.gateway_outside.behind import Behind
from tests.gateway_outside.portal import Gateway
from tests.gateway_outside.sockets import RawAnswer, request

HALF, IDLE, UNREAD = 200, 200, 20
LINES = 100_000


@pytest.fixture
def connections() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def long_list(gateway: Gateway) -> tuple[str, str]:
    """The address of the results of a list that was cancelled, some MB, and the cookie of its owner."""
    lines = "doi\n" + "".join(f"10.5555/line-{number}\n" for number in range(LINES))
    body = (
        '--part\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n'
        f"{lines}\r\n--part--\r\n"
    ).encode()
    made = post(gateway, "/api/v1/jobs", body, Content_Type="multipart/form-data; boundary=part")
    cookie = made["set-cookie"].partition(";")[0]
    job = made.json["id"]
    assert post(gateway, f"/api/v1/jobs/{job}/cancel", b"", Cookie=cookie).status < 300
    return f"/jobs/{job}/results.csv", cookie


def post(gateway: Gateway, target: str, body: bytes, **headers: str) -> RawAnswer:
    head = request(target, "POST", f"127.0.0.1:{gateway.port}", Content_Length=str(len(body)), **headers)
    return gateway.send(head + body)


def connect(gateway: Gateway, connections: ExitStack, sent: bytes = b"", window: int = 0) -> socket.socket:
    connection = connections.enter_context(socket.socket())
    if window:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    connection.settimeout(30)
    connection.connect(("127.0.0.1", gateway.port))
    connection.sendall(sent)
    return connection


def test_half_sent_idle_and_unread_connections_keep_nobody_else_from_an_answer(
    gateway: Gateway, behind: Behind, name: str, connections: ExitStack
) -> None:
    behind.record(name, ("URL", "https://example.org/stored"))
    gateway.ask(f"/{name}")
    results, cookie = long_list(gateway)
    head = f"Host: 127.0.0.1:{gateway.port}\r\n".encode()
    half_a_body = b"Content-Type: application/json\r\nContent-Length: 2000\r\n\r\n" + b'{"inputs": ["' + b"x" * 900
    for _ in range(HALF // 2):
        connect(gateway, connections, b"GET /healthz HTTP/1.1\r\n" + head + b"X-Half: ")
        connect(gateway, connections, b"POST /api/v1/inspections HTTP/1.1\r\n" + head + half_a_body)
    for _ in range(IDLE):
        connect(gateway, connections)
    download = request(results, host=f"127.0.0.1:{gateway.port}", Cookie=cookie)
    unread = [connect(gateway, connections, download, window=4096) for _ in range(UNREAD)]
    for _ in range(10):
        assert gateway.ask("/healthz").body == b"ok"
        assert gateway.ask(f"/{name}").location == "https://example.org/stored"
        assert gateway.ask("/").status == 200
    received = b"".join(iter(lambda: unread[-1].recv(65_536), b""))
    assert received.endswith(b"0\r\n\r\n"), "who reads later gets the whole file"
    assert received.count(b"10.5555/line-") >= LINES


def test_a_request_that_comes_in_two_halves_is_answered(gateway: Gateway, connections: ExitStack) -> None:
    body = json.dumps({"inputs": ["10.5555/half"]}).encode()
    head = request(
        "/api/v1/inspections",
        "POST",
        f"127.0.0.1:{gateway.port}",
        Content_Type="application/json",
        Content_Length=str(len(body)),
    )
    connection = connect(gateway, connections, head[:40])
    assert gateway.ask("/healthz").status == 200
    connection.sendall(head[40:] + body[:5])
    assert gateway.ask("/healthz").status == 200
    connection.sendall(body[5:])
    received = b"".join(iter(lambda: connection.recv(65_536), b""))
    assert received.startswith(b"HTTP/1.1 200 ")
    assert b"10.5555/half" in received
