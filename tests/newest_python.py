"""`python -m tests.newest_python`: the tests of the reading, on the newest Python that this machine has beside ours.

The reading needs the standard library alone. pytest is no compiled package, so the other Python borrows the one that is
installed here. Tests that need more, and those that take long, stay away.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEED_HYPOTHESIS = ("test_encoding_table.py", "test_message.py", "test_properties.py")  # which has a compiled part
TAKE_LONG = ("test_corpus.py", "test_hostile_files.py", "test_long_texts.py")
NEWEST_MINOR = 20  # Python 3.x is looked for down from here
PRINT_VERSION = "import sys; print(*sys.version_info[:2])"


def main() -> int:
    """Run the tests on it and return their exit status. Without another Python, say so and return 0."""
    if (python := find_newest()) is None:
        print("There is no newer Python on this machine, so the reading was tried on this one alone.")
        return 0
    left_out = [f"--ignore-glob={ROOT}/tests/doi_reading/*{name}" for name in NEED_HYPOTHESIS + TAKE_LONG]
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *left_out]
    borrowed = {"PYTHONPATH": str(Path(pytest.__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    print(f"The reading on {python}:", flush=True)
    environment = {**os.environ, **borrowed, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=ROOT / "doi_reading", env=environment, check=False).returncode


def find_newest() -> str | None:
    """Return the newest Python that is newer than ours; None without one."""
    for minor in range(NEWEST_MINOR, sys.version_info.minor, -1):
        for python in list_candidates(minor):
            version = subprocess.run([python, "-c", PRINT_VERSION], capture_output=True, text=True, check=False)
            if version.stdout.split() == ["3", str(minor)]:  # pyenv has names on the PATH that start nothing
                return python
    return None


def list_candidates(minor: int) -> Iterator[str]:
    """Yield where that Python may be: on the PATH, or among the versions of pyenv."""
    if on_path := shutil.which(f"python3.{minor}"):
        yield on_path
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv", "versions")
    yield from map(str, sorted(versions.glob(f"3.{minor}.*/bin/python"), reverse=True))


if __name__ == "__main__":
    sys.exit(main())
