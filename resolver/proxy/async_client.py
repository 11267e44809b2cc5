"""The client for thousands of names, for a worker. It uses aiohttp, and sends as many requests as it gets permits."""

import asyncio
import math
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Self, TypeVar

import aiohttp
import uvloop
from yarl import URL

from resolver.domain.handle.answers import Failure, Resolution
from resolver.proxy.client import TOO_BIG
from resolver.proxy.library_errors import LIBRARY_ERRORS, explain_library_error
from resolver.proxy.limits import Budget
from resolver.proxy.limits.permit_queue import WaitQueue, sleep_in_full
from resolver.proxy.limits.requests_per_text import REQUESTS_FOR_RECORDS, SPENT, Shares, Take, make_payer, select_shares
from resolver.proxy.proxy_config import MAX_ANSWER_BYTES, ProxyConfig, build_tls_context, find_http_proxy
from resolver.proxy.proxy_reply import ProxyReply, derive_signal
from resolver.proxy.request_logic import Conversation, SendStep, T, Verdict, ask_agencies, ask_resolution, split_batches

Result = TypeVar("Result")


@dataclass
class BatchRequest:
    """What to request about many names: Which RA for `agencies`; the records of `records` at once, and of `agencies`
    if `needs_record` says so when Which RA has answered.

    No new request begins after `until` (monotonic seconds; it may be moved meanwhile) or after answers of more than
    `most_bytes`, which are all held together. Requests without an answer at `ends` are cancelled. A name gets no more
    requests than its `shares` pay for. `awaited`: a person waits for the answers. `auth`: records come from an
    authoritative server, past the proxy's cache (P8)."""

    agencies: Sequence[str] = ()
    records: Sequence[str] = ()
    needs_record: Callable[[str, Verdict], bool] = lambda _name, _verdict: False
    until: float = math.inf
    shares: Shares = field(default_factory=dict)
    ends: float = math.inf
    most_bytes: float = math.inf
    awaited: bool = False
    auth: bool = False


@dataclass
class BatchResult:
    """The answers; a name that was not reached before `until` or within `most_bytes`, or not answered before `ends`, is
    in neither. `received`: the bytes of all answers so far."""

    agencies: dict[str, Verdict] = field(default_factory=dict)
    records: dict[str, Resolution] = field(default_factory=dict)
    received: int = 0


class ProxySession:
    """An open session with the proxy, in an event loop that runs in a thread of its own. It keeps its connections for
    the whole list, and no cookies, and reads no .netrc."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._budget = budget
        self._server = find_http_proxy(config.root)
        self._queues = {awaited: WaitQueue(awaited=awaited) for awaited in (False, True)}
        self._at_once = asyncio.Semaphore(config.concurrency)
        # The caller's thread judges rows meanwhile, and would keep the interpreter for 5 ms whenever the loop has sent
        # something.
        sys.setswitchinterval(0.0005)
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy-session", daemon=True)
        self._thread.start()
        self._session = self.submit(_open_session(config)).result()
        self._unpooled_session = self.submit(_open_session(config, force_close=True)).result()

    def submit(self, work: Coroutine[object, object, Result]) -> "Future[Result]":
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def fetch_answers(self, request: BatchRequest) -> BatchResult:
        found, queue = BatchResult(), self._queues[request.awaited]

        def is_over() -> bool:
            return time.monotonic() >= request.until or found.received > request.most_bytes

        async def ask_records(names: Iterable[str]) -> None:
            wanted = list(names)
            todo = iter(wanted)
            await _run_together(ask_one_by_one(todo) for _ in wanted[: self._config.concurrency])

        async def ask_one_by_one(todo: Iterator[str]) -> None:
            async with self._at_once:
                for name in todo:
                    if is_over():
                        break
                    take = make_payer(select_shares(request.shares, [name]))
                    conversation = ask_resolution(name, self._config, auth=request.auth)
                    found.records[name] = await self.hold(conversation, take, queue, found)

        async def ask_agencies_first(batch: list[str]) -> None:
            # Not among the records: the next names' records wait for this answer.
            if not is_over():
                take = make_payer(select_shares(request.shares, batch), kept=REQUESTS_FOR_RECORDS)
                answers = await self.hold(ask_agencies(batch, self._config), take, queue, found)
                verdicts = dict(zip(batch, answers, strict=True))
                found.agencies.update(verdicts)
                await ask_records(name for name, verdict in verdicts.items() if request.needs_record(name, verdict))

        left = None if request.ends == math.inf else max(0.0, request.ends - time.monotonic())
        limit = asyncio.timeout(left)
        try:
            async with limit:
                await _run_together(
                    [*map(ask_agencies_first, split_batches(request.agencies)), ask_records(request.records)]
                )
        except TimeoutError:
            if not limit.expired():
                raise
        return found

    async def hold(self, conversation: Conversation[T], take: Take, queue: WaitQueue, found: BatchResult) -> T:
        heard: ProxyReply | Failure | None = None
        while True:
            try:
                step = conversation.send(heard)
            except StopIteration as end:
                result: T = end.value
                return result
            heard = None
            if not isinstance(step, SendStep):
                await sleep_in_full(step.seconds)
            elif not take():
                heard = SPENT
            else:
                async with self._budget.async_permit(queue) as permit:
                    heard = await self._ask(step)
                    permit.signal = derive_signal(heard)
                if isinstance(heard, ProxyReply):
                    found.received += len(heard.body)

    async def _ask(self, step: SendStep) -> ProxyReply | Failure:
        url, session = step.url, self._unpooled_session if step.on_new_connection else self._session
        try:
            context = build_tls_context() if url.startswith("https:") else True
            async with session.get(
                URL(url, encoded=True), allow_redirects=False, proxy=self._server, ssl=context
            ) as response:
                body = bytearray()
                async for chunk in response.content.iter_any():
                    body += chunk
                    if len(body) > MAX_ANSWER_BYTES:
                        response.close()
                        return TOO_BIG
                return ProxyReply.of(response.status, body, response.headers)
        except LIBRARY_ERRORS as error:
            return explain_library_error(error)

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
        await self._session.close()
        await self._unpooled_session.close()


async def _open_session(config: ProxyConfig, *, force_close: bool = False) -> aiohttp.ClientSession:
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, force_close=force_close),
        cookie_jar=aiohttp.DummyCookieJar(),
        headers=config.headers,
        timeout=aiohttp.ClientTimeout(total=config.timeout, sock_connect=config.connect_timeout),
        trust_env=False,
    )
    # aiohttp would repeat a request by itself when the connection is cut: past the budget, and not counted.
    session._retry_connection = False
    return session


async def _run_together(works: Iterable[Coroutine[object, object, None]]) -> None:
    """Run all of them; an error in one ends all."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()


class BulkClient:
    """Requests the answers about many names for callers in any thread. Inside `with` all requests go through one
    session, which ends when the last caller leaves."""

    def __init__(self, config: ProxyConfig, budget: Budget) -> None:
        self._config = config
        self._budget = budget
        self._talk: ProxySession | None = None
        self._users = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """May be entered again inside."""
        with self._lock:
            self._users += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if not self._users and self._talk is not None:
                talk, self._talk = self._talk, None
                talk.close()

    def start(self, request: BatchRequest) -> "Future[BatchResult]":
        """Start the requests while the caller does something else; only inside `with`."""
        with self._lock:
            if self._talk is None:
                self._talk = ProxySession(self._config, self._budget)
            return self._talk.submit(self._talk.fetch_answers(request))

    def resolve(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Resolution]:
        """Return the record of each distinct name."""
        request = BatchRequest(records=list(dict.fromkeys(names)), shares=shares or {})
        with self:
            return self.start(request).result().records

    def find_agencies(self, names: Iterable[str], shares: Shares | None = None) -> dict[str, Verdict]:
        """Return what Which RA says about each distinct name, requested in batches (R2)."""
        request = BatchRequest(agencies=list(dict.fromkeys(names)), shares=shares or {})
        with self:
            return self.start(request).result().agencies
