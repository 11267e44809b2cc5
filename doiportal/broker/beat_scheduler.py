"""Celery's scheduler, but for what it logs while the broker takes no message, as on a full disk: two lines in all.
Celery's own writes a traceback and its stack for each message, five times a minute."""

import logging
from typing import Any

from celery.beat import Scheduler, SchedulingError

log = logging.getLogger(__name__)


class QuietScheduler(Scheduler):
    """Keeps no file: nothing to be damaged when it is killed."""

    _failing = False

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Send the message of a task that is due. What isn't sent now is due again at its next time."""
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            if not self._failing:
                log.warning("No scheduled task is started, since the broker doesn't take it: %s", error)
            self._failing = True
        else:
            if self._failing:
                log.warning("Scheduled tasks are started again.")
            self._failing = False
