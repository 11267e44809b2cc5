"""Names a second through the bulk client, beside the script that a user would write, against the sample proxy."""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import requests

from benchmarks.portals import IN_FLIGHT
from resolver.proxy.async_client import Bulk
from resolver.proxy.config import ProxyConfig
from resolver.proxy.limits import FileBudget


@contextmanager
def sample_proxy(port: int, latency_ms: int) -> Iterator[str]:
    """The sample proxy in a process of its own."""
    command = [sys.executable, "manage.py", "sampleproxy", "--port", str(port), "--latency", str(latency_ms)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                requests.get(f"{url}/api/handles/10.5555/ready", timeout=1)
                break
            except requests.ConnectionError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(10)


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
        bulk = Bulk(config, FileBudget(Path(folder), IN_FLIGHT, 0))
        start = time.perf_counter()
        bulk.agencies(names)
        bulk.resolve(names)
        return time.perf_counter() - start


def measure() -> Iterator[tuple[str, str]]:
    """Rows for no delay and for 50 ms delay."""
    port = int(os.environ.get("BENCH_PORT", "8931"))
    for latency, count in ((0, 3000), (50, 2000)):
        names = [f"10.5555/bench-{latency}-{n}" for n in range(count)]
        with sample_proxy(port, latency) as url:
            script, bulk = count / by_script(url, names), count / by_bulk(url, names)
        yield f"proxy, {latency} ms delay: script with 32 threads", f"{script:,.0f} names/s"
        yield f"proxy, {latency} ms delay: bulk client, 32 in flight", f"{bulk:,.0f} names/s"
