"""Interim answers (1xx) before the real one, as some networks in front of a server send them."""

import socket
from itertools import count

import pytest

from resolver.domain.handle.answers import MissingHandle, ProxyError, Unreachable
from resolver.domain.handle.record import Record
from resolver.proxy.total_timeout import MOST_INTERIM_ANSWERS
from tests.proxy import raw_server as raw
from tests.proxy.conftest import Ask
from tests.proxy.raw_server import RawServer

NAME = "10.1000/1"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\nContent-Length: 7\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
PROCESSING = b"HTTP/1.1 102 Processing\r\n\r\n"


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    "interim",
    [
        HINTS,
        CONTINUE,
        PROCESSING,
        HINTS * 3,
        CONTINUE + HINTS,
        HINTS + PROCESSING + CONTINUE,
        HINTS * MOST_INTERIM_ANSWERS,
    ],
    ids=["103", "100", "102", "three", "100 and 103", "one of each", "many"],
)
def test_an_interim_answer_does_not_disturb_the_real_one(ask: Ask, interim: bytes) -> None:
    def answer(request: raw.Request) -> bytes:
        return interim + (raw.missing(request.name) if request.name.endswith("no") else raw.record(request.name))

    with RawServer(answer) as server:
        asker = ask(server.url)
        assert isinstance(asker.resolve(NAME).answer, Record)
        assert isinstance(asker.resolve(f"{NAME}.no").answer, MissingHandle)
        assert len(server.requests) == 2, "no second attempt"


def test_an_interim_answer_that_comes_late_or_in_pieces_is_passed_over_too(ask: Ask) -> None:
    def slowly(connection: socket.socket) -> None:
        for piece in (HINTS[:20], HINTS[20:], HINTS, raw.record(NAME)):
            connection.sendall(piece)

    with RawServer(lambda request: slowly) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, Record)


def test_interim_answers_without_an_end_are_no_answer(ask: Ask) -> None:
    def endless(connection: socket.socket) -> None:
        for _ in count():
            connection.sendall(HINTS * 100)

    with RawServer(lambda request: endless) as server:
        assert isinstance(ask(server.url, timeout=1.0).resolve(NAME).answer, ProxyError | Unreachable)


def test_an_interim_answer_and_nothing_more_is_no_answer(ask: Ask) -> None:
    def only(connection: socket.socket) -> None:
        connection.sendall(HINTS)

    with RawServer(lambda request: only) as server:
        assert isinstance(ask(server.url).resolve(NAME).answer, Unreachable)
