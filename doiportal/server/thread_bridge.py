"""From a request in the event loop to the portal in its threads, and back. There an answer is begun, continued and
ended, each time for a moment."""

import asyncio
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from time import monotonic
from typing import IO, Any, TypeVar

from aiohttp import web
from django.db import close_old_connections
from multidict import CIMultiDict

from doiportal.server.bodies import BodyRoomFull, BodyStore, BodyTooSlow
from doiportal.server.environ import Environ, build_environ
from doiportal.server.requester import FrontServer
from resolver.services.http.request_run import ATTEMPT, RequestRun
from resolver.services.proxy_answers.waiting_places import PLACES, PROXY_PLACES

MOST_PAUSING = 200  # requests that wait for something else than the DOI proxy, and look for it every two seconds
SERVER = "doiportal"  # without versions, which would help an attacker
_OF_REFUSALS = {"Server": SERVER, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}

T = TypeVar("T")
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class WsgiAnswer:
    """The portal's answer to a request. `ended`: nothing follows. `begin`, `read_part` and `end` run in threads, one at
    a time, and inside `context`, which carries what Django keeps for a request from thread to thread."""

    def __init__(self, application: Application, environ: Environ, attempt: RequestRun) -> None:
        self._application, self._environ, self._attempt = application, environ, attempt
        self.context = copy_context()
        self._result: Iterable[bytes] = ()
        self._pieces: Iterator[bytes] = iter(())
        self.status, self.reason = 500, ""
        self.headers: list[tuple[str, str]] = []
        self.ended = False

    def begin(self) -> bytes:
        """Run the view. Return a whole page, and nothing yet of an answer that is made while it is sent."""
        ATTEMPT.set(self._attempt)
        self._result = self._application(self._environ, self._start_response)
        if isinstance(self._result, list) or not getattr(self._result, "streaming", True):
            whole = b"".join(self._result)
            self.end()
            return whole
        self._pieces = iter(self._result)
        return b""

    def read_part(self, most_bytes: int = 64 * 1024, seconds: float = 0.05) -> bytes:
        """Return the next part of such an answer. It ends after so many bytes or seconds, so that other requests get
        the thread."""
        close_old_connections()  # this thread's connections may have died since its last request
        pieces, size, until = [], 0, monotonic() + seconds
        for piece in self._pieces:
            pieces.append(piece)
            size += len(piece)
            if size >= most_bytes or monotonic() >= until:
                return b"".join(pieces)
        self.end()
        return b"".join(pieces)

    def end(self) -> None:
        """Release everything that the view holds."""
        self.ended = True
        if close := getattr(self._result, "close", None):
            close()

    def _start_response(self, status: str, headers: list[tuple[str, str]], _exc_info: object = None) -> None:
        code, _, self.reason = status.partition(" ")
        self.status, self.headers = int(code), headers


class ThreadBridge:
    """Serves requests by a WSGI application, in a few threads that never wait for a client."""

    def __init__(
        self,
        application: Application,
        threads: int,
        bodies: BodyStore,
        *,
        longest: int,
        front: FrontServer,
        stalled: float = 60.0,
    ) -> None:
        """`longest`: bytes of the longest body that is received; `front`: the servers in front; `stalled`: seconds
        in which a client must read the next 64 kB of a long answer."""
        self._application, self._bodies, self._longest, self._front = application, bodies, longest, front
        self._stalled = stalled
        self._threads = ThreadPoolExecutor(threads, "portal")
        # At most half of the threads continue long answers, so a page doesn't wait for any of them.
        self._long_answers = asyncio.Semaphore(max(1, threads // 2))
        # Requests without a place at the DOI proxy wait here in their order; the first of them try again.
        self._line = asyncio.Semaphore(PLACES)
        self._waiting: list[str] = []  # the targets of those in line
        self._pausing = 0  # requests whose views wait for something else
        self._closed = False

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """Receive, answer, send."""
        length = request.content_length or 0
        if length > self._longest or "Transfer-Encoding" in request.headers:
            # The portal refuses it by its head. The rest is read and dropped for a while, so that a client that first
            # sends everything sees the answer (`lingering_time` in worker.py).
            response = await self._answer(request, io.BytesIO())
            response.force_close()
            return response
        if length == 0:
            return await self._answer(request, io.BytesIO())
        if request.headers.get("Expect", "").lower() == "100-continue":
            await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.writer.output_size = 0
        try:
            async with self._bodies.received(request.content, length) as body:
                return await self._answer(request, body)
        except BodyTooSlow:
            return build_refusal(408, "The body of the request did not come in time.")
        except BodyRoomFull:
            return build_refusal(503, "Too much is being uploaded just now.", {"Retry-After": "30"})

    def close(self) -> None:
        """Start no more work."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _answer(self, request: web.BaseRequest, body: IO[bytes]) -> web.StreamResponse:
        answer, whole = await self._begin(request, body)
        headers = CIMultiDict({"Server": SERVER})
        headers.extend((name, value.strip()) for name, value in answer.headers)
        if request.method == "HEAD" and not answer.ended:
            await self._run_in_thread(answer, answer.end)
        if answer.ended:
            return web.Response(status=answer.status, reason=answer.reason, headers=headers, body=whole)
        response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
        try:
            await response.prepare(request)
            while not answer.ended:
                async with self._long_answers:
                    part = await self._run_in_thread(answer, answer.read_part)
                await self._send(response, part)
        finally:
            if not answer.ended and not self._closed:
                await self._run_in_thread(answer, answer.end)
        return response

    async def _begin(self, request: web.BaseRequest, body: IO[bytes]) -> tuple[WsgiAnswer, bytes]:
        """Run the view, repeatedly while there is no place for it at the DOI proxy. Raises ConnectionError if the
        client leaves."""
        environ, attempt = build_environ(request, body, self._front), RequestRun()
        target = request.raw_path if request.method == "GET" else ""
        # If a thousand want one address, the later ones wait without a try each.
        begun = None if target and target in self._waiting else await self._try_once(request, environ, attempt)
        while begun is None and attempt.again_in is not None:
            begun = await self._try_later(request, environ, attempt)
        if begun is not None:
            return begun
        self._waiting.append(target)
        try:
            async with self._line:
                while begun is None:
                    await _wait_until_worth_a_try(attempt)
                    begun = await self._try_once(request, environ, attempt)
        finally:
            self._waiting.remove(target)
        return begun

    async def _try_later(
        self, request: web.BaseRequest, environ: Environ, attempt: RequestRun
    ) -> tuple[WsgiAnswer, bytes] | None:
        """Run the view again after the pause that it wants. If too many requests pause, it gets no more time: it
        answers with what it has."""
        pause, attempt.again_in = attempt.again_in or 0.0, None
        if self._pausing >= MOST_PAUSING:
            attempt.came_at = -math.inf
            return await self._try_once(request, environ, attempt)
        self._pausing += 1
        try:
            await asyncio.sleep(pause)
        finally:
            self._pausing -= 1
        return await self._try_once(request, environ, attempt)

    async def _try_once(
        self, request: web.BaseRequest, environ: Environ, attempt: RequestRun
    ) -> tuple[WsgiAnswer, bytes] | None:
        """Run the view. Return None if it found no place, and has to run again."""
        if request.transport is None:
            raise ConnectionResetError("the client has left")
        answer = WsgiAnswer(self._application, {**environ}, attempt)
        whole = await self._run_in_thread(answer, answer.begin)
        if not attempt.turned_back:
            return answer, whole
        attempt.turned_back = False
        if not answer.ended:
            await self._run_in_thread(answer, answer.end)
        environ["wsgi.input"].seek(0)
        return None

    async def _send(self, response: web.StreamResponse, part: bytes) -> None:
        """Send a part of the answer. Raises ConnectionError if the client reads nothing for too long."""
        try:
            async with asyncio.timeout(self._stalled):
                await response.write(part)
        except TimeoutError:
            raise ConnectionError("the client takes nothing of its answer") from None

    async def _run_in_thread(self, answer: WsgiAnswer, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, answer.context.run, work)


async def _wait_until_worth_a_try(attempt: RequestRun) -> None:
    """Wait for a place at the DOI proxy, a quarter of a second at most: the answer may be stored by then."""
    for _ in range(25):
        if not PROXY_PLACES.is_full_for(attempt) or PROXY_PLACES.is_stuck:
            return
        await asyncio.sleep(0.01)


def build_refusal(status: int, why: str, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return an answer that doesn't need the portal, and that closes the connection."""
    response = web.Response(status=status, text=why + "\n", headers={**_OF_REFUSALS, **(headers or {})})
    response.force_close()
    return response
