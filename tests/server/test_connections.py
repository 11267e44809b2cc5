"""Connections that are silent: ended after a time, and before that where there are too many."""

import asyncio

from tests.server.conftest import Serve
from tests.waiting import wait_in_loop_until

GET = b"GET /x HTTP/1.1\r\nHost: here\r\n\r\n"


async def test_a_head_that_does_not_come_in_time_ends_its_connection_however_it_drips(serve: Serve) -> None:
    server = await serve(keep_alive=0.4)
    client = await server.connect()
    await client.send(b"GET /x HTTP/1.1\r\n")

    async def drip() -> None:
        while True:
            await client.send(b"X-Drip: x\r\n")
            await asyncio.sleep(0.05)

    dripping = asyncio.create_task(drip())
    assert await client.rest() == b""
    await asyncio.wait([dripping])
    assert isinstance(dripping.exception(), OSError)
    assert not server.asked


async def test_an_idle_connection_ends_after_its_time(serve: Serve) -> None:
    server = await serve(keep_alive=0.2)
    fresh, used = await server.connect(), await server.connect()
    await used.send(GET)
    assert b"/x 0" in await used.rest()
    assert await fresh.rest() == b""


async def test_where_there_are_too_many_the_oldest_silent_one_ends_and_the_new_one_is_served(serve: Serve) -> None:
    server = await serve(most=5)
    busy = await server.connect()
    await busy.send(b"POST /slow HTTP/1.1\r\nHost: here\r\nContent-Length: 4\r\nConnection: close\r\n\r\nha")
    await wait_in_loop_until(
        "the server has its head", lambda: [each for each in server.connections.connections if not each.is_waiting]
    )
    silent = [await server.connect() for _ in range(20)]
    await silent[-1].send(GET)
    assert b"/x 0" in await silent[-1].take()
    for early in silent[:16]:
        assert await early.rest() == b""
    await busy.send(b"lf")
    assert b"/slow 4 half" in await busy.rest()
