"""How long a person waits for the DOI proxy: until a pause that is too long (Paused), or a time limit
(TimeLimitReached)."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from doi_reading import Message

# How the time limit is shared among attempts. An attempt includes the wait before it, and is long enough that with two
# permits a last attempt is left: the permit of the first one stays taken for five seconds (budget.ABANDONED_SECONDS).
ATTEMPT_SECONDS = 3.3
SHORTEST_ATTEMPT_SECONDS = 1.0
AFTER_LAST_ATTEMPT_SECONDS = 0.7

_here = threading.local()


class Paused(Exception):
    """All processes pause for `seconds` more, which is longer than the caller waits. Nothing was sent."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"all requests to the DOI proxy pause for {seconds:.0f} seconds more")
        self.seconds = seconds

    def describe(self, time: str) -> Message:
        """Return the sentence for people, with the time of day when the pause ends."""
        return Message(
            "The DOI proxy limits or refuses requests from this portal. Checks are paused until {time} UTC.", time=time
        )


class TimeLimitReached(Paused):
    """The time limit has passed. The answers that came in time are known."""

    def __init__(self) -> None:
        super().__init__(seconds=10.0)  # a guess: the proxy says nothing
        self.args = ("the answers of the DOI proxy take too long",)

    def describe(self, time: str) -> Message:
        return Message("The DOI proxy takes too long to answer. It may be faster after {time} UTC.", time=time)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Limit the time of all requests of this thread within the block, with their attempts and waits; the limit of a
    block around this one stays. When it is over, a client raises TimeLimitReached."""
    outer = getattr(_here, "until", math.inf)
    _here.until, _here.answered = min(outer, time.monotonic() + seconds), False
    try:
        yield
    finally:
        _here.until = outer


def record_answer() -> None:
    """Record that an answer came within this time limit: the server is slow, but can be reached."""
    _here.answered = True


def share_time_left(attempts: int) -> float:
    """Return the seconds that the next attempt may take, if `attempts` more may follow it.

    Each of those keeps ATTEMPT_SECONDS. So a proxy that never answers fails all attempts and counts as out of reach,
    not as slow. After an answer, or if the time is too short to be shared, the attempt may take all that is left.
    Raises TimeLimitReached.
    """
    left = compute_time_left()
    if getattr(_here, "answered", False):
        return left
    share = left - attempts * ATTEMPT_SECONDS - AFTER_LAST_ATTEMPT_SECONDS
    return share if share >= SHORTEST_ATTEMPT_SECONDS else left


def compute_time_left() -> float:
    """Return the seconds until the time limit. Raises TimeLimitReached when it is over."""
    left: float = getattr(_here, "until", math.inf) - time.monotonic()
    if left <= 0:
        raise TimeLimitReached
    return left
