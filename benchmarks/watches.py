"""Watches: the requests of a run over 100,000 names, and what a run takes from a list that a person waits for."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import requests

from benchmarks import uploads
from benchmarks.portals import MeasuredPortal, portal
from benchmarks.proxy import count_requests, sample_proxy

NAMES = 100_000  # in the watched list whose requests are counted
RATE = 400  # requests a second, for the lists that compete
WAITED_FOR, WATCHED = 3_000, 12_000  # rows, each with a request for its record
PATIENCE = 1800


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both databases."""
    for database in ("sqlite", "postgres"):
        yield from _count_requests(database)
        yield from _compete(database)


def _count_requests(database: str) -> Iterator[tuple[str, str]]:
    with sample_proxy(2) as (url, lines), portal(database, url, DOIPORTAL_OPEN="1") as running:
        person = requests.Session()
        _upload(running, person, NAMES, "counted", quick=True)
        watch = _watch(running, person, "existence")
        before = count_requests(lines)
        began = time.monotonic()
        _run_now(running, person, watch)
        _wait_for_run(running, person, watch)
        seconds = time.monotonic() - began
        asked = count_requests(lines) - before
    yield f"watch, {database}: requests of a run over {NAMES:,} names, existence", f"{asked:,}"
    yield f"watch, {database}: its time without a limit", f"{seconds:.0f} s"


def _compete(database: str) -> Iterator[tuple[str, str]]:
    """A list that a person waits for, alone and beside a full run of somebody else's watch."""
    with sample_proxy(20) as (url, _), portal(database, url, rate=RATE, DOIPORTAL_OPEN="1") as running:
        owner, person = requests.Session(), requests.Session()
        _upload(running, owner, WATCHED, "watched", quick=True)
        watch = _watch(running, owner, "full")
        alone = uploads.seconds(_upload(running, person, WAITED_FOR, "alone"))
        _run_now(running, owner, watch)
        while _run_state(running, owner, watch) in (None, "starting"):
            time.sleep(0.2)
        beside = uploads.seconds(_upload(running, person, WAITED_FOR, "beside"))
        if _run_state(running, owner, watch) != "checking":
            raise AssertionError("the run ended before the list")
    yield f"watch, {database}: {WAITED_FOR:,} rows at {RATE} requests/s, alone", f"{alone:.1f} s"
    yield f"watch, {database}: the same number beside the run of a watch", f"{beside:.1f} s"
    yield f"watch, {database}: times as long", f"{beside / alone:.2f}"


def _upload(
    running: MeasuredPortal, session: requests.Session, rows: int, series: str, *, quick: bool = False
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{series}.csv")
        path.write_text("doi\n" + "".join(f"10.5555/{series}-{n}\n" for n in range(rows)))
        job = uploads.upload(running, path, session, quick=quick)
    return uploads.wait(running, job, session)


def _watch(running: MeasuredPortal, session: requests.Session, depth: str) -> dict[str, Any]:
    (job,) = session.get(f"{running.url}/api/v1/jobs", timeout=60).json()["results"]
    made = session.post(
        f"{running.url}/api/v1/watches", json={"job": job["id"], "every": "day", "depth": depth}, timeout=60
    )
    made.raise_for_status()
    return dict(made.json())


def _run_now(running: MeasuredPortal, session: requests.Session, watch: dict[str, Any]) -> None:
    session.post(f"{running.url}/api/v1/watches/{watch['id']}/run", timeout=60).raise_for_status()


def _run_state(running: MeasuredPortal, session: requests.Session, watch: dict[str, Any]) -> str | None:
    run = session.get(f"{running.url}/api/v1/watches/{watch['id']}", timeout=60).json()["last_run"]
    return str(run["state"]) if run else None


def _wait_for_run(running: MeasuredPortal, session: requests.Session, watch: dict[str, Any]) -> None:
    """Wait until the list of the run has ended; the watch itself looks for that once a minute."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        run = session.get(f"{running.url}/api/v1/watches/{watch['id']}", timeout=60).json()["last_run"]
        if run and run["job"]:
            job = session.get(f"{running.url}/api/v1/jobs/{run['job']}", timeout=60).json()
            if job["finished_at"]:
                if job["counts"]["outcome"] != {"registered": NAMES}:
                    raise AssertionError(job["counts"])
                return
        time.sleep(0.2)
    raise TimeoutError(watch)
