"""Rows a second of a whole list, from its upload to its last row, beside the script that a user would write
(benchmarks/script.py): same proxy, one after the other. The proxy (benchmarks/fast_proxy.py) costs so little that they
are compared, and not the proxy. The seconds of a processor say more than rows a second if others use the machine.

`python -m benchmarks.jobs` measures SQLite with files as broker, and PostgreSQL with Redis; the options choose a case.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import requests

from benchmarks import uploads
from benchmarks.fast_proxy import fast_proxy
from benchmarks.portals import IN_FLIGHT, MeasuredPortal, portal
from benchmarks.script import THREADS, run_script

ROWS = 20_000
SCRIPT_ROWS = 6_000


def check_list(running: MeasuredPortal, names: list[str], session: requests.Session) -> float:
    """Return the seconds from the upload to the last row, by the portal's clock."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.csv")
        path.write_text("id,doi\n" + "".join(f"{n},{name}\n" for n, name in enumerate(names)))
        job = uploads.upload(running, path, session)
    done = uploads.wait(running, job, session)
    if done["counts"]["outcome"] != {"resolved": len(names)}:
        raise AssertionError(done["counts"])
    return uploads.seconds(done, since="created_at")


def case(database: str, latency: int, rows: int) -> Iterator[tuple[str, str]]:
    """One list of made-up names after a short one that warms the workers up, and the script at the same proxy."""
    names = [f"10.5555/list-{n}" for n in range(rows)]
    with fast_proxy(latency) as proxy, portal(database, proxy.url) as running:
        session = requests.Session()
        check_list(running, [f"10.5555/warm-{n}" for n in range(500)], session)
        proxy.reset()
        before = {**running.read_processor_time(), "proxy": proxy.read_processor_time()}
        seconds = check_list(running, names, session)
        after = {**running.read_processor_time(), "proxy": proxy.read_processor_time()}
        counts = proxy.read_counts()
        script = run_script(proxy.url, names[:SCRIPT_ROWS])
    used = {role: (after[role] - before.get(role, 0)) / rows * 1e6 for role in after}
    label = f"job, {database}, {latency} ms"
    yield f"{label}: {rows:,} rows", f"{rows / seconds:,.0f} rows/s"
    yield f"{label}: script with {THREADS} threads", f"{script.rate:,.0f} rows/s"
    yield f"{label}: beside the script", f"{rows / seconds / script.rate:.2f} x"
    yield f"{label}: requests a row", f"{counts.requests / rows:.3f}"
    for role in sorted(used, key=used.__getitem__, reverse=True):
        yield f"{label}: processor a row, {role}", f"{used[role]:.0f} µs"
    yield f"{label}: processor a row, script", f"{script.processor:.0f} µs"
    if latency:
        mean = counts.seconds / seconds
        yield f"{label}: requests in flight, of {IN_FLIGHT}", f"{mean:.1f}, most {counts.most_in_flight}"


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both ways of storage, without delay and with 50 ms."""
    for database in ("sqlite", "postgres"):
        for latency in (0, 50):
            yield from case(database, latency, ROWS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"))
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args()
    for label, figure in case(options.database, options.latency, options.rows) if options.database else measure():
        print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
