"""What is left of a caller's DOIs in the last minute."""

from collections.abc import Mapping
from dataclasses import dataclass

WINDOW = 60  # seconds


@dataclass(frozen=True, slots=True)
class Allowance:
    """`most`: DOIs in a minute; `left`: of these; `full_in`: seconds until all are there again; `wait`: seconds until
    the number that was asked for fits, 0 if it did."""

    most: int
    left: int
    full_in: int
    wait: int = 0


def compute_allowance(counts: Mapping[int, int], now: int, number: int, most: int, *, fits: bool) -> Allowance:
    """Return what is left. `counts`: the DOIs of each second of the last minute, with the `number` if it `fits`."""
    used = sum(counts.values())
    full_in = max(counts, default=now) + WINDOW - now if used else 0
    wait = 0
    if not fits:
        free = most - used
        for second in sorted(counts):
            free += counts[second]
            if free >= number:
                wait = max(second + WINDOW - now, 1)
                break
    return Allowance(most, max(most - used, 0), full_in, wait)
