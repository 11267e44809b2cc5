"""How long a cached answer of the gateway takes beside an empty view: same process, same middleware, same run.

The web server as `make run` starts it, in front of the sample proxy. One program asks over one connection, each kind of
question in turn, so that whatever else the machine does meets all of them; times are of that program's clock. The ratio
is that of the medians. `python -m benchmarks gateway`
"""

import http.client
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.proxy import sample_proxy
from doiportal.supervisor import processes
from tests import services_plugin

ROUNDS, BEFORE = 2_000, 200
NAME = "10.1000/182"
KINDS = {
    "empty view": "/measured/empty",
    "a record, by /api/handles/": f"/api/handles/{NAME}",
    "a redirect": f"/{NAME}",
    "an agency, by /doiRA/": f"/doiRA/{NAME}",
}


@contextmanager
def web(storage: str, proxy: str) -> Iterator[int]:
    """The port of a web server with tables of its own; `storage` is sqlite or postgres (with Redis)."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="doiportal-bench-")))
        port = services_plugin.free_port()
        told = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "benchmarks.gateway_settings",
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "DOI_PROXY_URL": proxy,
            "PORT": str(port),
            "LOG_LEVEL": "WARNING",
        }
        if storage == "postgres":
            told["DATABASE_URL"] = stack.enter_context(services_plugin.postgres(folder / "postgres", durable=True))
            told["REDIS_URL"] = stack.enter_context(services_plugin.redis(folder))
        subprocess.run(processes.python(processes.PREPARE), env=told, check=True)
        started = subprocess.Popen(processes.portal("127.0.0.1", port)[0].command, env=told, stderr=subprocess.DEVNULL)
        stack.callback(started.wait, 30)
        stack.callback(started.terminate)
        services_plugin.wait_for(port, 60)
        yield port


def times(port: int) -> dict[str, list[float]]:
    """Milliseconds of each answer, by kind, after a while that is not counted."""
    taken: dict[str, list[float]] = {kind: [] for kind in KINDS}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for number in range(BEFORE + ROUNDS):
        for kind, target in KINDS.items():
            start = time.perf_counter()
            connection.request("GET", target)
            answer = connection.getresponse()
            answer.read()
            seconds = time.perf_counter() - start
            if answer.status not in (200, 302):
                sys.exit(f"{target} was answered with {answer.status}")
            if number >= BEFORE:
                taken[kind].append(seconds * 1000)
    connection.close()
    return taken


def measure() -> Iterator[tuple[str, str]]:
    """Median, 95th percentile and ratio of each kind, on either storage."""
    with sample_proxy(services_plugin.free_port(), 0) as proxy:
        for storage in ("sqlite", "postgres"):
            with web(storage, proxy) as port:
                taken = times(port)
            empty = statistics.median(taken["empty view"])
            for kind, milliseconds in taken.items():
                middle, slow = statistics.median(milliseconds), statistics.quantiles(milliseconds, n=20)[-1]
                ratio = f"; {middle / empty:.2f} of empty" if kind != "empty view" else ""
                yield f"gateway, {storage}: {kind}", f"{middle:.2f} ms, p95 {slow:.2f}{ratio}"
