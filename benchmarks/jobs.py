"""Rows a second of a whole job: upload, worker processes, the sample proxy in its own process, results written.

`python -m benchmarks.jobs` measures SQLite with files as broker, and PostgreSQL with Redis, each beside the script that
a user would write; the options choose one case.
"""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import requests

from benchmarks import uploads
from benchmarks.portals import IN_FLIGHT, MeasuredPortal, portal
from benchmarks.proxy import by_bare_client, by_script, count_requests, measure_latency, sample_proxy

SCRIPT_NAMES = 3000


def by_job(running: MeasuredPortal, names: list[str], session: requests.Session) -> float:
    """Seconds from the upload to the last row."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.csv")
        path.write_text("doi\n" + "".join(f"{name}\n" for name in names))
        job = uploads.upload(running, path, session)
    done = uploads.wait(running, job, session)
    if done["counts"]["outcome"] != {"resolved": len(names)}:
        raise AssertionError(done["counts"])
    return uploads.seconds(done)


def case(database: str, latency: int, rows: int) -> Iterator[tuple[str, str]]:
    """One job of made-up names after a short one that warms the workers up, and the script at the same proxy."""
    with sample_proxy(latency) as (url, seen), portal(database, url) as running:
        session = requests.Session()
        script = SCRIPT_NAMES / by_script(url, [f"10.5555/script-{latency}-{n}" for n in range(SCRIPT_NAMES)])
        answer = measure_latency(url, [f"10.5555/alone-{latency}-{n}" for n in range(100)])
        bare = SCRIPT_NAMES / by_bare_client(url, [f"10.5555/bare-{latency}-{n}" for n in range(SCRIPT_NAMES)])
        by_job(running, [f"10.5555/warm-{n}" for n in range(500)], session)
        before = count_requests(seen)
        job = rows / by_job(running, [f"10.5555/job-{latency}-{n}" for n in range(rows)], session)
        each = (count_requests(seen) - before) / rows
    label = f"job, {database}, {latency} ms"
    yield f"{label}: script with 32 threads", f"{script:,.0f} names/s"
    yield f"{label}: {rows:,} rows", f"{job:,.0f} rows/s"
    yield f"{label}: beside the script", f"{job / script:.2f} x"
    yield f"{label}: requests a row", f"{each:.3f}"
    if latency:
        allowed = IN_FLIGHT / answer
        yield f"{label}: an answer to a request alone", f"{answer * 1000:.1f} ms"
        yield f"{label}: its rows, of what 32 in flight allow", f"{100 * job / allowed:.1f} %"
        yield f"{label}: its requests, of what 32 in flight allow", f"{100 * job * each / allowed:.1f} %"
        yield f"{label}: a client that does nothing else", f"{100 * bare / allowed:.1f} %"


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both ways of storage, without delay and with 50 ms."""
    for database in ("sqlite", "postgres"):
        for latency, rows in ((0, 20_000), (50, 30_000)):
            yield from case(database, latency, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"))
    parser.add_argument("--latency", type=int, default=0)
    parser.add_argument("--rows", type=int, default=20_000)
    options = parser.parse_args()
    for label, figure in case(options.database, options.latency, options.rows) if options.database else measure():
        print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
