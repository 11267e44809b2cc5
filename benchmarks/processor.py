"""Where the workers' processor time goes, for each row of a list: what they do while a list of 20,000 rows is checked.

Sampled from outside by py-spy, 200 times a second, on SQLite. A sample belongs to the innermost of our functions named
below, with all that it calls.
"""

import os
import re
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import requests

from benchmarks.jobs import by_job
from benchmarks.portals import MeasuredPortal, portal
from benchmarks.proxy import sample_proxy

ROWS = 20_000
# A function and its file, as py-spy names them → what it is for.
STEPS = {
    r"(update|insert|_execute) \(resolver/models/bulk_sql": "write rows and answers",
    r"mark \(resolver/services/jobs/duplicates": "find duplicates",
    r"recall \(resolver/services/proxy_answers/cache": "look up what is stored",
    r"keep \(resolver/services/proxy_answers/cache": "keep what was answered",
    r"(inspect|read) \(resolver/(services/inspect|domain/parsing/parse)": "read the text",
    r"(report|judge|fill_row|take_in|learn_the_rest|is_complete|questions) \(resolver/": "judge, and fill the row",
    r"_batches \(resolver/services/jobs/check": "load rows",
    r"(read_rows|_store_chunks|_store|_take) \(resolver/services/jobs/import_rows": "read the file into rows",
    r"\w+ \(resolver/proxy/limits/(budget|\w*_store)": "hold the budget",
    r"\w+ \(resolver/domain/handle/wire": "decode answers",
    r"\w+ \(resolver/proxy/": "ask the proxy",
    r"\w+ \((aiohttp|asyncio|yarl|multidict)/": "ask the proxy",
    r"\w+ \(resolver/services/": "choose work, keep claims, count",
}
OTHER = "Celery, Django and the rest"
_WAITS = re.compile(
    r"(wait \(\S*/threading|_worker \(\S*/futures/thread|select \(\S*/selectors|(_recv|_poll|poll) \(\S*/billiard)\S*$"
)
_PACKAGE = re.compile(r"\(\S*?/((?:resolver|aiohttp|asyncio|yarl|multidict)/)")


def step(stack: str) -> str:
    """What a stack of frames, outermost first and divided by semicolons, is at work on."""
    for frame in reversed(stack.split(";")):
        name = _PACKAGE.sub(r"(\1", frame)
        for pattern, purpose in STEPS.items():
            if re.search(rf"\b{pattern}", name):
                return purpose
    return OTHER


def shares(samples: Iterable[str]) -> dict[str, float]:
    """What part of the samples each step has; lines of py-spy's raw format: a stack, a space, how often.

    It takes a thread that has just begun to wait for one at work.
    """
    seen: Counter[str] = Counter()
    for line in samples:
        stack, _, times = line.rpartition(" ")
        if not _WAITS.search(stack):
            seen[step(stack)] += int(times)
    return {purpose: times / seen.total() for purpose, times in seen.most_common()}


def workers(running: MeasuredPortal) -> list[psutil.Process]:
    """The processes that do the work: the children of Celery's own."""
    celery = [process for role, process in running.processes() if role == "worker"]
    return [process for process in celery if any(process.ppid() == parent.pid for parent in celery)]


def measure() -> Iterator[tuple[str, str]]:
    """Microseconds of the processor a row, in all and for each step."""
    with (
        sample_proxy(int(os.environ.get("BENCH_PORT", "8931")), 0) as url,
        portal("sqlite", url) as running,
        tempfile.TemporaryDirectory() as folder,
    ):
        session = requests.Session()
        by_job(running, [f"10.5555/warm-{n}" for n in range(1000)], session)
        at_work = workers(running)
        before = sum(sum(process.cpu_times()[:2]) for process in at_work)
        by_job(running, [f"10.5555/alone-{n}" for n in range(ROWS)], session)
        used = sum(sum(process.cpu_times()[:2]) for process in at_work) - before
        watched = [_watch(process, Path(folder, f"{process.pid}.txt")) for process in at_work]
        by_job(running, [f"10.5555/watched-{n}" for n in range(ROWS)], session)
        for watcher in watched:
            watcher.send_signal(signal.SIGINT)
            watcher.wait(30)
        samples = [line for file in Path(folder).glob("*.txt") for line in file.read_text().splitlines()]
    each = used / ROWS * 1e6
    yield "worker processes, a row", f"{each:.0f} µs"
    for purpose, share in shares(samples).items():
        yield f"of it: {purpose}", f"{share * each:.0f} µs ({share:.0%})"


def _watch(process: psutil.Process, output: Path) -> "subprocess.Popen[bytes]":
    options = ["--pid", str(process.pid), "--format", "raw", "--rate", "200", "--threads", "--full-filenames"]
    # Far longer than a list takes: it is told to end.
    return subprocess.Popen(
        ["py-spy", "record", *options, "--duration", "600", "--output", str(output)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    for label, figure in measure():
        print(f"{label:<58} {figure:>20}", flush=True)
