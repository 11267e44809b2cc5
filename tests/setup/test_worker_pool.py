"""The pool of a worker whose broker is made of files: real processes, as many as are needed."""

import time
from collections.abc import Iterator

import pytest

from doiportal.broker import worker_pool
from doiportal.broker.worker_pool import FewProcessesPool
from tests.waiting import wait_until


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[FewProcessesPool]:
    monkeypatch.setattr(worker_pool, "IDLE_SECONDS", 2.0)
    pool = FewProcessesPool(processes=2, putlocks=True)
    yield pool
    pool.terminate()
    pool.join()


def count(pool: FewProcessesPool) -> int:
    return sum(process.is_alive() for process in pool._pool)


def test_short_tasks_one_after_another_need_one_process(pool: FewProcessesPool):
    for _ in range(20):
        assert pool.apply_async(abs, (-1,)).get(30) == 1
    time.sleep(2.0)  # the pool looks almost each second
    assert count(pool) == 1


def test_tasks_that_wait_for_each_other_get_another_process_and_it_ends_when_there_is_no_more_to_do(
    pool: FewProcessesPool,
):
    begun = time.monotonic()
    tasks = [pool.apply_async(time.sleep, (3,)) for _ in range(2)]
    for task in tasks:
        task.get(30)
    assert time.monotonic() - begun < 5.9, "they ran one after the other"
    assert count(pool) == 2
    wait_until("one process is left", lambda: count(pool), lambda number: number == 1)
    assert pool.apply_async(abs, (-1,)).get(30) == 1
    time.sleep(2.0)
    assert count(pool) == 1, "the one that has ended was replaced"


def test_there_are_never_more_than_the_most(pool: FewProcessesPool):
    tasks = [pool.apply_async(time.sleep, (1.5,)) for _ in range(5)]
    assert count(pool) == 2
    for task in tasks:
        task.get(30)
    assert count(pool) == 2
