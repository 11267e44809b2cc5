"""Heads of answers as no careful server writes them: what can be read is read, and nothing else becomes a verdict."""

import socket
import time
from itertools import count

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer

NAME = "10.1000/1"
BODY = b'{"responseCode":100,"handle":"10.1000/1"}'
LENGTH = b"Content-Length: %d\r\n" % len(BODY)

READABLE = {
    "HTTP/1.0 with a length": b"HTTP/1.0 404 X\r\n" + LENGTH + b"\r\n" + BODY,
    "HTTP/1.0 without a length": b"HTTP/1.0 404 X\r\n\r\n" + BODY,
    "HTTP/1.1 without a length": b"HTTP/1.1 404 X\r\n\r\n" + BODY,
    "no reason": b"HTTP/1.1 404\r\n" + LENGTH + b"\r\n" + BODY,
    "a space for a reason": b"HTTP/1.1 404 \r\n" + LENGTH + b"\r\n" + BODY,
    "line feeds alone": b"HTTP/1.1 404 X\nContent-Length: %d\n\n" % len(BODY) + BODY,
    "no space after the colon": b"HTTP/1.1 404 X\r\nContent-Length:%d\r\n\r\n" % len(BODY) + BODY,
    "small letters": b"HTTP/1.1 404 X\r\ncontent-length: %d\r\n\r\n" % len(BODY) + BODY,
    "a letter of Latin-1": b"HTTP/1.1 404 X\r\nX-Name: \xe9\r\n" + LENGTH + b"\r\n" + BODY,
    "an empty header": b"HTTP/1.1 404 X\r\nX-Name:\r\n" + LENGTH + b"\r\n" + BODY,
    "many headers": b"HTTP/1.1 404 X\r\n" + b"X-A: b\r\n" * 90 + LENGTH + b"\r\n" + BODY,
    "a long header": b"HTTP/1.1 404 X\r\nX-A: " + b"b" * 7000 + b"\r\n" + LENGTH + b"\r\n" + BODY,
    "a length twice": b"HTTP/1.1 404 X\r\n" + LENGTH * 2 + b"\r\n" + BODY,
}


@pytest.mark.parametrize("answer", READABLE.values(), ids=READABLE)
def test_an_unusual_head_is_read(ask: Ask, answer: bytes) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(answer)

    with RawServer(lambda request: send) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, MissingHandle)
    assert len(server.requests) == 1


UNREADABLE = {
    "HTTP/0.9": BODY,
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
    "a mail server": b"220 mail.example.org ESMTP\r\n",
    "binary": bytes(range(256)) * 20,
    "an empty line": b"\r\n" * 3,
    "TLS": b"\x15\x03\x01\x00\x02\x02\x28",
    "no status": b"HTTP/1.1\r\n" + LENGTH + b"\r\n" + BODY,
    "a status that is no number": b"HTTP/1.1 OK\r\n" + LENGTH + b"\r\n" + BODY,
    "a status of two digits": b"HTTP/1.1 20 X\r\n" + LENGTH + b"\r\n" + BODY,
    "a version without a number": b"HTTP/x 404 X\r\n" + LENGTH + b"\r\n" + BODY,
    "HTTP/3": b"HTTP/3 404 X\r\n" + LENGTH + b"\r\n" + BODY,
    "a header line without an end": b"HTTP/1.1 404 X\r\nX-A: " + b"b" * 2_000_000,
}


def assert_no_answer(ask: Ask, answer: bytes) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(answer)

    with RawServer(lambda request: send) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError | Unreachable)
    assert len(server.requests) == 3


@pytest.mark.parametrize("answer", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_head_is_no_answer(ask: Ask, answer: bytes) -> None:
    assert_no_answer(ask, answer)


LENGTHS = {
    "too long": b"Content-Length: 1000\r\n",
    "beyond 64 bits": b"Content-Length: 18446744073709551616\r\n",
    "just below 64 bits": b"Content-Length: 9223372036854775807\r\n",
    "a hundred digits": b"Content-Length: " + b"9" * 100 + b"\r\n",
    "16 digits": b"Content-Length: 1000000000000000\r\n",
    "15 digits": b"Content-Length: 100000000000000\r\n",
    "two that differ": LENGTH + b"Content-Length: 1000\r\n",
    "two that differ, the other way round": b"Content-Length: 1000\r\n" + LENGTH,
}


@pytest.mark.parametrize("head", LENGTHS.values(), ids=LENGTHS)
def test_an_answer_that_ends_before_its_length_is_no_answer(ask: Ask, head: bytes) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 404 X\r\n" + head + b"\r\n" + BODY)

    with RawServer(lambda request: send) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError | Unreachable)


@pytest.mark.parametrize("length", [0, 1, len(BODY) - 1])
def test_an_answer_is_read_only_as_far_as_its_length_says(ask: Ask, length: int) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 404 X\r\nContent-Length: %d\r\n\r\n" % length + BODY)

    with RawServer(lambda request: send) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError)


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_that_may_have_no_body_has_none(ask: Ask, status: int) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 %d X\r\n" % status + LENGTH + b"\r\n" + BODY)

    with RawServer(lambda request: send) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError)


def test_a_head_without_an_end_is_no_answer(ask: Ask) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 404 X\r\n")
        for number in count():
            connection.sendall(b"X-%d: %s\r\n" % (number, b"a" * 1000) * 100)

    with RawServer(lambda request: send) as server:
        began = time.monotonic()
        found = ask(server.url, timeout=20.0).resolve(NAME).answer
        assert time.monotonic() - began < 30
    assert isinstance(found, ProxyError | Unreachable)


def send_slowly(content: bytes, size: int) -> raw.Answer:
    def send(connection: socket.socket) -> None:
        for start in range(0, len(content), size):
            connection.sendall(content[start : start + size])
            time.sleep(0.05)

    return send


SLOW = {
    "status line": send_slowly(b"HTTP/1.1 404 X\r\n" * 100, 1),
    "header": send_slowly(b"HTTP/1.1 404 X\r\nX-A: " + b"b" * 1000, 10),
    "headers": raw.dripping_head,
    "interim answers": send_slowly(b"HTTP/1.1 103 X\r\nX-A: b\r\n\r\n" * 100, 10),
    "body": raw.dripping,
    "chunks": send_slowly(b"HTTP/1.1 404 X\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 400, 20),
    "body without a length": send_slowly(b"HTTP/1.1 404 X\r\n\r\n" + b" " * 400, 10),
}


@pytest.mark.parametrize("answer", SLOW.values(), ids=SLOW)
def test_an_answer_that_trickles_in_beyond_the_time_is_none(ask: Ask, answer: raw.Answer) -> None:
    with RawServer(lambda request: answer) as server:
        began = time.monotonic()
        found = ask(server.url, timeout=0.3).resolve(NAME).answer
        assert time.monotonic() - began < 10
    assert found == Unreachable("the DOI proxy did not answer in time")


CHUNKED = b"HTTP/1.1 404 X\r\nTransfer-Encoding: chunked\r\n"
WHOLE = b"%x\r\n%s\r\n" % (len(BODY), BODY)

GOOD_CHUNKS = {
    "one": CHUNKED + b"\r\n" + WHOLE + b"0\r\n\r\n",
    "capital letters": CHUNKED + b"\r\n" + WHOLE.replace(b"29", b"0029", 1) + b"0\r\n\r\n",
    "an extension": CHUNKED + b"\r\n" + WHOLE.replace(b"\r\n", b";a=b\r\n", 1) + b"0\r\n\r\n",
    "trailers": CHUNKED + b"Trailer: X-A\r\n\r\n" + WHOLE + b"0\r\nX-A: b\r\nRetry-After: 7\r\n\r\n",
    "single bytes": CHUNKED + b"\r\n" + b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n",
}


@pytest.mark.parametrize("answer", GOOD_CHUNKS.values(), ids=GOOD_CHUNKS)
def test_chunks_are_put_together(ask: Ask, answer: bytes) -> None:
    with RawServer(lambda request: answer) as server:
        asker = ask(server.url)
        for _ in range(2):
            assert isinstance(asker.resolve(NAME).answer, MissingHandle)
    assert len(server.requests) == 2


BAD_CHUNKS = {
    "no number": CHUNKED + b"\r\nxyz\r\n" + BODY + b"\r\n0\r\n\r\n",
    "negative": CHUNKED + b"\r\n-5\r\n" + BODY + b"\r\n0\r\n\r\n",
    "too many digits": CHUNKED + b"\r\n" + b"f" * 40 + b"\r\n" + BODY + b"\r\n0\r\n\r\n",
    "shorter than said": CHUNKED + b"\r\nff\r\n" + BODY,
    "without the last": CHUNKED + b"\r\n" + WHOLE,
    "nothing": CHUNKED + b"\r\n",
}


@pytest.mark.parametrize("answer", BAD_CHUNKS.values(), ids=BAD_CHUNKS)
def test_bad_chunks_are_no_answer(ask: Ask, answer: bytes) -> None:
    assert_no_answer(ask, answer)


def test_chunks_without_an_end_are_too_long(ask: Ask) -> None:
    def send(connection: socket.socket) -> None:
        connection.sendall(CHUNKED + b"\r\n")
        for _ in range(1000):
            connection.sendall(b"186a0\r\n" + b" " * 100_000 + b"\r\n")

    with RawServer(lambda request: send) as server:
        found = ask(server.url).resolve(NAME).answer
    assert isinstance(found, ProxyError)
    assert "longer than" in found.reason
