"""The rate of a budget kept in a file: when the next turn is free, and until when each request counts.

Times are those of the machine's clock since it was started, which nobody can set.
"""

import array
import os

MOMENT = array.array("d").itemsize


class Window:
    """Numbers in an open file, the first for the next turn and one more for each request that the rate allows in a
    second. Whoever takes one must hold the file's lock; to give one back it need not."""

    def __init__(self, file: int, tokens: int, farthest: float) -> None:
        """`farthest`: seconds; a time further ahead was written before the machine was started anew, or is nonsense."""
        self._file = file
        self._tokens = tokens
        self._farthest = farthest

    def take(self, now: float, paused: float, interval: float, kept: float) -> tuple[int, float] | float:
        """The number that now stands for this request and the seconds until its turn; or, when as many as allowed
        count, the seconds until one of them may do so no longer. Unless given back it counts for `kept` seconds."""
        moments = array.array("d")
        wanted = MOMENT * (1 + self._tokens)
        moments.frombytes(os.pread(self._file, wanted, 0)[: wanted // MOMENT * MOMENT].ljust(wanted, b"\0"))
        token = 0
        if self._tokens:
            soonest = min(moments[1:])
            if soonest > now and not self._drop_nonsense(moments, now):
                return soonest - now
            token = moments.index(min(moments[1:]), 1)
        free = moments[0] if 0 < moments[0] - now <= self._farthest else now
        turn = max(free, now + max(paused, 0.0))
        if token:
            self.keep(token, turn + kept)
        if interval:
            self.keep(0, turn + interval)
        return token, turn - now

    def keep(self, token: int, until: float) -> None:
        """The request counts until then."""
        os.pwrite(self._file, array.array("d", [until]).tobytes(), token * MOMENT)

    def _drop_nonsense(self, moments: "array.array[float]", now: float) -> bool:
        """Times that nobody can have written are none; whether there were any."""
        odd = [token for token in range(1, len(moments)) if not moments[token] - now <= self._farthest]
        for token in odd:
            moments[token] = 0.0
        return bool(odd)
