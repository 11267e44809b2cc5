"""One run of a request. The web server can keep a request without a thread, and run it again from its beginning.

By then the request must not have requested or stored anything. Two kinds of requests are turned back: a lookup without
a place at the DOI proxy (proxy_answers/waiting_places.py), and a view that waits for a change in the database.
"""

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass
class RequestRun:
    """The web server sets ATTEMPT to one of these for each run. `came_at`: when the request came. `turned_back`: the
    answer of this run is dropped, and another run follows. `again_in`: seconds until then; None: when there is a place
    at the DOI proxy. `kept`: the results of steps that the next run must not repeat."""

    came_at: float = field(default_factory=time.monotonic)
    turned_back: bool = False
    again_in: float | None = None
    is_batch: bool = False
    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def waited(self) -> float:
        """Seconds since the request came."""
        return time.monotonic() - self.came_at


ATTEMPT: ContextVar[RequestRun | None] = ContextVar("attempt", default=None)


def measure_wait() -> float:
    """Return the seconds since the request came; 0 outside of the web server."""
    attempt = ATTEMPT.get()
    return attempt.waited if attempt else 0.0


def wait_or_turn_back(began: float, most: float) -> bool:
    """Wait a moment, and return whether the view should look again. The wait is a quarter of a second at first, and two
    seconds later.

    False: `most` seconds are over, or the web server runs the view again and drops the answer of this run. A web server
    that can't do so lets its thread sleep here. `began`: when this run of the view began, by the monotonic clock.
    """
    attempt = ATTEMPT.get()
    waited = attempt.waited if attempt else time.monotonic() - began
    if waited >= most:
        return False
    pause = min(max(waited / 5, 0.25), 2.0, most - waited)
    if attempt is None:
        time.sleep(pause)
        return True
    attempt.turned_back, attempt.again_in = True, pause
    return False
