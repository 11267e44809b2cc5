"""The shared limit holds over processes and machines, survives kill -9, and costs next to nothing."""

import asyncio
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import resolver.proxy.limits.budget_state
import resolver.proxy.limits.permit_queue
import resolver.proxy.limits.redis_budget
from resolver.proxy.limits import Budget, FileBudget
from resolver.proxy.limits.budget import ABANDONED_SECONDS
from resolver.proxy.limits.permit import Permit
from resolver.proxy.limits.permit_queue import PermitQueue
from resolver.proxy.limits.proxy_health import ALARM_AFTER_REFUSALS, ProxySignal, ProxySignalKind, Reaction
from tests.proxy.conftest import Make
from tests.proxy.limits.line import Line
from tests.proxy.limits.stores import PROCESSES, BudgetPlace
from tests.waiting import wait_in_loop_until

FORK = multiprocessing.get_context("fork")


def work(place: BudgetPlace, limits: tuple[int, float | None], turns: int, log: str, way: str) -> None:
    """Take turns, and note when each began and ended."""
    budget = place.budget(*limits)
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(sign: str) -> None:
        os.write(file, f"{time.monotonic():.6f} {sign}\n".encode())

    async def one(line: Line) -> None:
        async with line.permit():
            note("+")
            await asyncio.sleep(0.01)
            note("-")

    async def all_at_once() -> None:
        line = Line(budget)
        await asyncio.gather(*(one(line) for _ in range(turns)))

    if way == "async":
        asyncio.run(all_at_once())
        return
    for _ in range(turns):
        with budget.permit():
            note("+")
            time.sleep(0.01)
            note("-")


def run(place: BudgetPlace, limits: tuple[int, float | None], turns: int, log: Path) -> list[tuple[float, str]]:
    ways = ["sync", "async", "sync", "async"]
    workers = [PROCESSES.Process(target=work, args=(place, limits, turns, str(log), way)) for way in ways]
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
    rate = 40
    begun = sorted(at for at, sign in run(place, (8, rate), 15, tmp_path / "log") if sign == "+")
    assert len(begun) == 60
    assert all(later - earlier >= 1 for earlier, later in zip(begun, begun[rate:], strict=False))


def hold(place: BudgetPlace, lease: float, ready: "multiprocessing.synchronize.Event") -> None:
    with place.budget(1, None, lease).permit():
        ready.set()
        time.sleep(60)


def test_the_slot_of_a_killed_process_is_free_again(place: BudgetPlace, make: Make) -> None:
    ready = PROCESSES.Event()
    worker = PROCESSES.Process(target=hold, args=(place, 1.0, ready))
    worker.start()
    assert ready.wait(20)
    assert not make(1, None, 1.0).take().permit
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    began = time.monotonic()
    with make(1, None, 1.0).permit():
        assert time.monotonic() - began < 30


def try_to_take(budget: Budget, answer: "multiprocessing.Queue[bool]") -> None:
    answer.put(bool(budget.take().permit))


def test_a_forked_child_does_not_share_its_parent_s_slot(make: Make) -> None:
    """Celery's workers are forks of one process."""
    budget = make(1)
    answer = FORK.Queue()
    with budget.permit():
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
    with other.permit():
        assert 0.35 <= time.monotonic() - began < 30


def test_a_pause_that_comes_while_a_turn_is_awaited_holds_too(make: Make) -> None:
    budget = make(4, 1.0)
    began = time.monotonic()
    with budget.permit():
        pass

    async def wait() -> float:
        asyncio.get_running_loop().call_later(0.05, budget.pause, 1.2)
        async with Line(budget).permit():
            return time.monotonic() - began

    assert 1.2 <= asyncio.run(wait()) < 30


def test_a_pause_is_never_longer_than_a_minute(make: Make) -> None:
    budget = make(1)
    budget.pause(100_000)
    turn = budget.take()
    assert turn.permit
    assert 50 < turn.wait <= 60


def test_a_slot_comes_back_when_the_request_fails(make: Make) -> None:
    budget = make(1)
    for _ in range(3):
        with pytest.raises(KeyError), budget.permit():
            raise KeyError
    with budget.permit():
        assert not make(1).take().permit


class LongLine:
    """Many requests of a list; how many are over."""

    def __init__(self, budget: Budget) -> None:
        self.line, self.ended = Line(budget), 0
        self.begun = asyncio.Event()  # one is over, the others wait

    async def run(self, requests: int) -> None:
        await asyncio.gather(*(self._ask() for _ in range(requests)))

    async def _ask(self) -> None:
        async with self.line.permit():
            await asyncio.sleep(0.005)
        self.ended += 1
        self.begun.set()


async def test_a_long_line_leaves_others_their_chance_and_nothing_taken(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolver.proxy.limits.permit_queue, "PASSED_ON_SECONDS", 0.02)
    line, other = LongLine(make(1)), make(1)
    running = asyncio.create_task(line.run(300))
    await line.begun.wait()
    async with Line(other).permit():
        assert line.ended < 250
    await running
    with other.permit():
        pass


async def test_a_person_gets_a_permit_long_before_the_requests_of_a_list_have_had_theirs(make: Make) -> None:
    line, other = LongLine(make(1)), make(1)

    def ask() -> int:
        before = line.ended
        with other.permit():
            return line.ended - before

    running = asyncio.create_task(line.run(600))
    await line.begun.wait()
    meanwhile = [await asyncio.to_thread(ask) for _ in range(2)]
    assert not running.done()
    assert max(meanwhile) < 250
    await running


@pytest.mark.parametrize("awaited", [False, True])
async def test_programs_that_never_pause_leave_a_list_and_a_batch_their_share(
    make: Make, place_kept: float, awaited: bool
) -> None:
    """Four threads take the only permit again as soon as they have given it back."""
    line, together = Line(make(1), awaited=awaited), make(1)
    over, taken = threading.Event(), []

    def ask_without_end() -> None:
        while not over.is_set():
            with together.permit():
                time.sleep(0.002)
            taken.append(1)

    programs = [asyncio.create_task(asyncio.to_thread(ask_without_end)) for _ in range(4)]
    await asyncio.sleep(0.1)
    before = len(taken)
    try:
        for _ in range(20):
            async with line.permit():
                await asyncio.sleep(0.002)
        theirs = len(taken) - before
    finally:
        over.set()
        await asyncio.gather(*programs)
    assert theirs <= 20 * 12, "four of five turns are theirs, or some more when a look comes late"


async def test_a_request_without_an_answer_keeps_no_list_from_waiting_like_others(
    make: Make, monkeypatch: pytest.MonkeyPatch, place_kept: float
) -> None:
    monkeypatch.setattr(resolver.proxy.limits.permit_queue, "UNSERVED_QUEUE_SECONDS", 0.1)
    line, other = Line(make(2)), make(2)
    async with line.permit():
        held = other.take().permit
        waiting = asyncio.create_task(line.permit().__aenter__())
        await wait_in_loop_until("the list has a place", lambda: other.take().others == 1)
        other.give_back(held)
        assert not other.take("newcomer").permit
        await asyncio.wait_for(waiting, 30)


async def test_a_list_with_slow_answers_leaves_one_permit_to_whoever_comes(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolver.proxy.limits.permit_queue, "SLOW_REQUEST_SECONDS", 0.05)
    line, other = Line(make(3)), make(3)

    async def ask(seconds: float) -> None:
        async with line.permit():
            await asyncio.sleep(seconds)

    await ask(0.1)
    asked = [asyncio.create_task(ask(60)) for _ in range(5)]
    try:
        await wait_in_loop_until("all but one are held", lambda: line.queue.held == 2)
        person = other.take("person").permit
        assert person
        other.give_back(person)
        await asyncio.sleep(0.3)
        assert other.take("person").permit, "the list has not taken it meanwhile"
    finally:
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def test_a_queue_knows_how_many_permits_it_has(make: Make) -> None:
    line = Line(make(2))

    async def ask(seconds: float) -> None:
        async with line.permit():
            await asyncio.sleep(seconds)
            raise KeyError

    asked = [asyncio.create_task(ask(seconds)) for seconds in (0.05, 0.05, 0.05, 5, 5, 5)]
    await wait_in_loop_until("it has two permits", lambda: line.queue.held == 2)
    assert line.queue.waiting == 4
    await asyncio.wait(asked[:3])
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert (line.queue.held, line.queue.waiting) == (0, 0)


def take_all(queue: PermitQueue[str], *requests: str) -> list[tuple[str, Permit]]:
    """Let these wait, and return whom the queue grants something at once."""
    for request in requests:
        queue.add(request)
    return list(queue.grant())


def test_a_queue_grants_permits_in_the_order_in_which_it_was_asked(make: Make) -> None:
    queue: PermitQueue[str] = PermitQueue(make(2))
    granted = take_all(queue, "first", "second", "third", "fourth")
    assert [request for request, _ in granted] == ["first", "second"]
    for _, permit in granted:
        queue.end(permit)
    assert [request for request, _ in queue.grant()] == ["third", "fourth"]


def test_a_permit_goes_from_one_request_to_the_next_without_the_store(make: Make) -> None:
    queue, other = PermitQueue[str](make(1)), make(1)
    [(_, permit)] = take_all(queue, "first", "second")
    queue.end(permit)
    assert not other.take().permit, "it is not given back in between"
    [(request, passed)] = queue.grant()
    assert (request, passed.name) == ("second", permit.name)


def test_a_permit_that_nobody_wants_any_more_on_its_way_is_given_back(make: Make) -> None:
    queue, other = PermitQueue[str](make(1)), make(1)
    [(_, permit)] = take_all(queue, "first", "second")
    queue.end(permit)
    queue.withdraw("second")
    assert list(queue.grant()) == []
    assert queue.held == 0
    assert other.take().permit


def test_a_queue_with_a_rate_passes_no_permit_on(make: Make) -> None:
    queue = PermitQueue[str](make(1, 1.0))
    [(_, permit)] = take_all(queue, "first", "second")
    queue.end(permit)
    began = time.monotonic()
    while not (granted := list(queue.grant())):
        time.sleep(max(0.0, queue.look_at - time.monotonic()))
        assert time.monotonic() - began < 30
    assert granted[0][0] == "second"
    assert time.monotonic() - began >= 0.95


@pytest.mark.parametrize("kind", [ProxySignalKind.SILENT, None])
def test_the_permit_of_a_request_that_the_proxy_may_still_work_on_is_not_passed_on(
    make: Make, kind: ProxySignalKind | None
) -> None:
    queue, other = PermitQueue[str](make(1)), make(1)
    [(_, permit)] = take_all(queue, "first", "second")
    permit.signal = ProxySignal(kind) if kind else None
    permit.cut_short = kind is None
    queue.end(permit)
    began = time.monotonic()
    assert (queue.held, list(queue.grant())) == (0, [])
    assert not other.take().permit
    while not list(queue.grant()):
        time.sleep(0.02)
        assert time.monotonic() - began < 60
    assert time.monotonic() - began > ABANDONED_SECONDS * 0.9


def test_a_request_that_is_withdrawn_gives_the_permit_back_whose_turn_it_awaits(make: Make) -> None:
    queue, other = PermitQueue[str](make(2)), make(2)
    other.pause(60)
    assert take_all(queue, "first", "second", "third") == []
    assert (queue.held, queue.waiting) == (2, 1)
    queue.withdraw("first")
    assert queue.held == 1
    assert other.take().permit
    queue.withdraw("third")
    assert (queue.held, queue.waiting) == (1, 0)


def test_a_request_that_was_withdrawn_is_never_granted_anything(make: Make) -> None:
    queue = PermitQueue[str](make(1))
    [(_, permit)] = take_all(queue, "first", "second", "third")
    queue.withdraw("second")
    queue.end(permit)
    assert [request for request, _ in queue.grant()] == ["third"]


def test_a_queue_that_is_closed_gives_back_what_it_holds_and_awaits(make: Make) -> None:
    queue, other = PermitQueue[str](make(2)), make(2)
    [(_, permit), _] = take_all(queue, "sent", "sent too", "next")
    queue.end(permit)  # on its way to the next
    queue.close()
    assert (queue.held, queue.waiting) == (1, 0)
    assert other.take().permit
    assert not other.take().permit

    paused, other = PermitQueue[str](make(3)), make(3)
    other.pause(60)
    assert take_all(paused, "first", "second") == []
    paused.close()
    assert (paused.held, paused.look_at) == (0, math.inf)


def test_an_answer_that_says_something_new_is_stored_when_its_permit_ends(make: Make) -> None:
    queue, other = PermitQueue[str](make(4)), make(4)
    [(_, permit)] = take_all(queue, "first")
    permit.signal = ProxySignal(ProxySignalKind.LIMITED, 30.0)
    queue.end(permit)
    assert 20 < other.get_pause() <= 30
    assert queue.held == 0


class LostStore(FileBudget):
    """A budget whose store goes away."""

    def record(self, signal: ProxySignal, spread: float) -> Reaction:
        raise ConnectionError


def test_a_permit_is_given_back_though_its_answer_cannot_be_stored(tmp_path: Path) -> None:
    budget = LostStore(tmp_path, 1, None)
    queue = PermitQueue[str](budget)
    [(_, permit)] = take_all(queue, "first")
    permit.signal = ProxySignal(ProxySignalKind.LIMITED, 0.0)
    with pytest.raises(ConnectionError):
        queue.end(permit)
    assert queue.held == 0
    assert budget.take().permit
    budget.close()


@pytest.fixture
def place_kept(monkeypatch: pytest.MonkeyPatch) -> float:
    """The place of who waits is kept for so many seconds: longer than in production, where a test may look late."""
    for module in (resolver.proxy.limits.budget_state, resolver.proxy.limits.redis_budget):
        monkeypatch.setattr(module, "PLACE_KEPT_SECONDS", 2.0)
    return 2.0


def test_who_waits_longer_comes_first_and_loses_the_place_without_a_look(make: Make, place_kept: float) -> None:
    budget, others = make(1), make(1)
    held = budget.take().permit
    assert not others.take("first").permit
    assert not others.take("second").permit
    budget.give_back(held)
    assert not budget.take().permit
    assert not others.take("second").permit
    booking = others.take("first")
    assert booking.permit
    assert booking.others == 1
    time.sleep(place_kept + 0.05)
    others.give_back(booking.permit)
    assert budget.take().permit


async def test_a_slot_is_not_handed_on_during_a_pause(make: Make) -> None:
    budget = make(1)
    line = Line(budget)
    begun = []

    async def one() -> None:
        async with line.permit():
            begun.append(time.monotonic())
            await asyncio.to_thread(budget.pause, 0.3)

    await asyncio.gather(one(), one())
    assert begun[1] - begun[0] >= 0.3


def test_a_queue_never_waits_and_says_when_to_look_again(make: Make) -> None:
    queue, other = PermitQueue[str](make(1)), make(1)
    with other.permit():
        began = time.monotonic()
        queue.add("first")
        for _ in range(20):
            assert list(queue.grant()) == []
            assert queue.look_at <= time.monotonic() + 1
        assert time.monotonic() - began < 10
    other.pause(60)
    began = time.monotonic()
    while not queue.held:
        assert list(queue.grant()) == []
        assert time.monotonic() - began < 20
    assert list(queue.grant()) == []
    assert 30 < queue.look_at - time.monotonic() <= 60


@pytest.mark.parametrize("damage", [b"x", b"\xff" * 8, b"", b"1\n2\n3\n", b"-\n00000000\n\n"])
def test_a_damaged_file_is_no_obstacle(tmp_path: Path, damage: bytes) -> None:
    budget = FileBudget(tmp_path, 2, 100.0)
    with budget.permit():
        (tmp_path / "state").write_bytes(damage)
    began = time.monotonic()
    with budget.permit():
        assert time.monotonic() - began < 20
    budget.close()


def test_half_of_a_state_that_a_kill_left_behind_is_dropped(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, 1, None)
    assert budget.take().permit
    stored = (tmp_path / "state").read_bytes()
    (tmp_path / "state").write_bytes(stored.replace(b'":', b'0":', 1))
    assert budget.take().permit
    budget.close()


def test_of_what_was_stored_before_the_machine_was_started_anew_only_the_health_counts(tmp_path: Path) -> None:
    budget = FileBudget(tmp_path, 1, 1.0)
    for _ in range(ALARM_AFTER_REFUSALS):
        budget.record_signal(ProxySignal(ProxySignalKind.REFUSED))
    assert budget.take().permit
    assert not budget.take().permit
    _, _, rest = (tmp_path / "state").read_bytes().partition(b"\n")
    (tmp_path / "state").write_bytes(b"an-earlier-start\n" + rest)
    assert budget.get_barred_since() is not None
    assert budget.take().permit
    budget.close()


def test_the_permit_of_a_killed_process_comes_back_before_its_lease_ends(tmp_path: Path) -> None:
    ready = PROCESSES.Event()
    place = BudgetPlace("file", str(tmp_path))
    worker = PROCESSES.Process(target=hold, args=(place, 60.0, ready))
    worker.start()
    assert ready.wait(20)
    worker.kill()
    worker.join()
    began = time.monotonic()
    budget = place.budget(1)
    assert not budget.take().permit, "the proxy may still be at work for it"
    with budget.permit():
        assert ABANDONED_SECONDS / 2 < time.monotonic() - began < 40


FULL = """
import resource, sys
from pathlib import Path
from resolver.proxy.limits import FileBudget
budget = FileBudget(Path(sys.argv[1]), 200, None)
held = [budget.take() for _ in range(20)]
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
try:
    held += [budget.take() for _ in range(180)]
except OSError as error:
    print(error.strerror)
for booking in held:
    budget.give_back(booking.permit)
print(sum(bool(budget.take().permit) for _ in range(10)))  # of 20: the moments of others may have more digits
"""


def test_where_the_disk_is_full_the_state_stays_whole(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL, tmp_path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("File too large\n10\n", "")
