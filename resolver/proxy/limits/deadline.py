"""How long a person waits for the DOI proxy, and what ends it: Paused, and the time limit over several questions."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from resolver.domain.message import Message

COME_AGAIN = 10.0  # seconds

_here = threading.local()


class Paused(Exception):
    """All pause at the proxy's word, for `seconds` more, which is longer than this asker waits. Nothing was sent."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"all requests to the DOI proxy pause for {seconds:.0f} seconds more")
        self.seconds = seconds

    def until(self, time: str) -> Message:
        """What a person is told, with the time of day at which it ends."""
        return Message(
            "The DOI proxy limits or refuses requests from this portal. Checks are paused until {time} UTC.",
            time=time,
        )


class TooLong(Paused):
    """The time limit is over, and the answers are not there. What came in time is known."""

    def __init__(self) -> None:
        """`seconds` says when to come again."""
        super().__init__(COME_AGAIN)
        self.args = ("the answers of the DOI proxy take too long",)

    def until(self, time: str) -> Message:
        return Message("The DOI proxy takes too long to answer. Checks are paused until {time} UTC.", time=time)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """All that this thread asks inside, with its attempts and its waiting, takes so long at most: a client raises
    TooLong then."""
    _here.until = time.monotonic() + seconds
    try:
        yield
    finally:
        _here.until = math.inf


def time_left() -> float:
    """Seconds until the time limit. Raises TooLong when it is over."""
    left: float = getattr(_here, "until", math.inf) - time.monotonic()
    if left <= 0:
        raise TooLong
    return left
