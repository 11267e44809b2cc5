"""The processes of a worker, for a broker made of files: the loss of one that waits for work stops no other.

With such a broker all processes read their tasks from one pipe, one at a time under a lock. A process that is killed
while it holds the lock keeps it, and no other would ever read again. With Redis each has a pipe of its own, and Celery
takes another pool."""

import logging
from contextlib import suppress
from typing import Any

from celery.concurrency import prefork

log = logging.getLogger(__name__)


class LockFreeingPool(prefork.BlockingPool):
    """Celery's pool, which frees the lock of a killed process."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._one_was_killed = False
        self._untaken = 0
        super().__init__(*args, **options)

    def _maintain_pool(self) -> None:
        self._one_was_killed = self._one_was_killed or any((each.exitcode or 0) < 0 for each in self._pool)
        super()._maintain_pool()
        if self._one_was_killed:
            self._look_whether_tasks_are_taken()

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

    BlockingPool = LockFreeingPool
