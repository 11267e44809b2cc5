"""A list at full size: its time, its requests, the memory of every process while it runs, and how soon results show.

`python -m benchmarks.million --rows 100000 --database postgres` measures a smaller one.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from benchmarks import lists, uploads
from benchmarks.memory import Memory
from benchmarks.portals import MeasuredPortal, portal
from benchmarks.proxy import count_requests, sample_proxy

ROWS = int(os.environ.get("BENCH_ROWS") or 1_000_000)
SMALL = 10_000
POINTS = 6  # of the memory's curve
FILES = ("results.csv", "results.csv?group=needs-work", "results.csv?corrected=1", "results.jsonl", "results.xlsx")
_LOOK = 2.0  # seconds between two looks at the memory


def check(
    running: MeasuredPortal,
    rows: int,
    series: str,
    session: requests.Session,
    memory: Memory | None = None,
    *,
    quick: bool = False,
) -> tuple[dict[str, Any], float]:
    """One list from the file to its end: the job, and the seconds until a page showed its first result."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.csv")
        lists.write(path, rows, series)
        began = time.monotonic()
        job = uploads.upload(running, path, session, quick=quick)
    first = _first_result(running, job, session) - began

    def watch(_: dict[str, Any]) -> None:
        if memory and time.monotonic() - memory.began - (memory.curve[-1][0] if memory.curve else -_LOOK) > _LOOK:
            memory.sample()

    return uploads.wait(running, job, session, watch), first


def _looked_at(running: MeasuredPortal, job: dict[str, Any], session: requests.Session) -> Iterator[tuple[str, str]]:
    """What pages of the list take, the median of three, and how fast its results leave."""
    place, rows = f"{running.url}/jobs/{job['id']}", job["total"]
    for label, address in (
        ("counts", place),
        ("first rows", f"{place}/rows"),
        ("rows in the middle", f"{place}/rows?after={rows // 2}"),
        ("last rows", f"{place}/rows?before={rows + 1}"),
        ("rows of a rare outcome, in the middle", f"{place}/rows?outcome=not-found&after={rows // 2}"),
        ("rows of an outcome that no row has", f"{place}/rows?outcome=proxy-error"),
        ("rows of a problem that no row has", f"{place}/rows?problem=dot-segment"),
        ("rows that need attention", f"{place}/rows?group=needs-work"),
        ("repeated names, in the middle", f"{place}/rows?duplicates=1&after={rows // 2}"),
        ("search and outcome", f"{place}/rows?q=large-{rows // 2 + 50}&outcome=invalid"),
        ("search for a name", f"{place}/rows?q=large-{rows // 2 + 50}"),
        ("search for what is not there", f"{place}/rows?q=nowhere-to-be-found"),
        ("the same, sorted by outcome", f"{place}/rows?q=nowhere-to-be-found&sort=outcome"),
        ("rows sorted by agency, in the middle", f"{place}/rows?sort=agency&after={rows // 2}"),
        ("rows of a correction that no row has, near the first", f"{place}/rows?correction=review&after=100"),
    ):
        times = []
        for _ in range(3):
            began = time.perf_counter()
            session.get(address, timeout=60).raise_for_status()
            times.append(time.perf_counter() - began)
        yield label, f"{sorted(times)[1] * 1000:.0f} ms"
    for file in FILES:
        began, size = time.perf_counter(), 0
        with session.get(f"{place}/{file}", stream=True, timeout=600) as answer:
            for block in answer.iter_content(1 << 16):
                size += len(block)
        yield f"download {file}", f"{rows / (time.perf_counter() - began):,.0f} rows/s ({size / 2**20:,.0f} MiB)"


def _each(job: dict[str, Any], asked: int) -> str:
    names = job["total"] - job["duplicates"]
    return f"{asked / names:.4f} ({asked:,} for {names:,} names)"


def _first_result(running: MeasuredPortal, job: dict[str, Any], session: requests.Session) -> float:
    """When a page of the results first showed an outcome."""
    page = f"{running.url}/jobs/{job['id']}/rows"
    while True:
        answer = session.get(page, timeout=60)
        answer.raise_for_status()
        if any(word in answer.text.partition("<tbody")[2] for word in ("resolved", "registered")):
            return time.monotonic()
        time.sleep(0.05)


def case(database: str, rows: int) -> Iterator[tuple[str, str]]:
    """A small list, then the long one, at a proxy without delay."""
    with sample_proxy(0) as (url, seen), portal(database, url) as running:
        session = requests.Session()
        check(running, 1000, "warm", session)
        before = count_requests(seen)
        quick, _ = check(running, SMALL, "quick", session, quick=True)
        after_quick = count_requests(seen)
        small, first_of_small = check(running, SMALL, "small", session)
        before_large = count_requests(seen)
        memory = Memory(running)
        large, first = check(running, rows, "large", session, memory)
        after = count_requests(seen)
        pages = list(_looked_at(running, large, session))
        memory.sample()
    each_small, each = uploads.seconds(small) / SMALL * 1e6, uploads.seconds(large) / rows * 1e6
    label = f"{rows:,} rows, {database}"
    yield f"{label}: time", f"{uploads.seconds(large):,.0f} s"
    yield f"{label}: a row", f"{each:.0f} µs"
    yield f"{SMALL:,} rows, {database}: a row", f"{each_small:.0f} µs"
    yield f"{label}: a row, beside that of {SMALL:,}", f"{each / each_small - 1:+.1%}"
    yield f"{label}: requests for each distinct name", _each(large, after - before_large)
    yield f"{SMALL:,} rows, {database}, quick: requests for each distinct name", _each(quick, after_quick - before)
    yield f"{label}: first result on the page after", f"{first:.1f} s"
    yield f"{SMALL:,} rows, {database}: first result on the page after", f"{first_of_small:.1f} s"
    for what, figure in pages:
        yield f"{label}: {what}", figure
    for role, peak in sorted(memory.peaks.items()):
        yield f"{label}: peak memory, {role}", f"{peak:.0f} MiB"
    for seconds, held in memory.at(POINTS):
        yield f"{label}: memory after {seconds:,.0f} s", ", ".join(f"{r} {m:.0f}" for r, m in sorted(held.items()))


def measure() -> Iterator[tuple[str, str]]:
    """On both ways of storage."""
    for database in ("sqlite", "postgres"):
        yield from case(database, ROWS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args()
    for label, figure in case(options.database, options.rows):
        print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
