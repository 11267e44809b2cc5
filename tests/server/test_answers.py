"""Answers: whole, in parts, broken off; and clients that do not take them."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest

from doiportal.server import thread_bridge
from doiportal.server.requester import FrontServer
from resolver.services.http.request_run import wait_or_turn_back
from tests.server.conftest import WAIT, Serve
from tests.waiting import wait_in_loop_until

GET = b"GET /x HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
LOCAL = [ip_network("127.0.0.0/8")]
PART = b"0123456789abcdef" * 2048  # 32 kB


class Long:
    """An answer of 32 MB that knows how much of it was made, and whether it was ended."""

    streaming = True

    def __init__(self, parts: int = 1000) -> None:
        self.parts, self.made, self.closed = parts, 0, False

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> "Long":
        start_response("200 OK", [("Content-Type", "text/csv"), ("Set-Cookie", " a=b")])
        return self

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.parts):
            self.made += 1
            yield PART

    def close(self) -> None:
        self.closed = True


async def test_a_long_answer_waits_for_its_client_outside_of_all_threads_and_arrives_whole(serve: Serve) -> None:
    answer = Long()
    server = await serve(answer, threads=1)
    clients = [await server.connect(window=4096) for _ in range(5)]
    for client in clients:
        await client.send(GET)
    await wait_in_loop_until("all answers have begun", lambda: answer.made >= 5)
    await asyncio.sleep(0.5)
    assert answer.made < 5 * 100, "no more is made than a client takes"
    assert not answer.closed
    for client in clients[1:]:
        client.close()
    received = await clients[0].rest()
    assert received.count(PART[:16]) >= 1000 * 2048 - 2000  # but for those that the lengths of chunks cut
    assert received.endswith(b"0\r\n\r\n")
    assert b"Set-Cookie: a=b\r\n" in received
    await wait_in_loop_until("the answer is closed", lambda: answer.closed)


async def test_a_client_that_takes_nothing_is_left(serve: Serve) -> None:
    answer = Long()
    server = await serve(answer, stalled=0.2)
    client = await server.connect(window=4096)
    await client.send(GET)
    await wait_in_loop_until("the answer is closed", lambda: answer.closed)
    assert answer.made < 100


async def test_a_page_goes_before_long_answers(serve: Serve) -> None:
    going_on = threading.Event()

    def application(environ, start_response):
        start_response("200 OK", [])
        if environ["PATH_INFO"] == "/page":
            return [b"page"]
        return (b"" for _ in range(1) if going_on.wait(10))

    server = await serve(application, threads=2)
    slow = [await server.connect() for _ in range(6)]
    for client in slow:
        await client.send(GET)
    await wait_in_loop_until("long answers are on their way", lambda: len(server.asked) >= 2)
    assert (await server.ask(GET.replace(b"/x", b"/page"))).endswith(b"page")
    going_on.set()


def returning(after: int) -> Callable[..., Any]:
    """An application that waits without a thread, and answers at its run number `after` or when its time is over."""
    runs = 0

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        nonlocal runs
        start_response("200 OK", [])
        if environ["PATH_INFO"] == "/page":
            return [b"page"]
        runs += 1
        waits = runs < after and wait_or_turn_back(0, WAIT)
        assert not waits, "a thread would sleep"
        return [b"run %d" % runs]

    return application


async def test_a_view_that_waits_for_something_holds_no_thread(serve: Serve) -> None:
    server = await serve(returning(4), threads=1)
    waiting = asyncio.create_task(server.ask(GET))
    for _ in range(3):
        assert (await server.ask(GET.replace(b"/x", b"/page"))).endswith(b"page")
    assert not waiting.done()
    assert (await waiting).endswith(b"run 4")


async def test_when_too_many_views_wait_the_next_one_answers_at_once(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_bridge, "MOST_PAUSING", 0)
    server = await serve(returning(100))
    assert (await server.ask(GET)).endswith(b"run 2")


async def test_an_answer_that_fails_on_its_way_shows_as_broken(serve: Serve) -> None:
    def application(environ, start_response):
        start_response("200 OK", [])
        yield b"first"
        raise RuntimeError("in the middle")

    server = await serve(application)
    received = await server.ask(GET)
    assert not received.endswith(b"0\r\n\r\n")


async def test_a_fault_of_the_application_is_a_500_that_tells_nothing(serve: Serve) -> None:
    def application(environ, start_response):
        raise RuntimeError("secret")

    received = await (await serve(application)).ask(GET)
    assert received.startswith(b"HTTP/1.1 500 ")
    assert b"secret" not in received


async def test_head_gets_the_head_alone(serve: Serve) -> None:
    answer = Long()
    server = await serve(answer)
    received = await server.ask(GET.replace(b"GET", b"HEAD"))
    assert received.startswith(b"HTTP/1.1 200 ")
    assert received.endswith(b"\r\n\r\n")
    assert (answer.made, answer.closed) == (0, True)


async def test_one_connection_takes_many_requests_in_their_order(serve: Serve) -> None:
    server = await serve()
    client = await server.connect()
    await client.send(b"".join(b"GET /%d HTTP/1.1\r\nHost: here\r\n\r\n" % number for number in range(50)))
    received = b""
    while b"/49 0" not in received:
        received += await client.take()
    assert [received.index(b"/%d 0" % number) for number in range(50)] == sorted(
        received.index(b"/%d 0" % number) for number in range(50)
    )


@pytest.mark.parametrize("raw", [b"/%E9", b"/\xc3\xa9?\xe9", b"//a//b?c?d", b"/a%2Fb%2C,c", b"http://x/y%2F"])
async def test_the_target_is_kept_byte_for_byte(serve: Serve, raw: bytes) -> None:
    server = await serve()
    received = await server.ask(b"GET " + raw + b" HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    if raw.isascii():
        assert received.endswith(raw + b" 0 ")
    else:
        assert received.startswith(b"HTTP/1.1 400 ")


async def test_a_header_with_an_underscore_passes_for_no_other(serve: Serve) -> None:
    server = await serve()
    await server.ask(GET.replace(b"\r\n\r\n", b"\r\nX_Country: evil\r\nX-Country: de\r\nX-Country: at\r\n\r\n"))
    assert server.asked[0]["HTTP_X_COUNTRY"] == "de,at"


async def test_the_last_line_of_a_header_that_names_the_client_counts(serve: Serve) -> None:
    server = await serve(front=FrontServer(LOCAL))
    lines = b"X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 9.9.9.9\r\n"
    await server.ask(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n" + lines + b"\r\n")
    assert server.asked[0]["REMOTE_ADDR"] == "9.9.9.9"


async def test_a_refusal_names_no_version(serve: Serve) -> None:
    server = await serve()
    assert b"aiohttp" not in (await server.ask(b"no request\r\n\r\n")).lower()


async def test_a_refusal_is_stored_by_nobody_and_taken_for_nothing_but_text(serve: Serve) -> None:
    refused = await (await serve()).ask(b"no request\r\n\r\n")
    assert refused.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nX-Content-Type-Options: nosniff\r\n" in refused
    assert b"\r\nCache-Control: no-store\r\n" in refused


async def test_only_a_trusted_server_gives_a_request_its_id(serve: Serve) -> None:
    request = GET.replace(b"\r\n\r\n", b"\r\nX-Request-ID: given-by-them\r\n\r\n")
    for trusted, is_kept in ((LOCAL, True), ([ip_network("192.0.2.0/24")], False), ([], False)):
        server = await serve(front=FrontServer(trusted))
        await server.ask(request)
        request_id = server.asked[0]["HTTP_X_REQUEST_ID"]
        assert (request_id == "given-by-them") is is_kept
        assert len(request_id) >= 8


async def test_only_a_trusted_server_names_a_person(serve: Serve) -> None:
    lines = b"X-Remote-User:  ada \r\nX-Remote-Groups: it, library\r\nRemote-User: evil\r\nRemote_User: evil\r\n"
    for trusted, found in ((LOCAL, ("ada", "it, library")), ([], (None, None))):
        server = await serve(front=FrontServer(trusted, "", "X-Remote-User", "X-Remote-Groups"))
        await server.ask(GET.replace(b"\r\n\r\n", b"\r\n" + lines + b"\r\n"))
        asked = server.asked[0]
        assert (asked.get("REMOTE_USER"), asked.get("REMOTE_USER_GROUPS")) == found


async def test_a_name_that_comes_twice_names_nobody(serve: Serve) -> None:
    server = await serve(front=FrontServer(LOCAL, "", "X-Remote-User"))
    await server.ask(GET.replace(b"\r\n\r\n", b"\r\nX-Remote-User: ada\r\nX-Remote-User: root\r\n\r\n"))
    assert server.asked[0]["REMOTE_USER"] == ""


async def test_without_a_header_in_the_settings_no_server_names_a_person(serve: Serve) -> None:
    server = await serve(front=FrontServer(LOCAL))
    await server.ask(GET.replace(b"\r\n\r\n", b"\r\nX-Remote-User: ada\r\nRemote-User: ada\r\n\r\n"))
    assert "REMOTE_USER" not in server.asked[0]


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        b"Content-Length: 0\r\nContent-Length: 59\r\n\r\n",
        b"Content-Length: 59, 0\r\n\r\n",
        b"Content-Length: +0\r\n\r\n",
        b"Content-Length: 0_0\r\n\r\n",
        b"Content-Length : 0\r\n\r\n",
        b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n",
        b"X: a\nContent-Length: 59\r\n\r\n",
    ],
)
async def test_a_request_whose_end_can_be_read_in_two_ways_is_refused_with_what_follows_it(
    serve: Serve, head: bytes
) -> None:
    server = await serve()
    received = await server.ask(b"POST /take HTTP/1.1\r\nHost: here\r\n" + head + GET)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert received.count(b"HTTP/1.1 ") == 1
    assert server.asked == []
