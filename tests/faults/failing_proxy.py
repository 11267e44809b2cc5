"""The sample proxy, made to fail on command: a process of its own, which counts what it is asked and what it answered.

It answers as `resolver.standin` does until it is told to fail. Orders come as lines of JSON on standard input, an
answer to each on standard output; at the end of the input it ends. `FailingProxyProcess` is the other side of that.
"""

import asyncio
import json
import socket
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote

from resolver.standin import endpoints, records, sample_answers
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
HTML = b"<!DOCTYPE html><title>Just a moment...</title>"
WRONG = b'{"status": "ok", "message": "no such thing"}'
# What stands in the place of the right answer: a whole one, a half one, or none (the connection is reset).
FAULTS: dict[str, bytes | None] = {
    "html": b"HTTP/1.1 200 X\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(HTML), HTML),
    "wrong json": b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
    % (len(WRONG), WRONG),
    "half": b'HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n{"responseCode":100,',
    "reset": None,
    "down": None,  # for those who were connected when the listener was closed
    "429": b"HTTP/1.1 429 X\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
    "503": b"HTTP/1.1 503 X\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
}


class FailingProxy:
    """One listener that can be closed and opened again at the same port."""

    def __init__(self, latency: float) -> None:
        self.answers = sample_answers.SampleAnswers(records.load_sample_records(None))
        self.latency = latency
        self.fault = ""
        self.answered: Counter[str] = Counter()  # how often each name got its right answer, by kind of question
        self.failed = 0
        self.port = 0
        self.listener: asyncio.Server | None = None
        self.open: set[asyncio.StreamWriter] = set()

    async def up(self) -> None:
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", self.port, limit=1 << 20, backlog=500)
        self.port = self.listener.sockets[0].getsockname()[1]

    async def down(self) -> None:
        assert self.listener is not None
        self.listener.close()
        for writer in list(self.open):
            reset(writer)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open.add(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(self.latency)
                if not await self.answer(head.split(b" ", 2)[1].decode("latin-1"), writer):
                    break
        except (OSError, asyncio.IncompleteReadError):
            pass  # it went away: no fault of ours
        finally:
            self.open.discard(writer)
            writer.close()

    async def answer(self, target: str, writer: asyncio.StreamWriter) -> bool:
        """Whether the connection stays."""
        asked = target
        if self.fault:
            self.failed += 1
            if self.fault != "another name":
                sent = FAULTS[self.fault]
                if sent is None:
                    reset(writer)
                    return False
                writer.write(sent)
                await writer.drain()
                return self.fault != "half"
            asked = "/doiRA/10.5555/another" if "/doiRA/" in target else "/api/handles/10.5555/another"
        reply = endpoints.answer_request(self.answers, asked, {})
        head = b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n"
        writer.write(head % (reply.status, len(reply.body)) + reply.body)
        await writer.drain()
        if asked == target:
            path, _, names = target.partition("?")[0].removeprefix("/api").lstrip("/").partition("/")
            self.answered.update(f"{path} {unquote(name)}" for name in names.split(","))
        return True

    async def obey(self, order: dict[str, Any]) -> Any:
        match order:
            case {"fail": fault}:
                await self.down() if fault == "down" else None
                if self.fault == "down":
                    await self.up()
                self.fault = fault
            case {"count": label}:
                asked = {name: times for name, times in self.answered.items() if label in name}
                repeated = {name: times for name, times in asked.items() if times > 1}
                counted = {"names": len(asked), "answers": sum(asked.values()), "failed": self.failed}
                return {**counted, "repeated": repeated}
        return None


def reset(writer: asyncio.StreamWriter) -> None:
    connection = writer.get_extra_info("socket")
    if connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def run(latency: float) -> None:
    proxy = FailingProxy(latency)
    await proxy.up()
    print(json.dumps(proxy.port), flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await proxy.obey(json.loads(line))), flush=True)


class FailingProxyProcess:
    """That process, and the orders to it."""

    def __init__(self, latency: float = 0.02) -> None:
        command = [sys.executable, "-m", "tests.faults.failing_proxy", str(latency)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self.url = f"http://127.0.0.1:{self._heard()}"

    def fail(self, fault: str) -> None:
        """Answer so from now on: one of FAULTS, "another name", or "down"; "" is all well again."""
        self._failed_before = self.count("")["failed"]
        self._order(fail=fault)

    def wait_until_it_has_failed(self, seconds: float = 30) -> None:
        """Return when a request has met the fault of now."""
        before = self._failed_before
        wait_until("a request fails", lambda: self.count("")["failed"] != before, seconds=seconds)

    def count(self, label: str) -> dict[str, Any]:
        """Of the names with `label` in them: how many were answered, how many answers, and which got more than one."""
        return self._order(count=label)

    def _order(self, **order: object) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process:  # closes the pipes
            self._process.kill()


if __name__ == "__main__":
    asyncio.run(run(float(sys.argv[1])))
