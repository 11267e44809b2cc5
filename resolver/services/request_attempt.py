"""A request that the web server can keep without a thread, and run again from its beginning (doiportal/server).

Nothing may have been requested or stored by then. Who turns a request back: a lookup without a place at the DOI proxy
(proxy_answers/waiting_places.py), and a view that waits for something in the database.
"""

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

SHORTEST_PAUSE, LONGEST_PAUSE = 0.25, 2.0  # seconds


@dataclass
class RequestAttempt:
    """The web server puts one into ATTEMPT for each run, with the time of the request. `turned_back`: this run was in
    vain. `again_in`: seconds until the next; None: when there is a place at the DOI proxy. `kept`: what a
    run has done that the next one must not do again."""

    came_at: float = field(default_factory=time.monotonic)
    turned_back: bool = False
    again_in: float | None = None
    is_batch: bool = False
    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def waited(self) -> float:
        """Seconds since the request came."""
        return time.monotonic() - self.came_at


ATTEMPT: ContextVar[RequestAttempt | None] = ContextVar("attempt", default=None)


def wait_a_moment(began: float, most: float) -> bool:
    """Wait, at first a quarter of a second, later two, and return whether the view shall look again. False: `most`
    seconds are over, or the web server runs the view again, so what it returns now is dropped.

    `began`: when this run of the view began, by the monotonic clock. Without a web server that can run it again, its
    thread sleeps.
    """
    attempt = ATTEMPT.get()
    waited = attempt.waited if attempt else time.monotonic() - began
    if waited >= most:
        return False
    pause = min(max(waited / 5, SHORTEST_PAUSE), LONGEST_PAUSE, most - waited)
    if attempt is None:
        time.sleep(pause)
        return True
    attempt.turned_back, attempt.again_in = True, pause
    return False
