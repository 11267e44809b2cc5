"""The shared limit holds over processes and machines, survives kill -9, and costs next to nothing."""

import asyncio
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from resolver.proxy.limits import Budget, FileBudget
from resolver.proxy.limits.budget import WaitQueue
from tests.proxy.conftest import Make
from tests.proxy.limits.stores import BudgetPlace

SPAWN = multiprocessing.get_context("spawn")
FORK = multiprocessing.get_context("fork")


def work(place: BudgetPlace, limits: tuple[int, float | None], turns: int, log: str, way: str) -> None:
    """Take turns, and note when each began and ended."""
    budget = place.budget(*limits)
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(sign: str) -> None:
        os.write(file, f"{time.monotonic():.6f} {sign}\n".encode())

    async def one(line: WaitQueue) -> None:
        async with budget.async_slot(line):
            note("+")
            await asyncio.sleep(0.01)
            note("-")

    async def all_at_once() -> None:
        line = WaitQueue()
        await asyncio.gather(*(one(line) for _ in range(turns)))

    if way == "async":
        asyncio.run(all_at_once())
        return
    for _ in range(turns):
        with budget.slot():
            note("+")
            time.sleep(0.01)
            note("-")


def run(place: BudgetPlace, limits: tuple[int, float | None], turns: int, log: Path) -> list[tuple[float, str]]:
    ways = ["sync", "async", "sync", "async"]
    workers = [SPAWN.Process(target=work, args=(place, limits, turns, str(log), way)) for way in ways]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    lines = [line.split() for line in log.read_text().splitlines()]
    return [(float(at), sign) for at, sign in lines]


def test_no_more_are_in_flight_than_the_limit_over_all_processes(place: BudgetPlace, tmp_path: Path) -> None:
    events = run(place, (3, None), 25, tmp_path / "log")
    assert len(events) == 4 * 25 * 2
    flying = most = 0
    for _, sign in events:
        flying += 1 if sign == "+" else -1
        most = max(most, flying)
    assert most == 3


def test_no_more_begin_in_a_second_than_the_rate_over_all_processes(place: BudgetPlace, tmp_path: Path) -> None:
    rate = 40.0
    begun = [at for at, sign in run(place, (8, rate), 15, tmp_path / "log") if sign == "+"]
    took = begun[-1] - begun[0]
    assert len(begun) == 60
    assert took >= 59 / rate - 0.05
    assert took < 59 / rate * 1.4
    for index, start in enumerate(begun):
        assert sum(1 for at in begun[index:] if at < start + 0.5) <= 0.5 * rate + 3


def hold(place: BudgetPlace, lease: float, ready: "multiprocessing.synchronize.Event") -> None:
    with place.budget(1, None, lease).slot():
        ready.set()
        time.sleep(60)


def test_the_slot_of_a_killed_process_is_free_again(place: BudgetPlace, make: Make) -> None:
    ready = SPAWN.Event()
    worker = SPAWN.Process(target=hold, args=(place, 1.0, ready))
    worker.start()
    assert ready.wait(20)
    assert make(1, None, 1.0).take() is None
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    began = time.monotonic()
    with make(1, None, 1.0).slot():
        assert time.monotonic() - began < 2


def try_to_take(budget: Budget, answer: "multiprocessing.Queue[bool]") -> None:
    answer.put(budget.take() is not None)


def test_a_forked_child_does_not_share_its_parent_s_slot(make: Make) -> None:
    """Celery's workers are forks of one process."""
    budget = make(1)
    answer = FORK.Queue()
    with budget.slot():
        child = FORK.Process(target=try_to_take, args=(budget, answer))
        child.start()
        assert answer.get(timeout=10) is False
        child.join()
    child = FORK.Process(target=try_to_take, args=(budget, answer))
    child.start()
    assert answer.get(timeout=10) is True
    child.join()


def test_a_pause_holds_for_everyone_and_the_longer_one_counts(make: Make) -> None:
    one, other = make(4), make(4)
    began = time.monotonic()
    one.pause(0.4)
    one.pause(0.1)
    with other.slot():
        assert 0.35 <= time.monotonic() - began < 0.8


def test_a_pause_that_comes_while_a_turn_is_awaited_holds_too(make: Make) -> None:
    budget = make(4, 5.0)
    began = time.monotonic()
    with budget.slot():
        pass

    async def wait() -> float:
        asyncio.get_running_loop().call_later(0.05, budget.pause, 0.5)
        async with budget.async_slot(WaitQueue()):
            return time.monotonic() - began

    assert 0.5 <= asyncio.run(wait()) < 1.2


def test_a_pause_is_never_longer_than_a_minute(make: Make) -> None:
    budget = make(1)
    budget.pause(100_000)
    turn = budget.take()
    assert turn is not None
    assert 50 < turn[1] <= 60


def test_a_slot_comes_back_when_the_request_fails(make: Make) -> None:
    budget = make(1)
    for _ in range(3):
        with pytest.raises(KeyError), budget.slot():
            raise KeyError
    with budget.slot():
        assert make(1).take() is None


@pytest.mark.parametrize("rate", [None, 0, -1.0])
def test_without_a_rate_the_budget_is_not_what_takes_time(make: Make, rate: float | None) -> None:
    """A bound far below what is measured, so that a busy machine does not fail it: `make bench` measures."""
    budget = make(32, rate)

    async def worker(line: WaitQueue) -> None:
        for _ in range(20):
            async with budget.async_slot(line):
                pass

    async def workers() -> None:
        line = WaitQueue()
        await asyncio.gather(*(worker(line) for _ in range(32)))

    began = time.monotonic()
    asyncio.run(workers())
    per_second = 640 / (time.monotonic() - began)
    print(f"{type(budget).__name__}: {per_second:,.0f} slots a second")
    assert per_second > 300


async def test_a_long_line_leaves_others_their_chance_and_nothing_taken(make: Make) -> None:
    budget, other, line, ended = make(1), make(1), WaitQueue(), 0

    async def one() -> None:
        nonlocal ended
        async with budget.async_slot(line):
            await asyncio.sleep(0.005)
        ended += 1

    waiting = asyncio.gather(*(one() for _ in range(300)))
    await asyncio.sleep(0.05)
    async with other.async_slot(WaitQueue()):
        assert 0 < ended < 250
    await waiting
    with other.slot():
        pass


async def test_a_slot_is_not_handed_on_during_a_pause(make: Make) -> None:
    budget, line = make(1), WaitQueue()
    begun = []

    async def one() -> None:
        async with budget.async_slot(line):
            begun.append(time.monotonic())
            await asyncio.to_thread(budget.pause, 0.3)

    await asyncio.gather(one(), one())
    assert begun[1] - begun[0] >= 0.3


async def test_waiting_for_a_slot_does_not_block_the_event_loop(make: Make) -> None:
    budget, other = make(1), make(1)
    ticks = 0
    async with other.async_slot(WaitQueue()):
        waiting = asyncio.create_task(budget.async_slot(WaitQueue()).__aenter__())
        for _ in range(20):
            await asyncio.sleep(0.005)
            ticks += 1
        assert not waiting.done()
    await asyncio.wait_for(waiting, 2)
    assert ticks == 20


def test_nonsense_in_the_files_is_no_obstacle(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, 2, 100.0)
    with budget.slot():
        assert len(list(tmp_path.rglob("slot-*")))
    for content in (b"x", b"\xff" * 8, b"\x7f" * 8, b""):
        for name in ("rate", "pause", "mood", "slot-0"):
            for file in tmp_path.rglob(name):
                file.write_bytes(content)
        began = time.monotonic()
        with budget.slot():
            assert time.monotonic() - began < 1
    budget.close()


def test_times_from_before_the_machine_was_started_anew_mean_nothing(tmp_path: Path) -> None:
    with FileBudget(tmp_path, 1, 1.0).slot():
        pass
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    folder.rename(tmp_path / "earlier-boot")
    budget = FileBudget(tmp_path, 1, 1.0)
    assert budget.take() is not None
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == [folder]
    budget.close()
