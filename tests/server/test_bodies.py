"""Bodies: whole before a thread sees them, within a time and a room; refused by their head where they are too long."""

import asyncio
from pathlib import Path

import pytest

from doiportal.server.bodies import MOST_BYTES_IN_MEMORY, BodyNotStored, PaceLimit
from tests.server.clients import RawClient
from tests.server.conftest import Serve
from tests.waiting import wait_in_loop_until

POST = b"POST /take HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"


async def drip(client: RawClient) -> None:
    """One byte at a time, without end."""
    while True:
        await client.send(b"x")
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("size", [0, 1, MOST_BYTES_IN_MEMORY, MOST_BYTES_IN_MEMORY + 1, 700_000])
async def test_a_body_arrives_whole(serve: Serve, size: int) -> None:
    server = await serve()
    answer = await server.ask(POST % size + b"x" * size)
    assert f"/take {size} ".encode() in answer


async def test_while_bodies_come_slowly_no_thread_waits_for_them(serve: Serve) -> None:
    server = await serve(threads=1)
    slow = [await server.connect() for _ in range(20)]
    for client in slow:
        await client.send(POST % 100_000 + b"x" * 70_000)
    assert b"/quick 0" in await server.ask(b"GET /quick HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    for client in slow:
        await client.send(b"x" * 30_000)
    for client in slow:
        assert b"/take 100000 " in await client.rest()


async def test_a_body_that_stops_coming_is_answered_with_408(serve: Serve) -> None:
    server = await serve(pace=PaceLimit(silence=0.1))
    assert (await server.ask(POST % 10 + b"half")).startswith(b"HTTP/1.1 408 ")
    assert not server.asked


async def test_a_body_that_comes_too_slowly_is_answered_with_408(serve: Serve) -> None:
    server = await serve(pace=PaceLimit(period=0.3))
    client = await server.connect()
    await client.send(POST % 1000)
    dripping = asyncio.create_task(drip(client))
    assert (await client.take()).startswith(b"HTTP/1.1 408 ")
    dripping.cancel()


async def test_bodies_share_a_room_and_leave_it_again(serve: Serve) -> None:
    server = await serve(room=300_000)
    holding = await server.connect()
    await holding.send(POST % 250_001 + b"x" * 250_000)
    await wait_in_loop_until("the room is taken", lambda: server.bodies.stored > 50_000)
    refused = await server.ask(POST % 250_000 + b"x" * 250_000)
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: " in refused
    holding.close()
    await wait_in_loop_until("the room is free again", lambda: not server.bodies.stored)
    assert b"/take 250000 " in await server.ask(POST % 250_000 + b"x" * 250_000)


@pytest.mark.parametrize("head", [b"Content-Length: 1000001", b"Transfer-Encoding: chunked"])
async def test_a_body_that_is_too_long_or_of_unknown_length_is_judged_by_its_head(serve: Serve, head: bytes) -> None:
    server = await serve()
    client = await server.connect()
    await client.send(b"POST /take HTTP/1.1\r\nHost: here\r\n" + head + b"\r\n\r\n")
    answer = await client.take()
    assert b"/take 0" in answer, "answered before any of the body has come"
    assert b"onnection: close" in answer
    (environ,) = server.asked
    assert environ.get("CONTENT_LENGTH", environ.get("HTTP_TRANSFER_ENCODING")) == head.split(b": ")[1].decode()


async def test_a_client_that_waits_for_100_continue_gets_it(serve: Serve) -> None:
    server = await serve()
    client = await server.connect()
    await client.send((POST % 5).replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
    assert await client.until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    await client.send(b"whole")
    assert b"/take 5 whole" in await client.rest()


async def test_where_the_disk_takes_no_body_its_reader_meets_the_reason(serve: Serve, tmp_path: Path) -> None:
    met: list[type[BaseException | None]] = []

    def reader(environ, start_response):
        try:
            environ["wsgi.input"].read(1)
        except BodyNotStored as error:
            met.append(type(error.__cause__))
        start_response("507 No room", [])
        return [b"no room"]

    server = await serve(reader, folder=tmp_path / "gone")
    assert b"no room" in await server.ask(POST % 100_000 + b"x" * 100_000)
    assert met == [FileNotFoundError]


async def test_a_body_that_comes_fast_and_then_dribbles_leaves_its_room(serve: Serve) -> None:
    server = await serve(pace=PaceLimit(slowest=1000, period=0.3))  # the whole of it might take some fifteen minutes
    client = await server.connect()
    await client.send(POST % 900_000 + b"x" * 800_000)
    dripping = asyncio.create_task(drip(client))
    assert (await client.take()).startswith(b"HTTP/1.1 408 ")
    dripping.cancel()
