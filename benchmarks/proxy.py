"""Names a second through the bulk client, beside the script that a user would write, against the sample proxy."""

import asyncio
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import requests

from benchmarks.portals import IN_FLIGHT
from resolver.proxy.async_client import BulkClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_config import ProxyConfig

SEEN = re.compile(
    r"(\d+) requests; in flight (\d+), most (\d+); in the last second (\d+), most in any second (\d+); (.*)"
)


@contextmanager
def sample_proxy(latency_ms: int) -> Iterator[tuple[str, list[str]]]:
    """The address of a sample proxy in a process of its own, and the lines (SEEN) that it prints each second."""
    command = [sys.executable, "manage.py", "sampleproxy", "--port", "0", "--latency", str(latency_ms), "--watch"]
    lines: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = re.search(r"http://\S+", process.stdout.readline())
        assert url
        reading = threading.Thread(target=lambda: lines.extend(process.stdout or ()))
        reading.start()
        try:
            yield url.group(), lines
        finally:
            process.terminate()
            reading.join()


def count_requests(seen: list[str]) -> int:
    """How many the proxy has had until now; it says so each second."""
    time.sleep(2.5)
    return max((int(match[1]) for match in map(SEEN.match, list(seen)) if match), default=0)


def by_script(url: str, names: list[str]) -> float:
    """Seconds for requests in 32 threads, two requests a name."""
    session = requests.Session()
    session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=IN_FLIGHT))

    def ask(name: str) -> None:
        session.get(f"{url}/api/handles/{name}", timeout=30).json()
        session.get(f"{url}/doiRA/{name}", timeout=30).json()

    start = time.perf_counter()
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        list(pool.map(ask, names))
    return time.perf_counter() - start


def measure_latency(url: str, names: list[str]) -> float:
    """Return the usual seconds of an answer to requests one after the other. The timers of an event loop are a
    millisecond late: an answer that is to take 50 ms takes 51."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    times = []
    for name in names:
        start = time.perf_counter()
        connection.request("GET", f"/api/handles/{name}")
        connection.getresponse().read()
        times.append(time.perf_counter() - start)
    connection.close()
    return statistics.median(times)


def by_bare_client(url: str, names: list[str]) -> float:
    """Seconds for one record a name through a client that does nothing else: what this machine and the sample proxy
    allow at most, so many in flight."""

    async def ask_all() -> None:
        todo = iter(names)
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def one_after_the_other() -> None:
                for name in todo:
                    async with session.get(f"{url}/api/handles/{name}") as answer:
                        await answer.read()

            await asyncio.gather(*(one_after_the_other() for _ in range(IN_FLIGHT)))

    start = time.perf_counter()
    asyncio.run(ask_all())
    return time.perf_counter() - start


def by_bulk(url: str, names: list[str]) -> float:
    """Seconds for Which RA in batches and one record a name."""
    with tempfile.TemporaryDirectory() as folder:
        config = ProxyConfig(base_url=url, user_agent="doiportal-benchmark", concurrency=IN_FLIGHT, rate=0)
        bulk = BulkClient(config, FileBudget(Path(folder), IN_FLIGHT, 0))
        start = time.perf_counter()
        bulk.find_agencies(names)
        bulk.resolve(names)
        return time.perf_counter() - start


def measure() -> Iterator[tuple[str, str]]:
    """Rows for no delay and for 50 ms delay."""
    for latency, count in ((0, 3000), (50, 2000)):
        names = [f"10.5555/bench-{latency}-{n}" for n in range(count)]
        with sample_proxy(latency) as (url, _):
            script, bulk = count / by_script(url, names), count / by_bulk(url, names)
        yield f"proxy, {latency} ms delay: script with 32 threads", f"{script:,.0f} names/s"
        yield f"proxy, {latency} ms delay: bulk client, 32 in flight", f"{bulk:,.0f} names/s"
