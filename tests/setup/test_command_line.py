"""The command `doiportal`: what it prints, and its exit code. tests/setup/test_wheel.py starts a portal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from doiportal.command_line import SHORT
from doiportal.version import VERSION
from tests import warm_process
from tests.portal_processes import ROOT
from tests.setup.portal import NOBODY

# What `python -m doiportal` does.
PROGRAM = """
import runpy, sys
sys.argv[1:] = {}
runpy.run_module("doiportal", run_name="__main__", alter_sys=True)
"""


def doiportal(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    told = {"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(folder / "var"), "DOI_PROXY_URL": NOBODY}
    return warm_process.run_program(PROGRAM.format(list(arguments)), environment=told | environment)


def test_it_says_its_version_and_makes_no_data_folder(tmp_path: Path) -> None:
    done = doiportal(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"doiportal {VERSION}\n")
    assert not (tmp_path / "var").exists()


def test_its_help_names_every_command(tmp_path: Path) -> None:
    done = doiportal(tmp_path, "--help")
    assert done.returncode == 0
    assert all(f"\n  {command} " in done.stdout for command in [*SHORT, "manage"])


def test_a_command_that_needs_neither_tasks_nor_pages_loads_none(tmp_path: Path) -> None:
    """They are two thirds of its start."""
    program = "import sys, django, doiportal; django.setup(); print(*sys.modules)"
    loaded = subprocess.check_output(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(tmp_path)},
        text=True,
    ).split()
    assert "resolver.models" in loaded
    assert not {"celery", "aiohttp", "resolver.tasks", "resolver.api", "resolver.web"} & set(loaded)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chekc", "list.csv"], "invalid choice: 'chekc' (choose from"),
        (["--port", "8001"], "unrecognized arguments: --port"),
        (["check"], "doiportal check: error: the following arguments are required: FILE"),
        (["check", "missing.csv"], "Cannot read missing.csv: No such file or directory."),
        (["inspect", "missing.csv"], "Cannot read missing.csv: No such file or directory."),
        (["doctor", "now"], "unrecognized arguments: now"),
    ],
)
def test_bad_arguments_end_with_a_sentence_and_2(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = doiportal(tmp_path, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "settings", "said"),
    [
        ([], {"PORT": "eighty"}, "PORT must be a whole number, not 'eighty'"),
        ([], {"PORT": "0"}, "PORT must be 1 or more, not 0"),
        (["manage", "migrate"], {"PORT": "eighty"}, "PORT must be a whole number, not 'eighty'"),
        (["check", "a.csv"], {"DOIPORTAL_DATA_DIR": "/dev/null/a"}, "the data folder /dev/null/a can't be made: Not a"),
    ],
)
def test_bad_settings_end_each_command_with_a_sentence_and_2(
    tmp_path: Path, arguments: list[str], settings: dict[str, str], said: str
) -> None:
    done = doiportal(tmp_path, *arguments, **settings)
    assert done.returncode == 2
    assert done.stderr.startswith(f"doiportal: {said}")
    assert "Traceback" not in done.stderr


def test_a_bad_setting_ends_manage_py_with_a_sentence_and_2(tmp_path: Path) -> None:
    told = {"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(tmp_path / "var"), "PROXY_RATE": "fast"}
    done, traced = (
        warm_process.run(["checkdois", "list.csv", *more], folder=tmp_path, environment=told)
        for more in ([], ["--traceback"])
    )
    assert (done.returncode, done.stderr) == (2, b"doiportal: PROXY_RATE must be a number, not 'fast'\n")
    assert b"Traceback" in traced.stderr


def test_a_data_folder_that_is_closed_to_the_account_ends_a_command_with_a_sentence_and_2(tmp_path: Path) -> None:
    closed = tmp_path / "var"
    closed.mkdir(mode=0)
    # Nothing is closed to root, unless it has lost this right.
    as_others = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    told = {"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(closed)}
    command = [*as_others, sys.executable, "-m", "doiportal", "doctor"]
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        f"doiportal: the data folder {closed} is closed to this account. Use the account that runs the portal, or set "
        "DOIPORTAL_DATA_DIR to another folder\n",
    )


def test_inspect_reads_a_file_and_prints_its_problems(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("doi\n10.1000/456 \n11.1000/1\n")
    done = doiportal(tmp_path, "inspect", str(tmp_path / "list.csv"))
    assert done.returncode == 0, done.stderr
    assert "directory-code" in done.stdout


@pytest.mark.slow
def test_a_command_says_once_that_it_made_a_data_folder_so_that_a_mistyped_one_is_seen(tmp_path: Path) -> None:
    said = [doiportal(tmp_path, "manage", "check").stderr for _ in range(2)]
    assert said == [f"doiportal: made a new data folder, {tmp_path / 'var'}\n", ""]


def test_manage_runs_the_command_line_of_django(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    done = doiportal(tmp_path, "manage", "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "no issues" in done.stdout
