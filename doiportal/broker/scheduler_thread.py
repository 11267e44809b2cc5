"""Celery's scheduler in a thread of a worker: `celery worker --with-scheduler`. Celery's own `--beat` takes a process,
and nobody would notice its death."""

import logging
from threading import Thread
from typing import Any

from celery import Celery, bootsteps
from celery.beat import Service
from celery.worker import WorkController, state
from click import Option

log = logging.getLogger(__name__)
OPTION = Option(
    ["--with-scheduler"], is_flag=True, help="Send the scheduled tasks too. Exactly one worker, or `beat`, must do it."
)


class SchedulerThread(Thread):
    """The scheduler. If it fails, its worker ends with exit code 1."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="scheduler", daemon=True)
        # A second is the longest that the end of the worker waits for it.
        self.service = Service(app, max_interval=1, scheduler_cls=app.conf.beat_scheduler, remote_control=False)

    def run(self) -> None:
        """Send each task that is due, until `stop`."""
        try:
            self.service.start()
        except Exception:  # whatever it is: nobody else would notice that nothing is scheduled any more
            log.critical("The scheduler has failed, so its worker ends.", exc_info=True)
            state.should_stop = 1

    def stop(self) -> None:
        """End it."""
        self.service.stop(wait=self.is_alive())


class SchedulerStep(bootsteps.StartStopStep):
    """Starts the thread with the worker, if the option is given."""

    requires = ("celery.worker.components:Pool",)  # whose processes are forked before

    def __init__(self, worker: WorkController, with_scheduler: bool = False, **options: Any) -> None:
        super().__init__(worker, **options)
        self.enabled = with_scheduler

    def create(self, worker: WorkController) -> SchedulerThread:
        """Return the thread."""
        return SchedulerThread(worker.app)
