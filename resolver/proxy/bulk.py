"""Thousands of names, for a worker: asyncio and aiohttp, one session, so many at a time as the budget has slots."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from typing import TypeVar

import aiohttp
from yarl import URL

from resolver.domain.record import Resolution
from resolver.proxy.attempts import Failure, Reply
from resolver.proxy.budget import Budget
from resolver.proxy.client import TOO_BIG
from resolver.proxy.config import MAX_ANSWER_BYTES, ProxyConfig, batches
from resolver.proxy.conversation import Ask, Conversation, T, Verdict, agencies, resolution
from resolver.proxy.failures import LIBRARY_ERRORS, explain
from resolver.proxy.network import proxy_server, tls_context

Item = TypeVar("Item")
Result = TypeVar("Result")


class Talk:
    """An open session with the proxy, in one event loop."""

    def __init__(self, config: ProxyConfig, budget: Budget, session: aiohttp.ClientSession) -> None:
        self._config = config
        self._budget = budget
        self._session = session
        self._server = proxy_server(config.root)

    async def hold(self, conversation: Conversation[T]) -> T:
        heard: Reply | Failure | None = None
        while True:
            try:
                step = conversation.send(heard)
            except StopIteration as end:
                result: T = end.value
                return result
            heard = None
            if isinstance(step, Ask):
                async with self._budget.async_slot():
                    heard = await self._ask(step.url)
            elif step.everyone:
                await asyncio.to_thread(self._budget.pause, step.seconds)
            else:
                await asyncio.sleep(step.seconds)

    async def _ask(self, url: str) -> Reply | Failure:
        try:
            context = tls_context() if url.startswith("https:") else True
            async with self._session.get(
                URL(url, encoded=True), allow_redirects=False, proxy=self._server, ssl=context
            ) as response:
                body = bytearray()
                async for chunk in response.content.iter_any():
                    body += chunk
                    if len(body) > MAX_ANSWER_BYTES:
                        response.close()
                        return TOO_BIG
                headers = response.headers
                return Reply(response.status, bytes(body), headers.get("Retry-After"), headers.get("Location"))
        except LIBRARY_ERRORS as error:
            return explain(error)


@asynccontextmanager
async def talk(config: ProxyConfig, budget: Budget) -> AsyncIterator[Talk]:
    """A session that keeps no cookies, reads no .netrc, and keeps its connections for the whole list."""
    timeout = aiohttp.ClientTimeout(total=config.timeout, sock_connect=config.connect_timeout)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=config.headers,
        timeout=timeout,
        trust_env=False,
    ) as session:
        # aiohttp would send a request once more by itself when the connection is cut: past the budget, and not counted.
        session._retry_connection = False
        yield Talk(config, budget, session)


async def _each(
    items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], workers: int
) -> AsyncGenerator[tuple[Item, Result], None]:
    """Each item with its result, as they come; a fault in one ends all, and so does a reader who goes away."""
    todo = iter(items)
    done: asyncio.Queue[tuple[Item, Result] | None] = asyncio.Queue(maxsize=2 * workers)

    async def run() -> None:
        for item in todo:
            await done.put((item, await work(item)))

    async def run_all() -> None:
        tasks = [asyncio.create_task(run()) for _ in range(workers)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def wake(_: object) -> None:
        """When the queue is full, nobody waits for it, and the reader will find that all is done."""
        with suppress(asyncio.QueueFull):
            done.put_nowait(None)

    running = asyncio.create_task(run_all())
    running.add_done_callback(wake)
    try:
        while not (running.done() and done.empty()):
            if (pair := await done.get()) is not None:
                yield pair
    finally:
        running.cancel()
        await asyncio.wait([running])
    running.result()


async def resolve_many(
    names: Iterable[str], config: ProxyConfig, budget: Budget
) -> AsyncGenerator[tuple[str, Resolution], None]:
    """Each distinct name with its answer, in the order in which the answers come."""
    async with talk(config, budget) as speaker:

        async def resolve(name: str) -> Resolution:
            return await speaker.hold(resolution(name, config))

        async with aclosing(_each(dict.fromkeys(names), resolve, config.concurrency)) as answers:
            async for pair in answers:
                yield pair


async def agencies_of(names: Iterable[str], config: ProxyConfig, budget: Budget) -> dict[str, Verdict]:
    """What Which RA says of each distinct name, asked in batches (R2)."""
    verdicts: dict[str, Verdict] = {}
    async with talk(config, budget) as speaker:

        async def ask(batch: list[str]) -> list[Verdict]:
            return await speaker.hold(agencies(batch, config))

        async for batch, answers in _each(batches(list(dict.fromkeys(names))), ask, config.concurrency):
            verdicts.update(zip(batch, answers, strict=True))
    return verdicts


class Bulk:
    """The same for callers without an event loop of their own."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._budget = budget

    def resolve(self, names: Iterable[str]) -> dict[str, Resolution]:
        return asyncio.run(self._resolve(names))

    async def _resolve(self, names: Iterable[str]) -> dict[str, Resolution]:
        return {name: answer async for name, answer in resolve_many(names, self._config, self._budget)}

    def agencies(self, names: Iterable[str]) -> dict[str, Verdict]:
        return asyncio.run(agencies_of(names, self._config, self._budget))
