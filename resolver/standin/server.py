"""The sample proxy as an HTTP server: in a thread for tests, or in the foreground for `manage.py sampleproxy`."""

import asyncio
import signal
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

from resolver.standin import api, http_replies, redirect
from resolver.standin.http_replies import HttpReply
from resolver.standin.lookup import SampleAnswers
from resolver.standin.records import load
from resolver.standin.request_stats import Watch

_LONGEST_LINE = 1 << 20


def answer(answers: SampleAnswers, target: str, headers: Mapping[str, str]) -> HttpReply:
    """The reply to a raw request target, before anything decoded it, and the headers that came with it."""
    if target.startswith(("http://", "https://")):  # as a client writes it that takes us for its HTTP proxy
        target = "/" + target.split("://", 1)[1].partition("/")[2]
    path, _, query = target.partition("?")
    if len(path) > api.TOO_LONG:
        return http_replies.page(414, "<!DOCTYPE html><title>URI Too Long</title>")
    if path.startswith("/api/handles/"):
        return api.record(answers, path[13:], query)
    if path.startswith("/doiRA/"):
        return api.agencies(answers, path[7:])
    if path.startswith("/ra/"):
        return api.agencies(answers, path[4:])
    return redirect.redirect(answers, path[1:], query, headers)


class Application:
    """The aiohttp side: waits, counts and breaks connections where the reply says so."""

    def __init__(self, answers: SampleAnswers, latency: float, *, keep: bool) -> None:
        self.answers, self.latency, self.keep = answers, latency, keep
        self.limit, self.barred = 0.0, False
        self.watch = Watch()
        self.targets: list[str] = []
        self.headers: list[dict[str, str]] = []

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        if self.keep:
            self.targets.append(request.raw_path)
            self.headers.append(dict(request.headers))
        if request.method not in ("GET", "HEAD"):
            return _other_method(request.method)
        status = 0
        self.watch.came()
        try:
            reply = self._refusal() or answer(self.answers, request.raw_path, request.headers)
            if self.latency or reply.delay:
                await asyncio.sleep(self.latency + reply.delay)
            status = 0 if reply.reset else reply.status
        finally:
            self.watch.went(status)
        if reply.reset:
            _reset(request)
        return web.Response(status=reply.status, body=reply.body, headers=reply.headers)

    def _refusal(self) -> HttpReply | None:
        if self.barred:
            return http_replies.FAULTY["forbidden"]
        if self.limit and self.watch.last_second > self.limit:
            return http_replies.TOO_MANY
        return None


def _other_method(method: str) -> web.Response:
    allowed = {"Allow": "GET, HEAD, OPTIONS", "Access-Control-Allow-Origin": "*"}
    return web.Response(status=204 if method == "OPTIONS" else 405, headers=allowed)


def _reset(request: web.BaseRequest) -> None:
    """Make the kernel send RST instead of the answer."""
    transport = request.transport
    if transport is not None:
        connection = transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()


async def _start(application: Application, host: str, port: int) -> tuple[web.ServerRunner, int]:
    server = web.Server(application, access_log=None, max_line_size=_LONGEST_LINE, lingering_time=0)
    runner = web.ServerRunner(server, handle_signals=False, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port, backlog=1024).start()
    except OSError:
        await runner.cleanup()
        raise
    return runner, int(runner.addresses[0][1])


def serve(
    host: str = "127.0.0.1",
    port: int = 8001,
    records: Path | None = None,
    latency: float = 0.0,
    limit: float = 0.0,
    on_start: Callable[[str], None] = lambda url: None,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT. OSError when the port is taken, UnreadableRecords when the records are no good.

    More than `limit` requests in a second are answered with 429, unless it is 0. `tell` is given a line every second
    and at the end: what was seen of the requests (`request_stats.py`).
    """
    application = Application(SampleAnswers(load(records)), latency, keep=False)
    application.limit = limit

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        runner, actual = await _start(application, host, port)
        on_start(_url(host, actual))
        if tell is not None:
            watching = loop.create_task(_tell_every_second(application.watch, tell))
        await stop.wait()
        await runner.cleanup()
        if tell is not None:
            watching.cancel()
            tell(application.watch.line())

    asyncio.run(run())


async def _tell_every_second(watch: Watch, tell: Callable[[str], None]) -> None:
    while True:
        await asyncio.sleep(1)
        tell(watch.line())


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class StandIn:
    """The server in a thread: `with StandIn() as standin: … standin.url`. `latency` is in seconds."""

    def __init__(self, records: Path | None = None, latency: float = 0.0, port: int = 0) -> None:
        self._application = Application(SampleAnswers(load(records)), latency, keep=True)
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sample DOI proxy", daemon=True)
        self._runner: web.ServerRunner | None = None
        self.url = ""

    @property
    def requests(self) -> list[str]:
        """The raw request targets that came in, in order."""
        return self._application.targets

    @property
    def headers(self) -> list[dict[str, str]]:
        """The headers of each request, in the same order."""
        return self._application.headers

    @property
    def most_at_once(self) -> int:
        """How many requests were in the works at the same time, at most."""
        return self.watch.most_in_flight

    @property
    def watch(self) -> Watch:
        """What it sees of those who ask."""
        return self._application.watch

    def refuse(self, *, above: float = 0.0, everyone: bool = False) -> None:
        """From now on answer 429 to what is above so many requests in a second, or 403 and a page to all; without an
        argument, answer again."""
        self._application.limit, self._application.barred = above, everyone

    def know(self, records: Path) -> None:
        """From now on answer by these records: what a later look finds changed."""
        self._application.answers.collection = load(records)

    @property
    def latency(self) -> float:
        """Seconds that every answer waits."""
        return self._application.latency

    @latency.setter
    def latency(self, seconds: float) -> None:
        self._application.latency = seconds

    def reset(self) -> None:
        """Forget the requests seen, and the "once" faults shown."""
        self._application.targets.clear()
        self._application.headers.clear()
        self._application.answers.shown.clear()
        self.watch.forget()

    def start(self) -> Self:
        """Listen; returns when requests are taken."""
        self._thread.start()
        future = asyncio.run_coroutine_threadsafe(_start(self._application, "127.0.0.1", self._port), self._loop)
        try:
            self._runner, port = future.result(10)
        except OSError:
            self._end_thread()
            raise
        self.url = _url("127.0.0.1", port)
        return self

    def stop(self) -> None:
        """Close every connection and end the thread."""
        if self._runner is not None:
            asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(10)
            self._runner = None
        self._end_thread()

    def _end_thread(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
