"""From a request in the event loop to the portal in its threads, and back."""

import asyncio
import io
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, TypeVar

from aiohttp import web
from multidict import CIMultiDict

from doiportal.server.bodies import Bodies, NoRoom, TooSlow
from doiportal.server.environ import Environ, environ_of
from doiportal.server.requester import Network, requester_of
from doiportal.server.turns import Answer, Application
from doiportal.server.waiting import WaitingRoom
from resolver.services.proxy_answers.semaphore import OF_THIS_PROCESS, Attempt

STALLED = 60.0  # seconds in which a client must take the next 64 kB of a long answer
COME_AGAIN = "30"  # seconds
SERVER = "doiportal"  # no versions: who attacks need not be told

T = TypeVar("T")


class Portal:
    """Answers requests by a WSGI application, in a few threads that never wait for a client."""

    def __init__(
        self, application: Application, threads: int, bodies: Bodies, *, longest: int, trusted: Sequence[Network]
    ) -> None:
        """`longest`: bytes of the longest body that is received; `trusted`: servers that speak for a requester."""
        self._application, self._bodies, self._longest, self._trusted = application, bodies, longest, trusted
        self._threads = ThreadPoolExecutor(threads, "portal")
        # Half of the threads go on with long answers: however many are taken at once, a page waits for none of them.
        self._going_on = asyncio.Semaphore(max(1, threads // 2))
        self._room = WaitingRoom(OF_THIS_PROCESS)
        self._closed = False

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """Receive, answer, send."""
        length = request.content_length or 0
        if length > self._longest or "Transfer-Encoding" in request.headers:
            # The portal refuses it by its head. What still comes is dropped for a while (connections.LINGERING), since
            # a client that sends first and then looks would not see the answer else.
            response = await self._answered(request, io.BytesIO())
            response.force_close()
            return response
        if length == 0:
            return await self._answered(request, io.BytesIO())
        if request.headers.get("Expect", "").lower() == "100-continue":
            await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.writer.output_size = 0
        try:
            async with self._bodies.received(request.content, length) as body:
                return await self._answered(request, body)
        except TooSlow:
            return refusal(408, "The body of the request did not come in time.")
        except NoRoom:
            return refusal(503, "Too much is being uploaded just now.", {"Retry-After": COME_AGAIN})

    def close(self) -> None:
        """Begin nothing more."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _answered(self, request: web.BaseRequest, body: IO[bytes]) -> web.StreamResponse:
        answer, whole = await self._begun(request, body)
        headers = CIMultiDict({"Server": SERVER})
        headers.extend((name, value.strip()) for name, value in answer.headers)
        if request.method == "HEAD" and not answer.ended:
            await self._in_thread(answer.end)
        if answer.ended:
            return web.Response(status=answer.status, reason=answer.reason, headers=headers, body=whole)
        response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
        try:
            await response.prepare(request)
            while not answer.ended:
                async with self._going_on:
                    part = await self._in_thread(answer.go_on)
                await self._send(response, part)
        finally:
            if not answer.ended and not self._closed:
                await self._in_thread(answer.end)
        return response

    async def _begun(self, request: web.BaseRequest, body: IO[bytes]) -> tuple[Answer, bytes]:
        """Run the view, again and again as long as there is no place for it at the DOI proxy. Raises ConnectionError
        where the client leaves."""
        environ, attempt, waited = self._environ(request, body), Attempt(), False
        # Of a thousand who want the same, those who come last need not be told one by one that they must wait.
        target = request.raw_path if request.method == "GET" else ""
        must_wait = bool(target) and self._room.holds(target)
        while True:
            if must_wait:
                await self._room.wait(target)
                waited = True
            if request.transport is None:
                raise ConnectionResetError("the client has left")
            answer = Answer(self._application, {**environ}, attempt)
            whole = await self._in_thread(answer.begin)
            must_wait, attempt.turned_back = attempt.turned_back, False
            if not must_wait:
                break
            if not answer.ended:
                await self._in_thread(answer.end)
            body.seek(0)
        if waited:
            self._room.let_in(1)  # where this one was answered the next may be
        return answer, whole

    def _environ(self, request: web.BaseRequest, body: IO[bytes]) -> Environ:
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", []))  # some servers add a line of their own
        scheme = request.headers.getall("X-Forwarded-Proto", [""])[-1]
        requester = requester_of(request.remote or "", forwarded, scheme, self._trusted)
        sockname = request.transport.get_extra_info("sockname") if request.transport else ("", 0)
        return environ_of(
            request.method,
            request.raw_path,
            request.raw_headers,
            version=request.version,
            body=body,
            requester=requester,
            server=sockname[:2],
        )

    async def _send(self, response: web.StreamResponse, part: bytes) -> None:
        """Raises ConnectionError where the client takes nothing."""
        try:
            async with asyncio.timeout(STALLED):
                await response.write(part)
        except TimeoutError:
            raise ConnectionError("the client takes nothing of its answer") from None

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def refusal(status: int, why: str, headers: Mapping[str, str] | None = None) -> web.Response:
    """An answer without the portal; the connection ends with it."""
    response = web.Response(status=status, text=why + "\n", headers={"Server": SERVER, **(headers or {})})
    response.force_close()
    return response
