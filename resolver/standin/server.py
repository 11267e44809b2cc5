"""The sample proxy as an HTTP server: in a thread for tests, or in the foreground for `manage.py sampleproxy`."""

import asyncio
import signal
import socket
import struct
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

import uvloop
from aiohttp import web

from resolver.standin import http_replies
from resolver.standin.endpoints import answer_request
from resolver.standin.http_replies import HttpReply
from resolver.standin.records import load_sample_records
from resolver.standin.sample_answers import SampleAnswers


class RequestStats:
    """The counts of requests since the last `forget`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._recent: deque[float] = deque()
        self.in_flight = 0
        self.forget()

    def forget(self) -> None:
        """Start counting again. Requests in flight stay counted."""
        self._recent.clear()
        self.total = self.most_in_a_second = 0
        self.most_in_flight = self.in_flight
        self.statuses: Counter[int] = Counter()

    def count_request(self) -> None:
        """Count a request that has arrived."""
        now = self._clock()
        self.total += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self._recent.append(now)
        self.most_in_a_second = max(self.most_in_a_second, self._count_last_second(now))

    def count_reply(self, status: int) -> None:
        """Count its answer, which is about to be sent; 0 if the connection is cut instead."""
        self.in_flight -= 1
        self.statuses[status] += 1

    @property
    def last_second(self) -> int:
        """The number of requests within the last second."""
        return self._count_last_second(self._clock())

    def _count_last_second(self, now: float) -> int:
        while self._recent and self._recent[0] <= now - 1.0:
            self._recent.popleft()
        return len(self._recent)

    def line(self) -> str:
        """Return the counts as one line for people."""
        statuses = ", ".join(f"{count} x {status or 'cut'}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.total} requests; in flight {self.in_flight}, most {self.most_in_flight}; in the last second "
            f"{self.last_second}, most in any second {self.most_in_a_second}; {statuses or 'no answer yet'}"
        )


class SampleProxyServer:
    """The sample proxy, in a thread: `with SampleProxyServer() as standin: … standin.url`.

    `latency` is how many seconds each answer waits. `requests` are the raw targets of all requests in order, `headers`
    the headers of each, unless `keep` is false.
    """

    def __init__(
        self,
        records: Path | None = None,
        latency: float = 0.0,
        port: int = 0,
        host: str = "127.0.0.1",
        keep: bool = True,
    ) -> None:
        self.answers = SampleAnswers(load_sample_records(records))
        self.latency, self.limit, self.barred = latency, 0.0, False
        self.watch = RequestStats()
        self.requests: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""
        self._host, self._port, self._keep = host, port, keep
        self._socket: socket.socket | None = None
        self._runner: web.ServerRunner | None = None

    def refuse(self, *, above: float = 0.0, everyone: bool = False) -> None:
        """From now on answer 429 beyond so many requests in a second, or 403 and a page to all; without an argument,
        answer again."""
        self.limit, self.barred = above, everyone

    def know(self, records: Path) -> None:
        """From now on answer from this file of records."""
        self.answers.collection = load_sample_records(records)

    def reset(self) -> None:
        """Forget the requests seen, and the "once" faults shown."""
        self.requests.clear()
        self.headers.clear()
        self.answers.shown.clear()
        self.watch.forget()

    def bind(self) -> Self:
        """Take the port: requests wait until the server is started. Raises OSError if the port is taken."""
        self._socket = self._bind()
        return self

    def _bind(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        bound = socket.create_server((self._host, self._port), family=family, backlog=1024)
        shown = f"[{self._host}]" if ":" in self._host else self._host
        self.url = f"http://{shown}:{bound.getsockname()[1]}"
        return bound

    def start(self) -> Self:
        """Return when requests are answered. Raises OSError if the port is taken."""
        bound = self._socket or self._bind()
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sample DOI proxy", daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(bound), self._loop).result(10)
        return self

    def stop(self) -> None:
        """Close every connection and end the thread. Requests without an answer are cancelled."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _listen(self, bound: socket.socket) -> None:
        server = web.Server(self._handle, access_log=None, max_line_size=2**20, lingering_time=0)
        self._runner = web.ServerRunner(server, handle_signals=False, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.SockSite(self._runner, bound, backlog=1024).start()

    async def _end(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self._keep:
            self.requests.append(request.raw_path)
            self.headers.append(dict(request.headers))
        if request.method not in ("GET", "HEAD"):
            allowed = {"Allow": "GET, HEAD, OPTIONS", "Access-Control-Allow-Origin": "*"}
            return web.Response(status=204 if request.method == "OPTIONS" else 405, headers=allowed)
        status = 0
        self.watch.count_request()
        try:
            reply = self._choose_refusal() or answer_request(self.answers, request.raw_path, request.headers)
            if self.latency or reply.delay:
                await asyncio.sleep(self.latency + reply.delay)
            status = 0 if reply.reset else reply.status
        finally:
            self.watch.count_reply(status)
        if reply.reset:
            _reset(request)
        return web.Response(status=reply.status, body=reply.body, headers=reply.headers)

    def _choose_refusal(self) -> HttpReply | None:
        if self.barred:
            return http_replies.FAULTY["forbidden"]
        if self.limit and self.watch.last_second > self.limit:
            return http_replies.TOO_MANY
        return None


def _reset(request: web.BaseRequest) -> None:
    """Make the kernel send RST instead of the answer."""
    transport = request.transport
    if transport is not None:
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


def serve(
    host: str = "127.0.0.1",
    port: int = 8001,
    records: Path | None = None,
    latency: float = 0.0,
    limit: float = 0.0,
    on_start: Callable[[str], None] = lambda url: None,
    report: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError for a port that is taken, and UnreadableRecords.

    More than `limit` requests in a second are answered with 429, unless it is 0. `report` receives a line every second
    and at the end: the counts of requests (`RequestStats`).
    """
    with SampleProxyServer(records, latency, port, host, keep=False) as standin:
        standin.refuse(above=limit)
        for number in (signal.SIGTERM, signal.SIGINT):  # a shell starts what runs in the background without the second
            signal.signal(number, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            on_start(standin.url)
            while True:
                time.sleep(1)
                if report:
                    report(standin.watch.line())
    if report:
        report(standin.watch.line())
