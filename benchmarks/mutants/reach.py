"""Which tests run which line: `python -m benchmarks.mutants.reach` runs them once, with coverage's contexts.

A context is the place of a test in `tests.json`, which holds names that a database would not take. As long as the code
is the same, only test files that have changed run again.
"""

import hashlib
import json
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import coverage
import hypothesis
import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "var/mutants"
LINES, TESTS = FOLDER / "lines", FOLDER / "tests.json"
WITH_TESTS = ("doi_reading", "domain", "gateway", "services", "sheets", "standin", "api", "web")
OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:warnings", "--no-header"]


def same_examples() -> None:
    """Generated examples are the same in each run, none is kept for later, and none is made smaller."""
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
    hypothesis.settings.register_profile("mutants", database=None, derandomize=True, deadline=None, phases=phases)
    hypothesis.settings.load_profile("mutants")


def digests() -> dict[str, str]:
    """Of each test file that runs, and as `code` of all that they share."""
    files = [path for folder in WITH_TESTS for path in sorted((ROOT / "tests" / folder).rglob("test_*.py"))]
    folders = ("doi_reading", "resolver", "doiportal", *(f"tests/{folder}" for folder in WITH_TESTS))
    shared = sorted({*(ROOT / "tests").glob("*.py"), *(path for one in folders for path in (ROOT / one).rglob("*.py"))})
    code = b"".join(path.read_bytes() for path in shared if not path.name.startswith("test_"))
    of_files = {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return of_files | {"code": hashlib.sha256(code).hexdigest()}


class Contexts:
    """A pytest plugin: each test is a context, and its time is taken."""

    def __init__(self, covering: coverage.Coverage, tests: list[tuple[str, float]]) -> None:
        self.covering, self.tests = covering, tests

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.covering.switch_context(str(len(self.tests)))
        start = time.perf_counter()
        result = yield
        self.tests.append((item.nodeid, time.perf_counter() - start))
        self.covering.switch_context("")
        return result


class Reach:
    """What the last run has learned."""

    def __init__(self) -> None:
        self.tests: list[tuple[str, float]] = [tuple(test) for test in json.loads(TESTS.read_text())["tests"]]
        self._data = coverage.CoverageData(str(LINES))
        self._data.read()

    @cache  # noqa: B019 - there is one, as long as the process lives
    def _contexts(self, path: str) -> dict[int, list[str]]:
        return self._data.contexts_by_lineno(str(ROOT / path))

    def at_import(self, places: Sequence[tuple[str, int]]) -> bool:
        """Whether these lines run when their modules are imported, and in no test."""
        return self._of(places) == {""}

    def tests_of(self, places: Sequence[tuple[str, int]]) -> list[tuple[str, float]]:
        """The tests that run one of these lines and the seconds of each, the quickest first."""
        tests = (self.tests[int(one)] for one in self._of(places) if one)
        return sorted((test for test in tests if test[0]), key=lambda test: test[1])

    def _of(self, places: Sequence[tuple[str, int]]) -> set[str]:
        return {context for path, line in places for context in self._contexts(path).get(line, ())}


def learn() -> int:
    """Run what has changed since the last time."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    now = digests()
    known = json.loads(TESTS.read_text()) if TESTS.exists() else {}
    before: dict[str, str] = known.get("digests", {})
    same = bool(before) and before["code"] == now["code"]
    changed = [file for file, digest in now.items() if file != "code" and not (same and before.get(file) == digest)]
    if same and before == now:
        return 0
    tests: list[tuple[str, float]] = [tuple(test) for test in known["tests"]] if same else []
    gone = {*changed, *(before.keys() - now.keys())}
    tests = [("", 0.0) if test[0].partition("::")[0] in gone else test for test in tests]
    if changed:
        print(f"which tests run which line: running {len(changed)} files of tests with coverage", flush=True)
        # Takes the place of the old lines at the end: a run that is ended early leaves them and the tests as they were.
        new = LINES.with_name("lines-new")
        new.unlink(missing_ok=True)
        if same:
            shutil.copy(LINES, new)
        covering = coverage.Coverage(
            data_file=str(new), config_file=False, include=[str(ROOT / "doi_reading/*"), str(ROOT / "resolver/*")]
        )
        covering.load()
        covering.start()
        same_examples()
        contexts = Contexts(covering, tests)
        status = pytest.main([*OPTIONS, *changed], plugins=[contexts])
        covering.stop()
        covering.save()
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return int(status)
        new.replace(LINES)
    TESTS.write_text(json.dumps({"tests": tests, "digests": now}))
    return 0


if __name__ == "__main__":
    sys.exit(learn())
