"""A lease: work that is claimed for a short time, and renewed by a small thread for as long as its worker lives.

A worker that is killed cannot say so; its claim runs out, and the sweep gives the work to another.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import DatabaseError, InterfaceError, connection

Clock = Callable[[], datetime]

LEASE = timedelta(seconds=20)
RENEW_EVERY = 5.0

log = logging.getLogger(__name__)


@contextmanager
def kept(renew: Callable[[], None], *, every: float = RENEW_EVERY) -> Iterator[None]:
    """Call `renew` from a thread of its own every few seconds until the block ends."""
    stop = threading.Event()
    thread = threading.Thread(target=_renew_until, args=(stop, renew, every), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _renew_until(stop: threading.Event, renew: Callable[[], None], every: float) -> None:
    try:
        while not stop.wait(every):
            try:
                renew()
            except (DatabaseError, InterfaceError):
                # The database may be away for a moment; the next round tries again, and a lease that ran out is
                # noticed when results are written.
                log.warning("a lease could not be renewed", exc_info=True)
                connection.close()
    finally:
        connection.close()
