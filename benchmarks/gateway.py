"""How long a cached answer of the gateway takes beside an empty view: same process, same middleware, same run.

The web server as `make run` starts it, in front of the sample proxy. One program asks over one connection, each kind of
question in turn, so that whatever else the machine does meets all of them; times are of that program's clock. The ratio
is that of the medians. `python -m benchmarks gateway`
"""

import http.client
import statistics
import sys
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

from benchmarks.portals import portal
from benchmarks.proxy import sample_proxy

ROUNDS, BEFORE = 2_000, 200
NAME = "10.1000/182"
KINDS = {
    "empty view": "/measured/empty",
    "a record, by /api/handles/": f"/api/handles/{NAME}",
    "a redirect": f"/{NAME}",
    "an agency, by /doiRA/": f"/doiRA/{NAME}",
}


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
    with sample_proxy(0) as (proxy, _):
        for storage in ("sqlite", "postgres"):
            with portal(storage, proxy, DJANGO_SETTINGS_MODULE="benchmarks.measured_settings") as running:
                taken = times(urlsplit(running.url).port or 0)
            empty = statistics.median(taken["empty view"])
            for kind, milliseconds in taken.items():
                middle, slow = statistics.median(milliseconds), statistics.quantiles(milliseconds, n=20)[-1]
                ratio = f"; {middle / empty:.2f} of empty" if kind != "empty view" else ""
                yield f"gateway, {storage}: {kind}", f"{middle:.2f} ms, p95 {slow:.2f}{ratio}"
