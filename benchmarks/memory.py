"""How much memory the processes of a portal hold over time."""

import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.portals import MeasuredPortal

_MIB = 1 << 20


@dataclass
class Memory:
    """The peak of each role, and a curve: seconds since the start → role → MiB of its largest process.

    Resident memory as the system counts it: pages that forked processes share count for each. The peak is the one that
    the system keeps of a process since its start, so nothing escapes between two looks.
    """

    portal: MeasuredPortal
    began: float = field(default_factory=time.monotonic)
    peaks: dict[str, float] = field(default_factory=dict)
    curve: list[tuple[float, dict[str, float]]] = field(default_factory=list)

    def sample(self) -> None:
        """Look once."""
        now: dict[str, float] = {}
        for role, process in self.portal.processes():
            with suppress(psutil.NoSuchProcess):
                now[role] = max(now.get(role, 0), process.memory_info().rss / _MIB)
                self.peaks[role] = max(self.peaks.get(role, 0), _most(process.pid))
        self.curve.append((time.monotonic() - self.began, now))

    def at(self, points: int) -> list[tuple[float, dict[str, float]]]:
        """The curve at so many moments, evenly spread, first and last among them."""
        last = len(self.curve) - 1
        return [self.curve[round(point * last / (points - 1))] for point in range(points)] if last > 0 else self.curve


def _most(pid: int) -> float:
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    except OSError:  # it has just ended
        return 0.0
    return int(found[1]) / 1024 if found else 0.0
