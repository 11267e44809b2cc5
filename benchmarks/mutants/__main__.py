"""`make mutants`: how many small faults in the code do the tests notice? A table by package, and what survived.

A sample by default, the same for the same seed and code: `SEED=2`, `N=20` mutants a package, `ONLY="domain rows"`,
`ALL=1` for every one (a night). Each mutant gets the tests that run its line: first the one that killed it the last
time, then the quickest. Which tests run which line is learned by running them once with coverage. What survives because
it changes nothing that anybody could notice is in `equivalent.tsv`, with the reason.
"""

import argparse
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from benchmarks.mutants import reach
from benchmarks.mutants.packages import PACKAGES
from benchmarks.mutants.session import EQUIVALENT, NOT_RUN, Result, results
from benchmarks.mutants.trial import KILLED, SURVIVED, TIMED_OUT

COLUMNS = (KILLED, TIMED_OUT, SURVIVED, NOT_RUN, EQUIVALENT)


def report(packages: Mapping[str, list[Result]]) -> Iterator[str]:
    """The table, then each mutant that no test has noticed. The score leaves out what nobody could notice."""
    yield f"| package | mutants | {' | '.join(COLUMNS)} | score |"
    yield "|---" * (len(COLUMNS) + 3) + "|"
    for name, tried in packages.items():
        counts = Counter(one.result for one in tried)
        score = (counts[KILLED] + counts[TIMED_OUT]) / max(len(tried) - counts[EQUIVALENT], 1)
        cells = (name, len(tried), *(counts[column] for column in COLUMNS), f"{score:.0%}")
        yield f"| {' | '.join(map(str, cells))} |"
    for one in (one for tried in packages.values() for one in tried if one.result in {SURVIVED, NOT_RUN}):
        yield f"\n{one.result}: {one.place}" + (f", {one.tests} tests" if one.tests else "")
        yield from (f"    {line}" for line in one.difference)


def main() -> None:
    names = [package.name for package in PACKAGES]
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"of {', '.join(names)}")
    options = parser.parse_args()
    if unknown := set(options.only) - set(names):
        parser.error(f"there is no package {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    os.environ.setdefault("TEST_DATABASE", "sqlite")
    wanted = options.only or names
    for module, *arguments in [("reach",), *(("session", name) for name in wanted)]:
        subprocess.run([sys.executable, "-m", f"benchmarks.mutants.{module}", *arguments], cwd=reach.ROOT, check=True)
    text = "\n".join(report({name: results(name) for name in wanted}))
    (reach.FOLDER / "report.txt").write_text(text + "\n", encoding="utf-8")
    print(f"\n{text}\n\nalso in {(reach.FOLDER / 'report.txt').relative_to(reach.ROOT)}")


if __name__ == "__main__":
    main()
