"""Whether PROXY_CONCURRENCY and PROXY_RATE hold at the proxy: what the sample proxy sees of a whole portal under load.

Four Celery worker processes check a list while eight people look names up at the web server (two processes), for some
seconds, after a silence in which nothing was asked. The sample proxy, in a process of its own, counts the requests in
flight and those in any second, wherever it begins. `python -m benchmarks.budget`
"""

import argparse
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import requests

from doiportal.supervisor import processes

WORKERS, PEOPLE = 4, 8
WORKER = f"celery -A doiportal worker --beat --loglevel ERROR --concurrency {WORKERS} --without-gossip --without-mingle"
LATENCY_MS = 50
# PROXY_CONCURRENCY and PROXY_RATE (0: none), and how long to look.
SETTINGS = ((8, 50.0, 15.0), (32, 640.0, 15.0), (4, 0.0, 10.0))
SEEN = re.compile(
    r"(\d+) requests; in flight (\d+), most (\d+); in the last second (\d+), most in any second (\d+); (.*)"
)


@contextmanager
def process(command: str, told: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process with its children, ended with the block."""
    words = command.split()
    line = [sys.executable, *words] if words[0].endswith(".py") else [sys.executable, "-m", *words]
    started = subprocess.Popen(line, env=told, stdout=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        started.terminate()
        started.communicate()


@contextmanager
def watched_proxy(latency_ms: int = LATENCY_MS) -> Iterator[tuple[str, list[str]]]:
    """The sample proxy's address, and the lines that it says each second about what it sees."""
    lines: list[str] = []
    with process(f"manage.py sampleproxy --port 0 --latency {latency_ms} --watch", dict(os.environ)) as proxy:
        assert proxy.stdout is not None
        url = re.search(r"http://\S+", proxy.stdout.readline())
        assert url
        listening = threading.Thread(target=lambda: lines.extend(iter(proxy.stdout.readline, "")), daemon=True)
        listening.start()
        yield url.group(), lines
        proxy.terminate()
        listening.join()


@contextmanager
def portal(storage: str, proxy: str, concurrency: int, rate: float) -> Iterator[str]:
    """The address of a whole portal of its own; `storage` is postgres (with Redis) or sqlite (with files)."""
    from tests import services_plugin

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="doiportal-bench-")))
        told = {
            **os.environ,
            "DOIPORTAL_DATA_DIR": str(folder / "var"),
            "DOI_PROXY_URL": proxy,
            "PROXY_CONCURRENCY": str(concurrency),
            "PROXY_RATE": str(rate),
        }
        if storage == "postgres":
            told["DATABASE_URL"] = stack.enter_context(services_plugin.postgres(folder / "postgres"))
            told["REDIS_URL"] = stack.enter_context(services_plugin.redis(folder))
        subprocess.run(processes.python(processes.PREPARE), env=told, check=True)
        port = services_plugin.free_port()
        stack.enter_context(process(processes.WEB.format(host="127.0.0.1", port=port), told))
        stack.enter_context(process(WORKER, told))
        services_plugin.wait_for(port, 30)
        time.sleep(6)  # until the workers listen
        yield f"http://127.0.0.1:{port}"


def load(portal_url: str, seconds: float, names: int) -> None:
    """Upload a list, and look names up beside it until the time is over; then throw the list away."""
    numbers = itertools.count()

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
        until = time.monotonic() + seconds
        for person in people:
            person.start()
        for person in people:
            person.join()
        librarian.delete(f"{portal_url}/api/v1/jobs/{answer.json()['id']}", timeout=60).raise_for_status()


def case(storage: str, concurrency: int, rate: float, seconds: float) -> Iterator[tuple[str, str]]:
    """What the proxy saw under one budget."""
    possible = min(rate or float("inf"), concurrency * 1000 / LATENCY_MS)
    with watched_proxy() as (proxy, lines), portal(storage, proxy, concurrency, rate) as url:
        load(url, seconds, names=int(seconds * possible))
    seen = [match.groups() for match in map(SEEN.match, lines) if match]
    curve = [int(row[3]) for row in seen if int(row[3])]
    _, _, flying, _, in_a_second, statuses = seen[-1]
    middle = sorted(curve)[len(curve) // 2]
    label = f"budget, {storage}, {concurrency} at a time, {rate:.0f}/s"
    yield f"{label}: most in flight", f"{flying} of {concurrency}"
    yield f"{label}: most in any second", f"{in_a_second} of {rate:.0f}" if rate else f"{in_a_second} (no limit)"
    yield f"{label}: in a usual second", f"{middle} = {middle / possible:.0%} of {possible:.0f}"
    yield f"{label}: second by second", " ".join(map(str, curve[:15]))
    yield f"{label}: answers", statuses


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both ways of storage and three budgets."""
    for storage in ("postgres", "sqlite"):
        for setting in SETTINGS:
            yield from case(storage, *setting)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--storage", choices=("postgres", "sqlite"))
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    chosen = (options.storage, options.concurrency, options.rate, options.seconds)
    for label, figure in case(*chosen) if options.storage else measure():
        print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
