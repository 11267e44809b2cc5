"""`make bench`: every measurement in one table."""

import os
import platform

from benchmarks import budget, damage, fuzzing, inspecting, jobs, proxy, reading


def main() -> None:
    print(f"Python {platform.python_version()} on {os.cpu_count()} cores")
    for module in (damage, reading, fuzzing, inspecting, proxy, jobs, budget):
        for label, figure in module.measure():
            print(f"{label:<58} {figure:>20}", flush=True)


if __name__ == "__main__":
    main()
