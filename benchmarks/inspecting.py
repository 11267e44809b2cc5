"""`inspectdois` on 400,000 rows, five in six of them damaged: all in, as a process."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.damaged_list import write_list

ROWS = 400_000

# A process of its own in between: a child's peak counts what its parent held when it was started.
_MEASURED = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True)
seconds, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([seconds, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""


def inspect(rows: int) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of the processor, and MiB for a list of so many rows, program start included."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_list(folder / "list.csv", rows)
        command = [sys.executable, "manage.py", "inspectdois", str(folder / "list.csv"), "--verbosity", "0"]
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED, *command, "--output", str(folder / "results.csv")],
            env=os.environ | {"DOIPORTAL_DATA_DIR": str(folder / "var")},
            capture_output=True,
            check=True,
        )
    seconds, processor, kibibytes = json.loads(done.stdout)
    return seconds, processor, kibibytes / 1024


def measure() -> Iterator[tuple[str, str]]:
    """Time and memory for the whole list, and the memory for a tenth of it: it should be the same.

    Where others use the computer too, the time of the processor says more than the clock.
    """
    *_, small = inspect(ROWS // 10)
    seconds, processor, memory = inspect(ROWS)
    each = 1e6 / ROWS
    yield f"inspectdois, {ROWS:,} rows, five in six damaged", f"{seconds * each:.1f} µs a row"
    yield "inspectdois, processor time", f"{processor * each:.1f} µs a row"
    yield f"inspectdois, peak memory ({ROWS // 10:,} rows)", f"{memory:.0f} ({small:.0f}) MiB"


if __name__ == "__main__":
    for label, figure in measure():
        print(f"{label:<58} {figure:>20}")
