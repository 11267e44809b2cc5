"""The hooks and the action run what they say, in a repository made alike."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.doi_reading.command.sample_files import FILES, write_files

ROOT = Path(__file__).parents[3]
HOOKS = {one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
ACTION = ROOT / ".github/actions/doi-read/action.yml"
STEPS = yaml.safe_load(ACTION.read_text())
OFFLINE = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The folder with the sample files."""
    write_files(tmp_path)
    return tmp_path


def run_hook(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    hook = HOOKS[name]
    entry, *arguments = hook["entry"].split()
    names = [one.name for one in FILES if re.search(hook["files"], one.name)]
    return subprocess.run([ROOT / entry, *arguments, *names], cwd=folder, env=OFFLINE, capture_output=True, text=True)


def test_the_hook_finds_what_is_wrong(repository: Path) -> None:
    done = run_hook("doi-read", repository)
    assert (done.returncode, done.stderr) == (1, "")
    assert "docs/cut.md:1:32: error unescaped-hash" in done.stdout
    assert all((repository / one.name).read_bytes() == one.before for one in FILES)


def test_the_other_hook_corrects_what_is_certain(repository: Path) -> None:
    assert run_hook("doi-read-fix", repository).returncode == 1
    for one in FILES:
        assert (repository / one.name).read_bytes() == (one.before if one.name.endswith(".json") else one.after)


def run_action(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the steps as GitHub does: each input is put into the environment of the step."""
    values: dict[str, Any] = {name: one["default"] for name, one in STEPS["inputs"].items()}
    values |= {name.replace("_", "-"): value for name, value in inputs.items()}
    (step,) = STEPS["runs"]["steps"]
    known = {f"inputs.{name}": value for name, value in values.items()} | {"github.action_path": str(ACTION.parent)}
    given = {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], text) for name, text in step["env"].items()
    }
    assert "${{" not in step["run"]
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=OFFLINE | given, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("inputs", "status"),
    [
        ({}, 1),
        ({"fail_on": "never"}, 0),
        ({"files": "bib/clean.bib\n\ndocs/README.md\n"}, 0),
        ({"files": "docs/cut.md", "ignore": "unescaped-hash\nunescaped-space\n"}, 0),
        ({"files": "none.txt"}, 2),
        ({"files": ""}, 2),
        ({"files": "\n"}, 2),
        ({"files": "$(touch made).txt"}, 2),
        ({"files": "--fix"}, 2),
    ],
)
def test_the_action_annotates_lines_and_fails_as_it_is_told(
    repository: Path, inputs: dict[str, str], status: int
) -> None:
    done = run_action(repository, **inputs)
    assert done.returncode == status, done.stderr
    assert all(line.startswith("::") for line in done.stdout.splitlines())
    assert not (repository / "made").exists()
    assert all((repository / one.name).read_bytes() == one.before for one in FILES)


def test_the_action_asks_the_portal_of_the_environment_if_it_is_told(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(OFFLINE, "DOIPORTAL_URL", "http://127.0.0.1:9")
    assert run_action(repository, files="bib/clean.bib").returncode == 0
    asked = run_action(repository, files="bib/clean.bib", check="true")
    assert (asked.returncode, asked.stdout.count("title=could-not-ask")) == (2, 2)


def test_the_action_writes_sarif_too(repository: Path) -> None:
    done = run_action(repository, sarif="doi.sarif")
    assert (done.returncode, yaml.safe_load((repository / "doi.sarif").read_text())["version"]) == (1, "2.1.0")
