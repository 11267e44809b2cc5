"""One package in one run of pytest: `python -m benchmarks.mutants.session NAME` writes a line for each mutant.

A process of its own, as Django and what coverage has begun to trace cannot be taken back.
"""

import csv
import gc
import json
import logging
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from benchmarks.mutants import reach
from benchmarks.mutants.changes import Mutant
from benchmarks.mutants.constants import find_lines
from benchmarks.mutants.packages import PACKAGES, Package
from benchmarks.mutants.trial import KILLED, Forks, MutantVerdict

SEED = 13
AT_MOST = 20.0  # seconds of tests for one mutant, as long as they took with coverage
PATIENCE = 3  # times as long it has, and a minute; then it has timed out
EQUIVALENT, NOT_RUN = "equivalent", "not run"


@dataclass(frozen=True)
class Result:
    """What became of a mutant; `test` is the one that killed it, `tests` how many ran."""

    place: str
    difference: list[str]
    result: str
    test: str
    tests: int

    @property
    def name(self) -> str:
        return " ".join([self.place, *self.difference])


def of(mutant: Mutant, verdict: MutantVerdict) -> Result:
    place = f"{mutant.path}:{mutant.lines[0]} {mutant.function}"
    return Result(place, mutant.difference, verdict.result, verdict.test, verdict.tests)


def results(name: str) -> list[Result]:
    """Those of the last run of the package."""
    file = _file(name)
    return [Result(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def _file(name: str) -> Path:
    return reach.FOLDER / f"{name}.jsonl"


def known() -> set[tuple[str, str, str]]:
    """Mutants that do what the code does, by path, function and difference; the file has a reason for each."""
    with (Path(__file__).parent / "equivalent.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["path"], row["function"], row["difference"]) for row in rows}


class Trials:
    """A pytest plugin that runs mutants in place of tests."""

    def __init__(self, package: Package, sample: list[Mutant], count: int, learned: reach.Reach) -> None:
        self.package, self.sample, self.count, self.learned = package, sample, count, learned
        self.killers = {result.name: result.test for result in results(package.name)}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        forks = Forks(session.items)
        _begin(session)
        gc.freeze()  # the pages of what is here already stay shared with the forks
        with _file(self.package.name).open("w") as file:
            for number, result in enumerate(islice(self._results(forks), self.count), 1):
                print(json.dumps(asdict(result)), file=file, flush=True)
                by = f" by {result.test}" if result.result == KILLED else ""
                print(f"{self.package.name} {number}/{self.count} {result.place}: {result.result}{by}", flush=True)
        return True

    def _results(self, forks: Forks) -> Iterator[Result]:
        equivalent = known()
        for mutant in self.sample:
            places = places_of(mutant)
            if self.learned.at_import(places) or not (changes := forks.changed(mutant)):
                continue  # nothing to see: another mutant takes its place
            killer = self.killers.get(of(mutant, MutantVerdict("")).name)
            tests = list(_within(self.learned.tests_of(places)))
            tests.sort(key=lambda test: test[0] != killer)
            if not tests:
                yield of(mutant, MutantVerdict(NOT_RUN))
            elif mutant.is_wording or (mutant.path, mutant.function, mutant.words) in equivalent:
                yield of(mutant, MutantVerdict(EQUIVALENT))
            else:
                yield of(mutant, forks.try_one(changes, tests, PATIENCE * _seconds() + 60))


def places_of(mutant: Mutant) -> list[tuple[str, int]]:
    """The lines whose tests may notice the mutant, each with the path of its file; none for a constant that is read at
    import alone."""
    if mutant.constant:
        return find_lines((mutant.path, mutant.function))
    return [(mutant.path, line) for line in range(mutant.lines[0], mutant.lines[1] + 1)]


def _begin(session: pytest.Session) -> None:
    """What lasts for the whole run (the database, the folder for temporary files) is made once, before any fork."""
    with_database = [item for item in session.items if "django_db_setup" in getattr(item, "fixturenames", ())]
    first = min(with_database or session.items, key=lambda item: len(getattr(item, "fixturenames", ())))
    around = set(first.listchain())
    other = min(
        session.items, key=lambda item: len(around.intersection(item.listchain()))
    )  # what both share stays set up
    logging.disable()
    for report in runtestprotocol(first, log=False, nextitem=other):
        if report.failed:
            raise RuntimeError(f"{first.nodeid} fails as the code is: {report.longreprtext}")
    logging.disable(logging.NOTSET)


def _seconds() -> float:
    return float(os.environ.get("SPEND") or AT_MOST)


def _within(tests: list[tuple[str, float]]) -> Iterator[tuple[str, float]]:
    spent = 0.0
    for test in tests:
        spent += test[1]
        if spent > _seconds():
            return
        yield test


def main(name: str) -> int:
    package = next(package for package in PACKAGES if package.name == name)
    sample = [mutant for mutant in package.shuffled(int(os.environ.get("SEED") or SEED)) if places_of(mutant)]
    count = len(sample) if os.environ.get("ALL") else int(os.environ.get("N") or package.sample)
    reach.same_examples()
    learned = reach.Reach()
    wanted = (_within(learned.tests_of(places_of(mutant))) for mutant in sample[: count * 3])
    files = sorted({test.partition("::")[0] for tests in wanted for test, _ in tests})
    status = pytest.main([*reach.OPTIONS, "-s", *files], plugins=[Trials(package, sample, count, learned)])
    return 0 if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
