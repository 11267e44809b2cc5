"""A list is read as it comes, and a reader who goes away, or a fault of our own, leaves nothing running."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from resolver.proxy.budget import FileBudget
from resolver.proxy.bulk import resolve_many
from tests.proxy import raw_server as raw
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer

NAMES = [f"10.1/{number}" for number in range(500)]


async def test_a_reader_may_leave_in_the_middle(budget: FileBudget) -> None:
    with RawServer(lambda request: raw.missing(request.name)) as server:
        async with aclosing(resolve_many(NAMES, config_for(server.url), budget)) as answers:
            async for _ in answers:
                await asyncio.sleep(0.1)
                break
        assert len(asyncio.all_tasks()) == 1
    assert len(server.requests) < 50, "no more is asked than a slow reader can take"


async def test_an_empty_list_needs_nothing(budget: FileBudget) -> None:
    assert [pair async for pair in resolve_many([], config_for("http://127.0.0.1:9"), budget)] == []


class Broken(FileBudget):
    """A budget that fails after some turns, as one in Redis does when Redis goes away."""

    turns = 20

    @asynccontextmanager
    async def async_slot(self) -> AsyncIterator[None]:
        self.turns -= 1
        if self.turns < 0:
            raise ConnectionError("the budget is gone")
        async with super().async_slot():
            yield


async def test_a_fault_of_our_own_ends_the_list_with_that_fault(tmp_path_factory: pytest.TempPathFactory) -> None:
    budget = Broken(tmp_path_factory.mktemp("budget"), 4, None)
    with RawServer(lambda request: raw.missing(request.name)) as server, pytest.raises(ConnectionError):
        async for _ in resolve_many(NAMES, config_for(server.url), budget):
            pass
    budget.close()
