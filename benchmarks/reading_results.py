"""Pages, filters, counts and downloads of a job of a million rows, over HTTP from the web server as production runs it.

`DATABASE_URL=… python -m benchmarks.reading_results --here` measures on the database that the settings name; the job is
built there at the first run (`made_up_job.py`) and stays.
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import requests

ROWS = int(os.environ.get("BENCH_ROWS") or 1_000_000)
ROUNDS = 3
BLOCK = 1 << 16


def measure(rows: int = ROWS) -> Iterator[tuple[str, str]]:
    """On both ways of storage, each with tables of its own that are gone afterwards."""
    from tests import services_plugin

    with tempfile.TemporaryDirectory(prefix="doiportal-bench-") as folder:
        yield from _elsewhere(rows, {"DOIPORTAL_DATA_DIR": f"{folder}/sqlite"})
        with services_plugin.postgres(Path(folder, "postgres"), durable=True) as address:
            yield from _elsewhere(rows, {"DOIPORTAL_DATA_DIR": f"{folder}/var", "DATABASE_URL": address})


def _elsewhere(rows: int, told: dict[str, str]) -> Iterator[tuple[str, str]]:
    command = [sys.executable, "-m", "benchmarks.reading_results", "--here", "--rows", str(rows)]
    with subprocess.Popen(command, env=os.environ | told, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            label, _, figure = line.strip().partition("\t")
            yield label, figure
    if process.returncode:
        raise RuntimeError(f"the measuring process ended with {process.returncode}")


def here(rows: int) -> Iterator[tuple[str, str]]:
    """A row for each page, filter and file: the median of three and the processor time of the web processes (on SQLite
    that is all), and what one of them held in memory at most."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.made_up_job import OWNER, made_up_job
    from resolver.services.results.facets import EXACT

    call_command("migrate", verbosity=0)
    job = made_up_job(rows)
    cookies = {"sessionid": _session(OWNER)}
    on = f"{rows:,} rows on {connection.vendor}"
    connection.close()
    with web_server() as server:
        server.visit(f"/jobs/{job.pk}", cookies)  # the first request loads the code
        for label, address in pages(job):
            yield f"{on}: {label}", _times(server, address, cookies)
        short = made_up_job(min(rows, EXACT))
        for label, query in (("needs work", "group=needs-work"), ("a search", "q=nowhere-to-be-found")):
            cost = _times(server, f"/jobs/{short.pk}/rows?{query}", cookies)
            yield f"{short.total:,} rows on {connection.vendor}: page with exact facets, {label}", cost
        connection.close()
        yield f"{on}: most memory of a web process so far", f"{server.peak():.0f} MiB"
        for label, address in files(job):
            server.forget_peak()
            before = server.processor()
            first, seconds, size = server.take(address, cookies)
            speed = f"{rows / seconds:,.0f} rows/s, {(server.processor() - before) / rows * 1e6:.0f} µs CPU a row"
            peak = f"{size / 2**20:,.0f} MiB, peak {server.peak():.0f} MiB"
            yield f"{on}: {label}", f"{speed}, first byte {first * 1000:,.0f} ms, {peak}"
        yield f"{on}: load of the machine at the end", f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def pages(job: Any) -> Iterator[tuple[str, str]]:
    """What is looked at: a label and an address each."""
    from benchmarks.made_up_job import LAST, ODD_NAMES

    last = job.total
    yield "lists", "/jobs"
    yield "lists, API", "/api/v1/jobs"
    yield "counts", f"/jobs/{job.pk}"
    yield "counts, API", f"/api/v1/jobs/{job.pk}"
    filters = {
        "all rows": {},
        "a frequent outcome": {"outcome": "resolved"},
        "an outcome here and there": {"outcome": "unreachable"},
        "the outcome of the last row": {"outcome": LAST["outcome"]},
        "an outcome of no row": {"outcome": "proxy-error"},
        "a frequent problem": {"problem": ODD_NAMES[0]},
        "the problem of the last row": {"problem": LAST["problem"]},
        "a problem of no row": {"problem": "dot-segment"},
        "a frequent agency": {"ra": "Crossref"},
        "the agency of the last row": {"ra": LAST["ra"]},
        "an agency of no row": {"ra": "OP"},
        "repeated names": {"duplicates": "1"},
        "what needs work (four outcomes)": {"group": "needs-work"},
        "what is fine (two outcomes)": {"group": "fine"},
        "outcome and problem": {"outcome": "not-found", "problem": ODD_NAMES[0]},
        "outcome and agency of no row together": {"outcome": "not-found", "ra": "Crossref"},
        "problem and agency of no row together": {"problem": LAST["problem"], "ra": "DataCite"},
        "two frequent ones of no row together": {"problem": ODD_NAMES[1], "outcome": "no-url"},
        "search, frequent": {"q": "made-up"},
        "search, a name": {"q": f"{last // 2:07d}"},
        "search, the last row": {"q": LAST["q"]},
        "search, nothing": {"q": "nowhere-to-be-found"},
        "search, two letters of no row": {"q": "%%"},
        "search and outcome": {"q": f"{last // 2:07d}", "outcome": "invalid"},
        "search and problem of no row": {"q": LAST["q"], "problem": ODD_NAMES[0]},
    }
    for label, wanted in filters.items():
        query = urlencode(wanted)
        yield f"page, {label}", f"/jobs/{job.pk}/rows?{query}"
        yield f"API, {label}", f"/api/v1/jobs/{job.pk}/rows?{query}"
        if label in (
            "all rows",
            "a frequent outcome",
            "a frequent problem",
            "a frequent agency",
            "repeated names",
            "search, frequent",
            "what needs work (four outcomes)",
        ):
            yield f"page, {label}, in the middle", f"/jobs/{job.pk}/rows?{query}&after={last // 2}"
            yield f"page, {label}, at the end", f"/jobs/{job.pk}/rows?{query}&before={last + 1}"


def files(job: Any) -> Iterator[tuple[str, str]]:
    """What is taken away."""
    for name, place in (("page", f"/jobs/{job.pk}"), ("API", f"/api/v1/jobs/{job.pk}")):
        yield f"CSV, {name}", f"{place}/results.csv"
    place = f"/jobs/{job.pk}"
    yield "CSV of what needs work, a speed of all rows", f"{place}/results.csv?group=needs-work"
    yield "CSV with the corrections", f"{place}/results.csv?corrected=1"
    yield "JSON lines", f"{place}/results.jsonl"
    yield "XLSX", f"{place}/results.xlsx"


def _session(owner: str) -> str:
    from django.contrib.sessions.backends.db import SessionStore

    from resolver.services.owners import SESSION_KEY

    session = SessionStore()
    session[SESSION_KEY] = owner.partition(":")[2]
    session.create()
    return str(session.session_key)


def _times(server: "WebServer", address: str, cookies: dict[str, str]) -> str:
    server.visit(address, cookies)
    before = server.processor()
    median = statistics.median(server.visit(address, cookies) for _ in range(ROUNDS))
    return f"{median * 1000:,.0f} ms, {(server.processor() - before) / ROUNDS * 1000:,.0f} ms CPU"


class WebServer:
    """The processes that answer, and a caller who keeps the connection."""

    def __init__(self, url: str, leader: int) -> None:
        self.url, self.leader = url, leader
        self.caller = requests.Session()

    def visit(self, address: str, cookies: dict[str, str]) -> float:
        """Seconds until the whole answer is there."""
        start = time.perf_counter()
        response = self.caller.get(self.url + address, cookies=cookies, timeout=600)
        seconds = time.perf_counter() - start
        assert response.status_code == 200, f"{address}: {response.status_code}"
        return seconds

    def take(self, address: str, cookies: dict[str, str]) -> tuple[float, float, int]:
        """Seconds until the first byte and until the last one, and how many bytes; nothing is kept."""
        start = time.perf_counter()
        first, size = 0.0, 0
        with self.caller.get(self.url + address, cookies=cookies, timeout=600, stream=True) as response:
            assert response.status_code == 200, f"{address}: {response.status_code}"
            for block in response.iter_content(BLOCK):
                first = first or time.perf_counter() - start
                size += len(block)
        return first, time.perf_counter() - start, size

    def processes(self) -> list[Path]:
        """The leader and its workers."""
        children = Path(f"/proc/{self.leader}/task/{self.leader}/children").read_text().split()
        return [Path("/proc", str(number)) for number in (self.leader, *children)]

    def processor(self) -> float:
        """Seconds of the processor that all threads have had; beside others on the machine the clock says less."""
        threads = [thread for process in self.processes() for thread in (process / "task").iterdir()]
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9

    def peak(self) -> float:
        """MiB of the process that had most at once since the start, or since `forget_peak`."""
        lines = [line for process in self.processes() for line in (process / "status").read_text().splitlines()]
        return max(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    def forget_peak(self) -> None:
        """Begin to measure memory anew."""
        for process in self.processes():
            (process / "clear_refs").write_text("5")


@contextmanager
def web_server() -> Iterator[WebServer]:
    """As the supervisor starts it, on a free port."""
    from django.core.management import call_command

    from doiportal.supervisor.ports import free_port
    from doiportal.supervisor.processes import portal

    call_command("collectstatic", interactive=False, verbosity=0)
    port = free_port()
    [command] = [process.command for process in portal("127.0.0.1", port) if process.name == "web"]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield WebServer(f"http://127.0.0.1:{port}", server.pid)
    finally:
        server.terminate()
        server.wait(20)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--here", action="store_true", help="on the database that the settings name")
    options = parser.parse_args()
    for label, figure in (here if options.here else measure)(options.rows):
        print(label, figure, sep="\t", flush=True)


if __name__ == "__main__":
    main()
