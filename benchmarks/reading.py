"""Microseconds for each reading, by kind of input."""

import time
from collections.abc import Iterator

from resolver.domain.reading import read

KINDS = {
    "clean name": "10.1371/journal.pone.0000030",
    "URL": "https://doi.org/10.1016/j.dib.2024.111034",
    "URL with a raw #": "https://doi.org/10.1000/456#789",
    "SICI with entities": "doi: 10.1175/1520-0469(1963)020&lt;0130:DNF&gt;2.0.CO;2.",
    "zero-width space": "10.1242/\u200bbio.201410934",
    "library proxy": "https://doi-org.ezproxy.library.example/10.1093/aje/kwae183",
    "a sentence without a DOI": "Vol. 10.1, pp. 12-19, Berlin 2004, ISBN 978-3-16-148410-0",
    "10,000 characters": "10.1000/" + "a" * 9_992,
}


def measure() -> Iterator[tuple[str, str]]:
    """One row a kind: its name and the median time of a reading."""
    for kind, text in KINDS.items():
        rounds = []
        repeat = 20 if len(text) > 1000 else 500
        for _ in range(7):
            start = time.perf_counter()
            for _ in range(repeat):
                read(text)
            rounds.append((time.perf_counter() - start) / repeat * 1e6)
        yield f"reading: {kind}", f"{sorted(rounds)[3]:,.1f} µs"
