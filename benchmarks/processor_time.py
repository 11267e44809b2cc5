"""Processor time of a web process for one request whose answers are stored, and how many times that of an empty view
of a bare Django it is: the same web server, the same run, in turns. `python -m benchmarks api`
"""

import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import psutil

from benchmarks.portals import PATIENCE, MeasuredPortal
from doiportal.supervisor.process_commands import WEB
from tests import services_plugin

TURNS, EACH = 7, 150  # turns that count, and requests in each
NAME = "10.5555/plain"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


@dataclass
class MeasuredRequest:
    """A request to a server by its port, and the milliseconds of a processor that its processes took for one of each
    turn."""

    port: int
    processes: list[psutil.Process]
    method: str
    path: str
    body: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def send(self) -> tuple[http.client.HTTPResponse, str]:
        """Return the answer with its body."""
        self._connection.request(self.method, self.path, self.body, dict(self.headers))
        answer = self._connection.getresponse()
        return answer, answer.read().decode()

    def take_turn(self) -> None:
        """Send it EACH times."""
        began = self._sum_times()
        for _ in range(EACH):
            self.send()
        self.milliseconds.append((self._sum_times() - began) / EACH * 1000)

    def _sum_times(self) -> float:
        return sum(sum(process.cpu_times()[:2]) for process in self.processes)


def measure_processor_time(running: MeasuredPortal, token: str) -> Iterator[tuple[str, str]]:
    """A lookup by REST, its page and the front page, each with the time and the ratio."""
    port = urlsplit(running.url).port or 0
    web = [process for role, process in running.processes() if role == "web"]
    headers = {"Content-Type": JSON, "Authorization": f"Bearer {token}"}
    with _bare_django(running) as (bare_port, bare):
        cookies, page = _look_up_by_form(port)
        empty = MeasuredRequest(bare_port, bare, "GET", "/empty")
        body = json.dumps({"input": NAME})
        kinds = {
            "lookup by REST, cached": MeasuredRequest(port, web, "POST", "/api/v1/lookups", body, headers),
            "page of a lookup": MeasuredRequest(port, web, "GET", page, headers=cookies),
            "front page": MeasuredRequest(port, web, "GET", "/"),
            "front page, with recent lookups": MeasuredRequest(port, web, "GET", "/", headers=cookies),
        }
        for kind in (empty, *kinds.values()):
            kind.take_turn()
            kind.milliseconds.clear()
        for _ in range(TURNS):
            for kind in (empty, *kinds.values()):
                kind.take_turn()
    least = statistics.median(empty.milliseconds)
    for name, kind in kinds.items():
        taken = statistics.median(kind.milliseconds)
        yield name, f"{taken:.2f} ms of a processor, {taken / least:.1f} of an empty Django view"


def _look_up_by_form(port: int) -> tuple[dict[str, str], str]:
    """Look up the name as a person does. Return the cookies, and the path of the page."""
    answer, page = MeasuredRequest(port, [], "GET", "/").send()
    kept = {"csrftoken": (answer.getheader("Set-Cookie") or "").partition("=")[2].partition(";")[0]}
    token = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', page)
    form = urlencode({"text": NAME, "csrfmiddlewaretoken": token[1] if token else ""})
    where = ""
    for _ in range(6):
        headers = {"Content-Type": FORM, "Cookie": "; ".join(f"{name}={value}" for name, value in kept.items())}
        answer, _ = MeasuredRequest(port, [], "POST", "/lookups", form, headers).send()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie" and value.startswith("sessionid="):
                kept["sessionid"] = value.partition("=")[2].partition(";")[0]
        where = answer.getheader("Location") or ""
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in kept.items())}, where


@contextmanager
def _bare_django(running: MeasuredPortal) -> Iterator[tuple[int, list[psutil.Process]]]:
    """A bare Django behind the portal's web server: its port and its processes."""
    port = services_plugin.free_port()
    line = WEB.replace("doiportal.wsgi", "django.core.wsgi:get_wsgi_application()")
    environment = {**running.environment, "DJANGO_SETTINGS_MODULE": "benchmarks.bare_django", "PORT": str(port)}
    command = [sys.executable, "-m", *line.format(host="127.0.0.1", port=port).split()]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as server:
        try:
            end = time.monotonic() + PATIENCE
            while len(workers := psutil.Process(server.pid).children()) < 2 or not _answers(port):
                if time.monotonic() > end:
                    raise RuntimeError("the bare Django does not answer")
                time.sleep(0.2)
            yield port, workers
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    try:
        return MeasuredRequest(port, [], "GET", "/empty").send()[0].status == 200
    except OSError:
        return False
