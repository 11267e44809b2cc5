"""Requests a second and the 99th percentile of the REST API and of reconciliation, each beside an empty view of REST
framework: same process, same middleware, same run.

The web server as `make run` starts it, in front of the sample proxy. Four programs ask at once, each over one
connection: REST with the token of an account, reconciliation without one, as OpenRefine does. Every answer of the
proxy is stored before. The kinds take turns, so that whatever else the machine does meets all of them; times are of
the programs' clock, and they use the same processors. `python -m benchmarks api`
"""

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from benchmarks.lists import cell
from benchmarks.portals import MeasuredPortal, portal
from benchmarks.processor_time import measure_processor_time
from benchmarks.proxy import sample_proxy

CLIENTS = 4
TURNS, BEFORE, EACH = 25, 3, 8  # turns that count, turns that do not, and requests of a client in a turn
EMPTY = "empty REST view"
JSON, FORM = "application/json", "application/x-www-form-urlencoded"


@dataclass
class RequestKind:
    """A request, and what was measured of it: the milliseconds of each answer, and the seconds of all turns."""

    method: str
    path: str
    body: str = ""
    media_type: str = JSON
    token: str = ""
    milliseconds: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def send(self, connection: http.client.HTTPConnection) -> float:
        """Send it once, and return the milliseconds until its answer was read; end the program if it is an error."""
        headers = {"Content-Type": self.media_type} if self.body else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        start = time.perf_counter()
        connection.request(self.method, self.path, self.body or None, headers)
        answer = connection.getresponse()
        answer.read()
        taken = (time.perf_counter() - start) * 1000
        if answer.status not in (200, 201):
            sys.exit(f"{self.path} was answered with {answer.status}")
        return taken

    @property
    def figure(self) -> str:
        """Requests a second, the median and the 99th percentile."""
        rate = len(self.milliseconds) / self.seconds
        slow = statistics.quantiles(self.milliseconds, n=100)[-1]
        return f"{rate:.0f} requests/s, median {statistics.median(self.milliseconds):.1f} ms, p99 {slow:.1f} ms"


def make_token(running: MeasuredPortal) -> str:
    """The token of a new account."""
    manage = [sys.executable, "manage.py"]
    account = ["createsuperuser", "--noinput", "--username", "bench", "--email", ""]
    subprocess.run([*manage, *account], env=running.environment, check=True, capture_output=True)
    token = ["createtoken", "bench", "--name", "bench", "--scope", "write"]
    done = subprocess.run([*manage, *token], env=running.environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make_kinds(token: str) -> dict[str, RequestKind]:
    """What is measured, by name."""
    texts = [cell(n, "api") for n in range(100)]
    queries = json.dumps({f"q{n}": {"query": text} for n, text in enumerate(texts[:50])})
    return {
        EMPTY: RequestKind("GET", "/measured/empty-rest", token=token),
        "inspections, 100 texts": RequestKind(
            "POST", "/api/v1/inspections", json.dumps({"inputs": texts}), token=token
        ),
        "lookups, cached": RequestKind("POST", "/api/v1/lookups", json.dumps({"input": texts[50]}), token=token),
        "reconcile, 50 queries, cached": RequestKind("POST", "/reconcile", urlencode({"queries": queries}), FORM),
    }


def take_turns(port: int, kinds: dict[str, RequestKind]) -> None:
    """Let the clients send every kind, turn by turn. The first turns store the proxy's answers and are not counted."""
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=120) for _ in range(CLIENTS)]
    for kind in kinds.values():
        kind.send(connections[0])
    with ThreadPoolExecutor(CLIENTS) as clients:
        for turn in range(BEFORE + TURNS):
            for kind in kinds.values():
                start = time.perf_counter()
                taken = list(clients.map(lambda one, kind=kind: [kind.send(one) for _ in range(EACH)], connections))
                if turn >= BEFORE:
                    kind.seconds += time.perf_counter() - start
                    kind.milliseconds += [each for times in taken for each in times]
    for connection in connections:
        connection.close()


def measure() -> Iterator[tuple[str, str]]:
    """Each kind on either storage, and how its median compares with that of the empty view. No limit of DOIs a minute
    applies. Then what one lookup and its pages cost."""
    settings = {"DJANGO_SETTINGS_MODULE": "benchmarks.measured_settings", "API_DOIS_PER_MINUTE": "0"}
    with sample_proxy(0) as (proxy, _):
        for storage in ("sqlite", "postgres"):
            with portal(storage, proxy, **settings) as running:
                token = make_token(running)
                kinds = make_kinds(token)
                take_turns(urlsplit(running.url).port or 0, kinds)
                times = list(measure_processor_time(running, token))
            empty = statistics.median(kinds[EMPTY].milliseconds)
            for name, kind in kinds.items():
                ratio = f"; {statistics.median(kind.milliseconds) / empty:.1f} of empty" if name != EMPTY else ""
                yield f"api, {storage}: {name}", f"{kind.figure}{ratio}"
            for name, figure in times:
                yield f"api, {storage}: {name}", figure
