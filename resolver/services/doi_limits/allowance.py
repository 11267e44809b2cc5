"""What is left to a caller of what was counted in the last minute, or in another window of time."""

from collections.abc import Mapping
from dataclasses import dataclass

WINDOW = 60  # seconds


@dataclass(frozen=True, slots=True)
class Allowance:
    """`most`: what the window holds, DOIs in a minute; `left`: of these; `full_in`: seconds until all are there again;
    `wait`: seconds until the number that was asked for fits, 0 if it did."""

    most: int
    left: int
    full_in: int
    wait: int = 0


def compute_allowance(
    counts: Mapping[int, int], now: int, number: int, most: int, *, fits: bool, window: int = WINDOW
) -> Allowance:
    """Return what is left. `counts`: what was counted in each second of the window, with the `number` if it `fits`."""
    used = sum(counts.values())
    full_in = max(counts, default=now) + window - now if used else 0
    wait = 0
    if not fits:
        free = most - used
        for second in sorted(counts):
            free += counts[second]
            if free >= number:
                wait = max(second + window - now, 1)
                break
    return Allowance(most, max(most - used, 0), full_in, wait)
