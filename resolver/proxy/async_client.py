"""Thousands of names, for a worker: asyncio and aiohttp, one session, so many at a time as the budget has permits."""

import asyncio
import math
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self, TypeVar

import aiohttp
from yarl import URL

from resolver.domain.handle.record import Resolution
from resolver.proxy.client import TOO_BIG
from resolver.proxy.config import MAX_ANSWER_BYTES, ProxyConfig, batches
from resolver.proxy.environment import proxy_server, tls_context
from resolver.proxy.errors import LIBRARY_ERRORS, explain
from resolver.proxy.limits import Budget
from resolver.proxy.limits.allowance import FOR_RECORDS, SPENT, Shares, Take, payer, payers
from resolver.proxy.limits.wait_queue import WaitQueue
from resolver.proxy.protocol import Conversation, Send, T, Verdict, agencies, resolution
from resolver.proxy.responses import Failure, Reply, signal

Result = TypeVar("Result")

SWITCH = 0.0005


class Talk:
    """An open session with the proxy, in one event loop."""

    def __init__(
        self, config: ProxyConfig, budget: Budget, session: aiohttp.ClientSession, anew: aiohttp.ClientSession
    ) -> None:
        """`anew`: a session that keeps no connections."""
        self._config = config
        self._budget = budget
        self._session = session
        self._anew = anew
        self._server = proxy_server(config.root)
        self._queue = WaitQueue()

    async def hold(self, conversation: Conversation[T], take: Take) -> T:
        heard: Reply | Failure | None = None
        while True:
            try:
                step = conversation.send(heard)
            except StopIteration as end:
                result: T = end.value
                return result
            heard = None
            if isinstance(step, Send) and not take():
                heard = SPENT
            elif isinstance(step, Send):
                async with self._budget.async_permit(self._queue) as permit:
                    heard = await self._ask(step)
                    permit.signal = signal(heard)
            else:
                await asyncio.sleep(step.seconds)

    async def _ask(self, step: Send) -> Reply | Failure:
        url, session = step.url, self._anew if step.anew else self._session
        try:
            context = tls_context() if url.startswith("https:") else True
            async with session.get(
                URL(url, encoded=True), allow_redirects=False, proxy=self._server, ssl=context
            ) as response:
                body = bytearray()
                async for chunk in response.content.iter_any():
                    body += chunk
                    if len(body) > MAX_ANSWER_BYTES:
                        response.close()
                        return TOO_BIG
                return Reply.of(response.status, body, response.headers)
        except LIBRARY_ERRORS as error:
            return explain(error)


@asynccontextmanager
async def talk(config: ProxyConfig, budget: Budget) -> AsyncIterator[Talk]:
    """A session that keeps no cookies, reads no .netrc, and keeps its connections for the whole list."""
    async with _session(config) as session, _session(config, force_close=True) as anew:
        yield Talk(config, budget, session, anew)


def _session(config: ProxyConfig, *, force_close: bool = False) -> aiohttp.ClientSession:
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, force_close=force_close),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=config.headers,
        timeout=aiohttp.ClientTimeout(total=config.timeout, sock_connect=config.connect_timeout),
        trust_env=False,
    )
    # aiohttp would send a request once more by itself when the connection is cut: past the budget, and not counted.
    session._retry_connection = False
    return session


@dataclass(frozen=True)
class BatchRequest:
    """What is to be asked of many names: Which RA for some; the records of some at once, and of those of the others of
    which `needs_record` says so once Which RA has answered. Nothing new is begun after `until` (monotonic seconds), and
    no more requests are sent for a name than its `shares` pay for."""

    agencies: Sequence[str]
    records: Sequence[str]
    needs_record: Callable[[str, Verdict], bool]
    until: float = math.inf
    shares: Shares = field(default_factory=dict)


@dataclass(frozen=True)
class BatchResult:
    """What came of it; a name that was not asked for lack of time is in neither."""

    agencies: dict[str, Verdict] = field(default_factory=dict)
    records: dict[str, Resolution] = field(default_factory=dict)


class _Session:
    """One session with the proxy, in an event loop that runs in a thread of its own."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        # The caller's thread judges rows in the meantime, and would keep the interpreter for 5 ms whenever the loop has
        # sent something.
        sys.setswitchinterval(SWITCH)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="questions", daemon=True)
        self._thread.start()
        self._talk = talk(config, budget)
        self._speaker = self.submit(self._talk.__aenter__()).result()
        self._at_once = asyncio.Semaphore(config.concurrency)

    def submit(self, work: Coroutine[object, object, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def answers(self, request: BatchRequest) -> BatchResult:
        found = BatchResult()

        async def records(names: Iterable[str]) -> None:
            wanted = list(names)
            todo = iter(wanted)
            await _together(one_after_the_other(todo) for _ in wanted[: self._config.concurrency])

        async def one_after_the_other(todo: Iterator[str]) -> None:
            async with self._at_once:
                for name in todo:
                    if time.monotonic() >= request.until:
                        break
                    take = payer(payers(request.shares, [name]))
                    found.records[name] = await self._speaker.hold(resolution(name, self._config), take)

        async def agencies_first(batch: list[str]) -> None:
            # Not among the records: the next names' records wait for this answer.
            if time.monotonic() < request.until:
                take = payer(payers(request.shares, batch), kept=FOR_RECORDS)
                said = await self._speaker.hold(agencies(batch, self._config), take)
                verdicts = dict(zip(batch, said, strict=True))
                found.agencies.update(verdicts)
                await records(name for name, verdict in verdicts.items() if request.needs_record(name, verdict))

        await _together([*map(agencies_first, batches(request.agencies)), records(request.records)])
        return found

    def close(self) -> None:
        self.submit(self._end()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._talk.__aexit__(None, None, None)


async def _together(works: Iterable[Coroutine[object, object, None]]) -> None:
    """All of them; a fault in one ends all."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


class Bulk:
    """The same for callers without an event loop of their own, in whatever thread. Inside `with` all questions go
    through one session, which ends with the last of them who leaves."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._budget = budget
        self._session: _Session | None = None
        self._users = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """May be entered again by those whom the first one calls."""
        with self._lock:
            self._users += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._users -= 1
            if not self._users and self._session is not None:
                session, self._session = self._session, None
                session.close()

    def start(self, request: BatchRequest) -> "Future[BatchResult]":
        """Have them asked while the caller does something else; inside `with` only."""
        with self._lock:
            if self._session is None:
                self._session = _Session(self._config, self._budget)
            return self._session.submit(self._session.answers(request))

    def resolve(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Resolution]:
        """The record of each distinct name."""
        with self:
            return (
                self.start(BatchRequest([], list(dict.fromkeys(names)), _never, shares=shares or {})).result().records
            )

    def agencies(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Verdict]:
        """What Which RA says of each distinct name, asked in batches (R2)."""
        with self:
            return (
                self.start(BatchRequest(list(dict.fromkeys(names)), [], _never, shares=shares or {})).result().agencies
            )


def _never(name: str, verdict: Verdict) -> bool:
    return False
