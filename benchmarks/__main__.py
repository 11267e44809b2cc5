"""`make bench`: every measurement in one table, and in benchmarks/results.md.

`make bench ONLY="jobs million"` measures these parts and leaves the others in the file as they are; ROUNDS says how
often what varies from run to run is measured, ROWS how long the long list is.
"""

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from benchmarks import results

Measure = Callable[[], Iterator[tuple[str, str]]]


@dataclass(frozen=True)
class BenchmarkPart:
    """A module of this package; `again`: its figures vary, so that it is measured several times."""

    module: str
    again: bool = True

    def run(self) -> results.Run:
        """Measure once, and say each figure as soon as it is known."""
        measure: Measure = import_module(f"benchmarks.{self.module}").measure
        figures: results.Run = {}
        for label, figure in measure():
            figures[label] = figure
            print(f"{label:<66} {figure:>24}", flush=True)
        return figures

    @property
    def about(self) -> str:
        """The first paragraph of the module's own words."""
        return (import_module(f"benchmarks.{self.module}").__doc__ or "").partition("\n\n")[0].strip()


PARTS = (
    BenchmarkPart("damage", again=False),
    BenchmarkPart("reading"),
    BenchmarkPart("long_texts", again=False),
    BenchmarkPart("inspecting"),
    BenchmarkPart("proxy"),
    BenchmarkPart("gateway"),
    BenchmarkPart("api"),
    BenchmarkPart("pages", again=False),
    BenchmarkPart("jobs"),
    BenchmarkPart("permits", again=False),
    BenchmarkPart("budget", again=False),
    BenchmarkPart("million", again=False),
    BenchmarkPart("watches", again=False),
    BenchmarkPart("upgrade", again=False),
    BenchmarkPart("soak", again=False),
)


def main() -> None:
    names = [part.module for part in PARTS]
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"of {', '.join(names)}")
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("BENCH_ROUNDS") or 3))
    options = parser.parse_args()
    unknown = set(options.only) - set(names)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    for part in PARTS:
        if not options.only or part.module in options.only:
            where = results.circumstances()
            runs = [part.run() for _ in range(options.rounds if part.again else 1)]
            results.write(part.module, f"{part.about}\n\n{where}\n\n{results.table(runs)}")


if __name__ == "__main__":
    main()
