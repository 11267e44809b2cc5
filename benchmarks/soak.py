"""Half an hour on PostgreSQL and Redis with two web processes and four worker processes, while any of them is killed.

Lists of all lengths are uploaded, watched, taken away and deleted, names are looked up and pages read; every minute or
so one part is killed by -9, in an order that is the same each time. Each answer takes the proxy 50 ms.

`BENCH_MINUTES=2 python -m benchmarks.soak` takes less.
"""

import json
import os
import tempfile
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psutil
import redis
import requests

from benchmarks import lists
from benchmarks.memory import Memory
from benchmarks.portals import MeasuredPortal
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import KillablePortal, Visitor

MINUTES = float(os.environ.get("BENCH_MINUTES") or 30)
LENGTHS = (10, 1_000, 300, 8_000, 60, 3_000)
LISTS_AT_ONCE = 3
SETTLES = 60.0  # seconds after a kill in which an error counts as its consequence
PAUSES = (30.0, 75.0)  # seconds between two kills, at least and at most
PATIENCE = 600.0  # seconds for the end of a list, and for an answer
UNDER_WAY = "/problems/idempotency-key-under-way"
MOST_UNDER_WAY = 150.0  # seconds: a killed upload keeps its key for two minutes
ENDED = ("finished", "cancelled", "failed")


@dataclass
class SoakLog:
    """What was seen, by all threads."""

    over: threading.Event = field(default_factory=threading.Event)
    killed_at: float = -SETTLES
    kills: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    unexplained: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    whole: int = 0
    rows: int = 0
    unchecked: int = 0

    def ask(self, visitor: Visitor, method: str, path: str, **options: Any) -> requests.Response | None:
        """The answer, or None for none; an error long after the last kill is noted."""
        try:
            answer = visitor.ask(method, path, **options)
            what = str(answer.status_code)
        except requests.RequestException as error:
            answer, what = None, type(error).__name__
        disturbed = time.monotonic() - self.killed_at < SETTLES
        self.answers[f"{what}{' after a kill' if disturbed else ''}"] += 1
        if (answer is None or answer.status_code >= 500) and not disturbed:
            self.unexplained.append(f"{method} {path}: {what} {answer.text[:200] if answer is not None else ''}")
        return answer

    def ask_until_answered(
        self, visitor: Visitor, method: str, path: str, **options: Any
    ) -> tuple[requests.Response | None, bool]:
        """Ask again while there is no answer or a server error, for PATIENCE at most; and while an upload with the same
        key is under way. Return the last answer, and whether an earlier one may have been lost."""
        began, lost = time.monotonic(), False
        while True:
            answer = self.ask(visitor, method, path, **options)
            spent = time.monotonic() - began
            if answer is None or answer.status_code >= 500:
                lost, again = True, spent < PATIENCE
            else:
                under_way = answer.status_code == 409 and answer.json()["type"] == UNDER_WAY
                again = under_way and spent < MOST_UNDER_WAY
            if not again:
                return answer, lost
            time.sleep(0.5)


def upload_lists(portal: KillablePortal, log: SoakLog, lane: int) -> None:
    """One list after the other, each to its end: then all of its rows must be there."""
    visitor, number = portal.visitor(), 0
    while not log.over.is_set():
        length = LENGTHS[(number + lane) % len(LENGTHS)]
        file = "".join(lists.lines(length, f"soak{lane}-{number}")).encode()
        number += 1
        key = str(uuid.uuid4())  # so that a repeated upload makes no second list
        answer, _ = log.ask_until_answered(
            visitor, "POST", "/api/v1/jobs", files={"file": ("list.csv", file)}, headers={"Idempotency-Key": key}
        )
        if answer is not None and answer.status_code == 202:
            _watch(visitor, log, answer.json()["id"], length)
        else:
            log.faults.append(f"an upload: {_shown(answer)}")


def _watch(visitor: Visitor, log: SoakLog, job: str, length: int) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = log.ask(visitor, "GET", f"/api/v1/jobs/{job}")
        if answer is not None and answer.ok and answer.json()["state"] in ENDED:
            break
        time.sleep(1)
    else:
        log.faults.append(f"list {job} of {length} rows did not end: {_shown(answer)}")
        return
    rows, _ = log.ask_until_answered(visitor, "GET", f"/api/v1/jobs/{job}/results.jsonl")
    if rows is None or not rows.ok:
        log.faults.append(f"the results of list {job}: {_shown(rows)}")
        return
    found = [json.loads(line) for line in rows.text.splitlines()]
    if [row["line"] for row in found] != list(range(1, length + 1)) or answer.json()["state"] != "finished":
        log.faults.append(f"list {job}: {answer.json()['state']}, {len(found)} rows instead of {length}")
    empty = sum(not row["outcome"] for row in found)
    if empty or answer.json()["done"] != length:
        log.faults.append(f"list {job}: {empty} rows without an outcome, done is {answer.json()['done']} of {length}")
    log.unchecked += sum(row["outcome"] in ("unreachable", "proxy-error") for row in found)
    log.whole, log.rows = log.whole + 1, log.rows + length
    gone, lost = log.ask_until_answered(visitor, "DELETE", f"/api/v1/jobs/{job}")
    if gone is None or gone.status_code not in ((204, 404) if lost else (204,)):
        log.faults.append(f"deleting list {job}: {_shown(gone)}")


def _shown(answer: requests.Response | None) -> str:
    return "no answer" if answer is None else f"{answer.status_code} {answer.text[:300]}"


def look_up(portal: KillablePortal, log: SoakLog) -> None:
    """As people and programs do, several a second."""
    visitor, number = portal.visitor(), 0
    while not log.over.is_set():
        number += 1
        log.ask(visitor, "POST", "/api/v1/lookups", json={"input": f"10.5555/soak-lookup-{number}"})
        log.ask(visitor, "GET", ("/", "/jobs", "/history", "/10.5555/soak-gateway")[number % 4], allow_redirects=False)
        time.sleep(0.2)


def kill_one(portal: KillablePortal, log: SoakLog, choice: Random) -> None:
    """Kill one part by -9, and start it again after a moment unless its parent does."""
    assert portal.redis is not None
    assert portal.postgres is not None
    part = choice.choice(("web process", "worker process", "worker", "web", "beat", "Redis", "PostgreSQL"))
    away = choice.uniform(0, 5)
    log.kills[part] += 1
    log.killed_at = time.monotonic()
    if part in ("web process", "worker process"):
        name = part.partition(" ")[0]
        name = choice.choice(portal.workers) if name == "worker" else name
        with suppress(psutil.NoSuchProcess):
            choice.choice(portal.children(name)).kill()
    elif part in ("Redis", "PostgreSQL"):
        server = portal.redis if part == "Redis" else portal.postgres
        server.kill()
        time.sleep(away)
        server.start()
    else:
        name = choice.choice(portal.workers) if part == "worker" else part
        portal.kill(name)
        time.sleep(away)
        portal.start(name)
    log.killed_at = time.monotonic()


def measure() -> Iterator[tuple[str, str]]:
    """Lists, answers, memory, files and keys."""
    log, choice = SoakLog(), Random(16)
    with (
        tempfile.TemporaryDirectory(prefix="soak-") as folder,
        FailingProxyProcess(0.05) as proxy,
        KillablePortal(Path(folder), proxy, database="postgres", workers=2) as portal,
    ):
        memory = Memory(MeasuredPortal(portal.address, portal.environment))
        lanes = [threading.Thread(target=upload_lists, args=(portal, log, lane)) for lane in range(LISTS_AT_ONCE)]
        threads = [*lanes, threading.Thread(target=look_up, args=(portal, log))]
        for thread in threads:
            thread.start()
        next_kill = time.monotonic() + choice.uniform(*PAUSES)
        while time.monotonic() - memory.began < MINUTES * 60:
            if time.monotonic() >= next_kill:
                kill_one(portal, log, choice)
                next_kill = time.monotonic() + choice.uniform(*PAUSES)
            memory.sample()
            time.sleep(5)
        log.over.set()
        for thread in threads:
            thread.join()
        memory.sample()
        yield from _figures(portal, log, memory)


def _figures(portal: KillablePortal, log: SoakLog, memory: Memory) -> Iterator[tuple[str, str]]:
    yield "soak: minutes", f"{MINUTES:g}"
    yield "soak: killed by -9", ", ".join(f"{part} {count}" for part, count in sorted(log.kills.items()))
    yield "soak: lists accepted, each whole at its end", f"{log.whole:,} ({log.rows:,} rows)"
    yield "soak: rows that could not be checked", f"{log.unchecked:,}"
    yield "soak: faults", "; ".join(log.faults) or "none"
    yield "soak: answers", ", ".join(f"{kind} {count:,}" for kind, count in sorted(log.answers.items()))
    yield "soak: errors while nothing had been killed for a minute", "; ".join(log.unexplained) or "none"
    curve = memory.at(6)[1:]
    for role in sorted(curve[-1][1]):
        yield (
            f"soak: {role}, after each fifth of the time",
            f"{', '.join(f'{at.get(role, 0):.0f}' for _, at in curve)} MiB",
        )
    files = sorted(_count_open_files(memory).items())
    yield "soak: open files of the largest process", ", ".join(f"{role} {count}" for role, count in files)
    count = "from resolver.models import Job; print(Job.objects.count())"
    yield "soak: lists left in the database", portal.python(count)
    left = [path for path in Path(portal.environment["DOIPORTAL_DATA_DIR"], "uploads").rglob("*") if path.is_file()]
    yield "soak: files of lists left in the data folder", f"{len(left):,}"
    yield "soak: keys in Redis without an end", _lasting_keys(portal)


def _count_open_files(memory: Memory) -> Counter[str]:
    """Of the process of each role that has most."""
    most: Counter[str] = Counter()
    for role, process in memory.portal.processes():
        with suppress(psutil.Error):
            most[role] = max(most[role], process.num_fds())
    return most


def _lasting_keys(portal: KillablePortal) -> str:
    assert portal.redis is not None
    with redis.Redis.from_url(portal.redis.url) as client:
        names = [key.decode() for key in client.scan_iter(count=1000) if client.ttl(key) == -1]
    return f"{len(names):,}: {', '.join(sorted(names)[:8])}"


if __name__ == "__main__":
    for label, figure in measure():
        print(f"{label:<58} {figure:>20}", flush=True)
