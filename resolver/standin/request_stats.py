"""The counts of requests to the sample proxy: at a time, and in any second, wherever it begins."""

import time
from collections import Counter, deque
from collections.abc import Callable


class RequestStats:
    """The counts of requests since the last `forget`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._recent: deque[float] = deque()
        self.in_flight = 0
        self.forget()

    def forget(self) -> None:
        """Start counting again. Requests in flight stay counted."""
        self._recent.clear()
        self.total = self.most_in_a_second = 0
        self.most_in_flight = self.in_flight
        self.statuses: Counter[int] = Counter()

    def count_request(self) -> None:
        """Count a request that has arrived."""
        now = self._clock()
        self.total += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        self._recent.append(now)
        self.most_in_a_second = max(self.most_in_a_second, self._count_last_second(now))

    def count_reply(self, status: int) -> None:
        """Count its answer, which is about to be sent; 0 if the connection is cut instead."""
        self.in_flight -= 1
        self.statuses[status] += 1

    @property
    def last_second(self) -> int:
        """The number of requests within the last second."""
        return self._count_last_second(self._clock())

    def _count_last_second(self, now: float) -> int:
        while self._recent and self._recent[0] <= now - 1.0:
            self._recent.popleft()
        return len(self._recent)

    def line(self) -> str:
        """Return the counts as one line for people."""
        statuses = ", ".join(f"{count} x {status or 'cut'}" for status, count in sorted(self.statuses.items()))
        return (
            f"{self.total} requests; in flight {self.in_flight}, most {self.most_in_flight}; in the last second "
            f"{self.last_second}, most in any second {self.most_in_a_second}; {statuses or 'no answer yet'}"
        )
