"""Whether PROXY_CONCURRENCY and PROXY_RATE hold at the proxy: what the sample proxy sees of a whole portal under load.

The workers check a list while eight people look names up, for some seconds, after a silence without requests. The
sample proxy counts the requests in flight and those in any second, wherever it begins. `python -m benchmarks budget`
"""

import itertools
import threading
import time
from collections.abc import Iterator

import requests

from benchmarks.portals import portal
from benchmarks.proxy import SEEN, sample_proxy

PEOPLE = 8
LATENCY_MS = 50
SILENCE = 6.0  # seconds
# PROXY_CONCURRENCY and PROXY_RATE (0: none), and how long to look.
SETTINGS = ((8, 50.0, 15.0), (32, 640.0, 15.0), (4, 0.0, 10.0))


def load(portal_url: str, seconds: float, names: int) -> None:
    """Upload a list, look names up beside it until the time is over, and delete the list."""
    numbers = itertools.count()
    until = time.monotonic() + seconds

    def look_up() -> None:
        with requests.Session() as person:
            while time.monotonic() < until:
                text = f"10.5555/person-{next(numbers)}"
                person.post(f"{portal_url}/api/v1/lookups", json={"input": text}, timeout=60).raise_for_status()

    people = [threading.Thread(target=look_up) for _ in range(PEOPLE)]
    text = "doi\n" + "\n".join(f"10.5555/listed-{number}" for number in range(names))
    with requests.Session() as librarian:
        answer = librarian.post(f"{portal_url}/api/v1/jobs", files={"file": ("list.csv", text)}, timeout=60)
        answer.raise_for_status()
        for person in people:
            person.start()
        for person in people:
            person.join()
        librarian.delete(f"{portal_url}/api/v1/jobs/{answer.json()['id']}", timeout=60).raise_for_status()


def case(database: str, concurrency: int, rate: float, seconds: float) -> Iterator[tuple[str, str]]:
    """What the proxy saw under one budget."""
    possible = min(rate or float("inf"), concurrency * 1000 / LATENCY_MS)
    with (
        sample_proxy(LATENCY_MS) as (proxy, lines),
        portal(database, proxy, concurrency=concurrency, rate=rate) as running,
    ):
        time.sleep(SILENCE)
        load(running.url, seconds, names=int(seconds * possible))
        seen = [match.groups() for match in map(SEEN.match, list(lines)) if match]
    curve = [int(row[3]) for row in seen if int(row[3])]
    _, _, flying, _, in_a_second, statuses = seen[-1]
    middle = sorted(curve)[len(curve) // 2]
    label = f"budget, {database}, {concurrency} at a time, {rate:.0f}/s"
    yield f"{label}: most in flight", f"{flying} of {concurrency}"
    yield f"{label}: most in any second", f"{in_a_second} of {rate:.0f}" if rate else f"{in_a_second} (no limit)"
    yield f"{label}: in a usual second", f"{middle} = {middle / possible:.0%} of {possible:.0f}"
    yield f"{label}: second by second", " ".join(map(str, curve[:15]))
    yield f"{label}: answers", statuses


def measure() -> Iterator[tuple[str, str]]:
    """Both databases, three budgets."""
    for database in ("postgres", "sqlite"):
        for setting in SETTINGS:
            yield from case(database, *setting)
