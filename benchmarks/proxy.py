"""Names a second through the bulk client, beside the script that a user would write (benchmarks/script.py)."""

import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.fast_proxy import fast_proxy
from benchmarks.portals import IN_FLIGHT
from benchmarks.script import THREADS, run_script
from resolver.proxy.bulk_client import BulkClient
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
        with fast_proxy(latency) as proxy:
            script, bulk = run_script(proxy.url, names).rate, count / by_bulk(proxy.url, names)
        yield f"proxy, {latency} ms delay: script with {THREADS} threads", f"{script:,.0f} names/s"
        yield f"proxy, {latency} ms delay: bulk client, 32 in flight", f"{bulk:,.0f} names/s"
