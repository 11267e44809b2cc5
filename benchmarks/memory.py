"""How much memory the processes of a portal hold over time."""

import time
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from benchmarks.portals import Portal

_MIB = 1 << 20


@dataclass
class Memory:
    """The peak of each role, and a curve: seconds since the start → role → MiB of its largest process.

    Resident memory as the system counts it: pages that forked processes share count for each.
    """

    portal: Portal
    began: float = field(default_factory=time.monotonic)
    peaks: dict[str, float] = field(default_factory=dict)
    curve: list[tuple[float, dict[str, float]]] = field(default_factory=list)

    def sample(self) -> None:
        """Look once."""
        now: dict[str, float] = {}
        for role, process in self.portal.processes():
            with suppress(psutil.NoSuchProcess):
                now[role] = max(now.get(role, 0), process.memory_info().rss / _MIB)
        for role, held in now.items():
            self.peaks[role] = max(self.peaks.get(role, 0), held)
        self.curve.append((time.monotonic() - self.began, now))

    def at(self, points: int) -> list[tuple[float, dict[str, float]]]:
        """The curve at so many moments, evenly spread, first and last among them."""
        last = len(self.curve) - 1
        return [self.curve[round(point * last / (points - 1))] for point in range(points)] if last > 0 else self.curve
