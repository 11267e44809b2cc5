"""Ten minutes of lists of all lengths, one after the other, with names looked up meanwhile: does memory grow?

`BENCH_MINUTES=2 python -m benchmarks.soak` takes less.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import requests

from benchmarks import lists, uploads
from benchmarks.memory import Memory
from benchmarks.portals import portal
from benchmarks.proxy import sample_proxy

MINUTES = float(os.environ.get("BENCH_MINUTES") or 10)
LENGTHS = (10, 1_000, 20_000, 300)


def measure() -> Iterator[tuple[str, str]]:
    """Rows and lists that came through whole, and the memory of each kind of process early and late."""
    session, rows, number = requests.Session(), 0, 0
    with sample_proxy(0) as (url, _), portal("sqlite", url) as running:
        memory = Memory(running)
        with tempfile.TemporaryDirectory() as folder:
            while time.monotonic() - memory.began < MINUTES * 60:
                length = LENGTHS[number % len(LENGTHS)]
                path = Path(folder, "list.csv")
                lists.write(path, length, f"soak{number}")
                done = uploads.wait(running, uploads.upload(running, path, session), session, every=0.2)
                looked_up = {"input": f"10.5555/soak-{number}"}
                session.post(f"{running.url}/api/v1/lookups", json=looked_up, timeout=60).raise_for_status()
                session.delete(f"{running.url}/api/v1/jobs/{done['id']}", timeout=60).raise_for_status()
                number, rows = number + 1, rows + length
                memory.sample()
    yield "soak: lists, each with an outcome for every row", f"{number:,}"
    yield "soak: rows", f"{rows:,}"
    settled = min(2 * len(LENGTHS), len(memory.curve) - 1)
    early, late = memory.curve[settled][1], memory.curve[-1][1]
    for role in sorted(late):
        yield f"soak: {role}, after {settled} lists / at the end", f"{early[role]:.0f} / {late[role]:.0f} MiB"


if __name__ == "__main__":
    for label, figure in measure():
        print(f"{label:<58} {figure:>20}", flush=True)
