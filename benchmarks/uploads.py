"""A list uploaded over HTTP, as a program of a library would, and watched until it has ended."""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import requests

from benchmarks.portals import MeasuredPortal

PATIENCE = 3600


def upload(portal: MeasuredPortal, path: Path, session: requests.Session, *, quick: bool = False) -> dict[str, Any]:
    """The job as it was accepted."""
    with path.open("rb") as file:
        form, fields = {"file": (path.name, file)}, {"quick": str(quick).lower()}
        answer = session.post(f"{portal.url}/api/v1/jobs", files=form, data=fields, timeout=PATIENCE)
    answer.raise_for_status()
    return dict(answer.json())


def wait(
    portal: MeasuredPortal,
    job: dict[str, Any],
    session: requests.Session,
    watch: Callable[[dict[str, Any]], None] = lambda job: None,
    every: float = 0.5,
) -> dict[str, Any]:
    """The job when it has ended; `watch` sees it in between. AssertionError when a row has no outcome."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        now = dict(session.get(f"{portal.url}/api/v1/jobs/{job['id']}", timeout=60).json())
        watch(now)
        if now["finished_at"]:
            if now["state"] != "finished" or sum(now["counts"]["outcome"].values()) != now["total"]:
                raise AssertionError(now)
            return now
        time.sleep(every)
    raise TimeoutError(now)


def seconds(job: dict[str, Any], since: str = "started_at") -> float:
    """From when a worker began until the last row, by the portal's own clock; that a message is found takes half a
    second with a broker of files, which would make short lists look dear. Since `created_at` it is part of the time."""
    began, ended = (datetime.fromisoformat(job[moment]) for moment in (since, "finished_at"))
    return (ended - began).total_seconds()
