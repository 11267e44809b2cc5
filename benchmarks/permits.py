"""What a permit of the shared budget costs: how many a second 1, 4 and 16 processes get, and its processor time.

Each process takes a permit and gives it back, as fast as it can, for some seconds; nothing is sent. `one at a time` is
a person's lookup, `many at a time` a worker with 32 requests under way.

Then a person beside two such workers, where each request takes 50 ms: how long the person waits, and how much of the
time the permits are in use. `python -m benchmarks.permits`
"""

import multiprocessing
import resource
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from resolver.proxy.limits import Budget, FileBudget, RedisBudget
from resolver.proxy.limits.permit import Permit
from resolver.proxy.limits.permit_queue import PermitQueue

SPAWN = multiprocessing.get_context("spawn")
SECONDS = 3.0
IN_FLIGHT = 32
PROCESSES = (1, 4, 16)
RATES = (0.0, 5000.0)  # requests a second; 0: no limit
BESIDE_SECONDS, REQUEST_SECONDS = 12.0, 0.05
IN_FLIGHT_BESIDE_LISTS = (32, 4)  # requests in flight


def one_at_a_time(budget: Budget, until: float) -> int:
    """Permits that one thread gets."""
    count = 0
    while time.monotonic() < until:
        with budget.permit():
            count += 1
    return count


def many_at_a_time(budget: Budget, until: float) -> int:
    """Permits that the requests of one session get."""
    queue = fill_queue(budget)
    count = 0
    while time.monotonic() < until:
        for request, permit in queue.grant():
            count += 1
            queue.add(request)
            queue.end(permit)
        rest(queue, until)
    queue.close()
    return count


def fill_queue(budget: Budget) -> PermitQueue[int]:
    queue = PermitQueue[int](budget)
    for request in range(IN_FLIGHT):
        queue.add(request)
    return queue


def rest(queue: PermitQueue[int], until: float) -> None:
    """Wait until the queue may have a permit, or until that time (monotonic seconds)."""
    time.sleep(max(0.0, min(queue.look_at, until) - time.monotonic()))


WAYS = {"one at a time": one_at_a_time, "many at a time": many_at_a_time}


def open_budget(place: str, in_flight: int, rate: float) -> Budget:
    if place.startswith("redis:"):
        return RedisBudget(place, in_flight, rate)
    return FileBudget(Path(place), in_flight, rate)


def take_permits(place: str, rate: float, way: str, together: Any, results: Any) -> None:
    """How many this process got, and the processor time that it took."""
    budget = open_budget(place, IN_FLIGHT, rate)
    together.wait(60)
    before = _processor_seconds()
    count = WAYS[way](budget, time.monotonic() + SECONDS)
    results.put((count, _processor_seconds() - before))


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def case(place: str, rate: float, way: str, processes: int) -> tuple[float, float]:
    """Permits a second over all processes, and the processor time of one, in seconds."""
    together, results = SPAWN.Barrier(processes), SPAWN.Queue()
    workers = [SPAWN.Process(target=take_permits, args=(place, rate, way, together, results)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    figures = [results.get(timeout=120) for _ in workers]
    for worker in workers:
        worker.join()
    count = sum(taken for taken, _ in figures)
    return count / SECONDS, sum(used for _, used in figures) / max(count, 1)


def run_list(place: str, in_flight: int, together: Any, results: Any) -> None:
    """The seconds for which permits of this worker were in use."""
    budget = open_budget(place, in_flight, 0)

    queue, used = fill_queue(budget), 0.0
    sent: deque[tuple[int, Permit]] = deque()  # the oldest first
    together.wait(60)
    until = time.monotonic() + BESIDE_SECONDS
    while time.monotonic() < until:
        while sent and time.monotonic() - sent[0][1].sent_at >= REQUEST_SECONDS:
            request, permit = sent.popleft()
            used += min(time.monotonic(), until) - permit.sent_at
            queue.add(request)
            queue.end(permit)
        sent += queue.grant()
        rest(queue, min(until, sent[0][1].sent_at + REQUEST_SECONDS if sent else until))
    results.put(("list", used + sum(until - permit.sent_at for _, permit in sent)))
    for _, permit in sent:
        queue.end(permit)
    queue.close()


def run_person(place: str, in_flight: int, together: Any, results: Any) -> None:
    """The waits for a permit, one request after the other."""
    budget, waits = open_budget(place, in_flight, 0), []
    together.wait(60)
    time.sleep(1)
    until = time.monotonic() + BESIDE_SECONDS - 2
    while time.monotonic() < until:
        began = time.monotonic()
        with budget.permit():
            waits.append(time.monotonic() - began)
            time.sleep(REQUEST_SECONDS)
        time.sleep(2 * REQUEST_SECONDS)
    results.put(("person", waits))


def beside_lists(place: str, in_flight: int) -> tuple[float, float, float]:
    """The usual and the longest wait of the person, in seconds, and the share of time for which lists use permits."""
    together, results = SPAWN.Barrier(3), SPAWN.Queue()
    parts = [
        SPAWN.Process(target=part, args=(place, in_flight, together, results))
        for part in (run_list, run_list, run_person)
    ]
    for part in parts:
        part.start()
    figures = [results.get(timeout=120) for _ in parts]
    for part in parts:
        part.join()
    [waits] = [figure for kind, figure in figures if kind == "person"]
    used = sum(figure for kind, figure in figures if kind == "list")
    return statistics.median(waits), max(waits), used / BESIDE_SECONDS / in_flight


def measure() -> Iterator[tuple[str, str]]:
    """Rows for both stores: with and without a rate, and a person beside lists."""
    from tests import services_plugin

    for store in ("file", "redis"):
        for rate in RATES:
            for way in WAYS:
                for processes in PROCESSES:
                    with tempfile.TemporaryDirectory(prefix="doiportal-bench-") as folder:
                        if store == "redis":
                            with services_plugin.redis(Path(folder)) as url:
                                speed, each = case(url, rate, way, processes)
                        else:
                            speed, each = case(folder, rate, way, processes)
                    limit = f"{rate:,.0f}/s" if rate else "no rate"
                    label = f"permits, {store}, {limit}, {way}, {processes} processes"
                    yield label, f"{speed:,.0f}/s at {each * 1e6:.0f} µs"
        for in_flight in IN_FLIGHT_BESIDE_LISTS:
            with tempfile.TemporaryDirectory(prefix="doiportal-bench-") as folder:
                if store == "redis":
                    with services_plugin.redis(Path(folder)) as url:
                        usual, longest, used = beside_lists(url, in_flight)
                else:
                    usual, longest, used = beside_lists(folder, in_flight)
            label = f"permits, {store}, {in_flight} in flight, a person beside two lists"
            yield f"{label}: wait", f"{usual * 1e3:.0f} ms, at most {longest * 1e3:.0f} ms"
            yield f"{label}: lists use", f"{used:.1%} of the time"


if __name__ == "__main__":
    for label, figure in measure():
        print(f"{label:<66} {figure:>20}", flush=True)
