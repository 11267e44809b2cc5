"""The processes of a worker, for a broker made of files: no more than are needed, and the loss of one stops no other.

With such a broker all processes read their tasks from one pipe, one at a time under a lock. A process that is killed
while it holds the lock keeps it, and no other would ever read again. With Redis each has a pipe of its own, and Celery
takes another pool."""

import logging
from contextlib import suppress
from time import monotonic
from typing import Any

from celery.concurrency import prefork

IDLE_SECONDS = 60.0  # in which one process was enough

log = logging.getLogger(__name__)


class FewProcessesPool(prefork.BlockingPool):
    """Celery's pool, with one process while that is enough. It frees the lock of a killed process."""

    def __init__(self, processes: int, **options: Any) -> None:
        """`processes`: the most of them."""
        self._most = processes
        self._waiting = 0
        self._last_needed = monotonic()
        self._one_was_killed = False
        self._untaken = 0
        super().__init__(1, **options)

    def apply_async(self, *args: Any, **options: Any) -> Any:
        """Run a task. Wait until a process is free for it."""
        self._waiting += 1
        try:
            return super().apply_async(*args, **options)
        finally:
            self._waiting -= 1

    def _maintain_pool(self) -> None:
        self._choose_number()
        self._one_was_killed = self._one_was_killed or any((each.exitcode or 0) < 0 for each in self._pool)
        super()._maintain_pool()
        if self._one_was_killed:
            self._look_whether_tasks_are_taken()

    def _choose_number(self) -> None:
        """Have a process more for a task that waits, and one less after a while in which it had nothing to do."""
        if len(self._cache) > 1 or self._waiting:
            self._last_needed = monotonic()
        if self._waiting and self._processes < self._most:
            self.grow()
        elif self._processes > 1 and monotonic() - self._last_needed > IDLE_SECONDS:
            # As at the end of the worker. A signal could hit a process that has just taken a task.
            self._last_needed = monotonic()
            self._processes -= 1
            self._putlock.shrink()
            self._taskqueue.put(([None], None))

    def _look_whether_tasks_are_taken(self) -> None:
        self._untaken = self._untaken + 1 if self._inqueue._reader.poll(0) else 0
        # The looks are almost a second apart, and a waiting process takes a task at once.
        if self._untaken > 4:
            self._one_was_killed, self._untaken = False, 0
            with suppress(ValueError):  # it is free: all processes are busy
                self._inqueue._rlock.release()
                log.warning("A killed process held the lock of the tasks: it is free again")


class TaskPool(prefork.TaskPool):
    """Celery's, with that pool where it takes a blocking one."""

    BlockingPool = FewProcessesPool
