"""`make mutants`: how many small faults in the code do the tests notice? A table by package, and what survived.

A sample by default, the same for the same seed and code: `SEED=2`, `N=20` mutants a package, `ONLY="domain rows"`,
`ALL=1` for every one (a night). Each mutant gets the tests that run its line: first the one that killed it the last
time, then the quickest. Which tests run which line is learned by running them once with coverage. What survives because
it changes nothing that anybody could notice is in `equivalent.tsv`, with the reason.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from benchmarks.mutants import reach
from benchmarks.mutants.changes import ROOT, Mutant
from benchmarks.mutants.packages import PACKAGES, Package
from benchmarks.mutants.trial import KILLED, SURVIVED, TIMED_OUT, Forks, Verdict

SEED = 13
AT_MOST = 10.0  # seconds of tests for one mutant, as long as they took with coverage
PATIENCE = 60.0  # seconds after which it has timed out
EQUIVALENT, NOT_RUN = "equivalent", "not run"
Known = set[tuple[str, str, str]]


def known() -> Known:
    """Mutants that do what the code does, by path, function and difference; the file has a reason for each."""
    with (Path(__file__).parent / "equivalent.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["path"], row["function"], row["difference"]) for row in rows}


class Trials:
    """A pytest plugin that runs mutants in place of tests."""

    def __init__(self, package: Package, sample: list[Mutant], count: int, learned: reach.Reach) -> None:
        self.package, self.sample, self.count, self.learned = package, sample, count, learned
        self.results: list[tuple[Mutant, Verdict]] = []
        self._kept = reach.FOLDER / f"killers-{package.name}.json"
        self.killers: dict[str, str] = json.loads(self._kept.read_text()) if self._kept.exists() else {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        forks = Forks(session.items)
        _begin(session)
        for mutant, verdict in islice(self._verdicts(forks), self.count):
            self.results.append((mutant, verdict))
            self.killers[_name(mutant)] = verdict.test
            told = verdict.result + (f" by {verdict.test}" if verdict.result == KILLED else f", {verdict.tests} tests")
            self._kept.write_text(json.dumps(self.killers))
            print(f"{self.package.name} {len(self.results)}/{self.count} {_place(mutant)}: {told}", flush=True)
        return True

    def _verdicts(self, forks: Forks) -> Iterator[tuple[Mutant, Verdict]]:
        equivalent = known()
        for mutant in self.sample:
            if self.learned.at_import(mutant.path, mutant.lines) or not (changes := forks.changed(mutant)):
                continue  # nothing to see: another mutant takes its place
            killer = self.killers.get(_name(mutant))
            tests = list(_within(self.learned.tests_of(mutant.path, mutant.lines)))
            tests.sort(key=lambda test: test[0] != killer)
            if not tests:
                yield mutant, Verdict(NOT_RUN)
            elif (mutant.path, mutant.function, mutant.words) in equivalent:
                yield mutant, Verdict(EQUIVALENT)
            else:
                yield mutant, forks.try_one(changes, tests, PATIENCE)


def _begin(session: pytest.Session) -> None:
    """What lasts for the whole run (the database, the folder for temporary files) is made once, before any fork."""
    from _pytest.runner import runtestprotocol

    with_database = [item for item in session.items if "django_db_setup" in getattr(item, "fixturenames", ())]
    first = min(with_database or session.items, key=lambda item: len(getattr(item, "fixturenames", ())))
    other = next((item for item in session.items if item.path != first.path), session.items[-1])
    for report in runtestprotocol(first, log=False, nextitem=other):
        if report.failed:
            raise RuntimeError(f"{first.nodeid} fails as the code is: {report.longreprtext}")


def _within(tests: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    spent = 0.0
    for test in tests:
        spent += test[1]
        if spent > AT_MOST:
            return
        yield test


def _name(mutant: Mutant) -> str:
    return f"{mutant.path} {mutant.function} {mutant.words}"


def _place(mutant: Mutant) -> str:
    return f"{mutant.path}:{mutant.lines[0]} {mutant.function}"


def put_to_the_proof(package: Package, seed: int, count: int | None, learned: reach.Reach) -> Trials:
    sample = list(package.shuffled(seed))
    trials = Trials(package, sample, count or len(sample), learned)
    first = sample[: trials.count * 2]
    wanted = {test for mutant in first for test, _ in _within(learned.tests_of(mutant.path, mutant.lines))}
    files = sorted({test.partition("::")[0] for test in wanted})
    status = pytest.main([*reach.OPTIONS, "-s", *files], plugins=[trials])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"pytest ended with {status!r}")
    return trials


def report(all_trials: list[Trials]) -> Iterator[str]:
    """The table, then each mutant that no test has noticed."""
    yield "| package | mutants | killed | timed out | survived | not run by any test | equivalent | score |"
    yield "|---|---|---|---|---|---|---|---|"
    for trials in all_trials:
        counts = Counter(verdict.result for _, verdict in trials.results)
        noticed = counts[KILLED] + counts[TIMED_OUT]
        of = max(len(trials.results) - counts[EQUIVALENT], 1)
        numbers = (counts[kind] for kind in (KILLED, TIMED_OUT, SURVIVED, NOT_RUN, EQUIVALENT))
        cells = (trials.package.name, len(trials.results), *numbers, f"{noticed / of:.0%}")
        yield f"| {' | '.join(map(str, cells))} |"
    for trials in all_trials:
        for mutant, verdict in trials.results:
            if verdict.result in {SURVIVED, NOT_RUN}:
                yield f"\n{verdict.result}: {_place(mutant)}" + (f", {verdict.tests} tests" if verdict.tests else "")
                yield from (f"    {line}" for line in mutant.difference)


def main() -> None:
    names = [package.name for package in PACKAGES]
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"of {', '.join(names)}")
    options = parser.parse_args()
    if unknown := set(options.only) - set(names):
        parser.error(f"there is no package {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    os.environ.setdefault("TEST_DATABASE", "sqlite")
    seed = int(os.environ.get("SEED") or SEED)
    count = None if os.environ.get("ALL") else int(os.environ.get("N") or 0)
    # A process of its own: what coverage has begun to trace here would slow down every mutant.
    subprocess.run([sys.executable, "-m", "benchmarks.mutants.reach"], cwd=ROOT, check=True)
    learned = reach.Reach()
    reach.same_examples()
    wanted = [package for package in PACKAGES if not options.only or package.name in options.only]
    done = [
        put_to_the_proof(package, seed, None if count is None else count or package.sample, learned)
        for package in wanted
    ]
    text = "\n".join(report(done))
    (reach.FOLDER / "report.txt").write_text(text + "\n", encoding="utf-8")
    print(f"\n{text}\n\nseed {seed}; also in {(reach.FOLDER / 'report.txt').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
