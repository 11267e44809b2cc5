"""Bodies of any size and kind: what is held in memory is bounded, and what is cut off is never a verdict."""

import gzip
import json
import socket
import tracemalloc
import zlib

import pytest

from resolver.domain.handle.answers import ProxyError, Unreachable
from resolver.domain.handle.record import Record
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer, http

NAME = "10.1000/1"
RECORD = json.dumps({"responseCode": 1, "handle": NAME, "values": []}).encode()
BOMB = gzip.compress(b"[" * 50_000_000, 1)


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 X\r\n\r\n")
    for _ in range(400):
        connection.sendall(b" " * 100_000)


@pytest.mark.parametrize("answer", [http(200, BOMB, Content_Encoding="gzip"), endless], ids=["packed", "endless"])
def test_a_bomb_is_told_as_too_long_and_never_held_in_memory(ask: Ask, answer: raw.Answer) -> None:
    with RawServer(lambda request: answer) as server:
        asker = ask(server.url)
        tracemalloc.start()
        found = asker.resolve(NAME).answer
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert isinstance(found, ProxyError)
    assert "longer than" in found.reason
    assert peak < 30_000_000


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_an_answer_that_was_packed_unasked_is_unpacked(ask: Ask, encoding: str, pack: type) -> None:
    with RawServer(lambda request: http(200, pack(RECORD), Content_Encoding=encoding)) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, Record)


def test_what_only_says_that_it_is_packed_is_a_proxy_error(ask: Ask) -> None:
    with RawServer(lambda request: http(200, RECORD, Content_Encoding="gzip")) as server:
        found = ask(server.url).resolve(NAME).answer
    assert found == ProxyError("the answer couldn't be decompressed")


@pytest.mark.parametrize("length", ["1000", "18446744073709551616"])
def test_less_than_was_promised_is_no_answer_though_it_reads_as_one(ask: Ask, length: str) -> None:
    def short(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 X\r\nContent-Length: " + length.encode() + b"\r\n\r\n" + RECORD)

    with RawServer(lambda request: short) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, ProxyError | Unreachable)


def test_more_than_was_promised_is_no_answer_to_the_next_name(ask: Ask) -> None:
    def answer(request: raw.Request) -> bytes:
        return raw.record(request.name) + raw.record("10.1000/stray")

    with RawServer(answer) as server:
        asker = ask(server.url)
        for number in range(3):
            found = asker.resolve(f"10.1000/{number}").answer
            assert isinstance(found, Record | Unreachable | ProxyError)
            if isinstance(found, Record):
                assert found.urls == ("https://example.org/",)
