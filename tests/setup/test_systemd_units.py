"""The units in deploy/systemd, read by systemd's own program."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.portal_processes import ROOT

pytestmark = pytest.mark.slow

PROCESSES = ["web", "worker", "beat", "prepare"]
EXPOSED = 18  # of 100: on Debian 12 it is 17, and more without any one of most of our settings. A bare unit has 96


@pytest.fixture
def units(tmp_path: Path) -> Path:
    """A folder with the units. They start a program that each machine has: no portal is installed here."""
    folder = tmp_path / "units"
    shutil.copytree(ROOT / "deploy/systemd", folder)
    for file in folder.glob("*.service"):
        file.write_text(
            re.sub(
                r"(?m)^ExecStart=(?:/opt/doiportal/bin|/usr/local/sbin)/\S+", "ExecStart=/bin/true", file.read_text()
            )
        )
    return folder


def analyze(*words: str | Path) -> tuple[int, str]:
    """Return the exit code of systemd-analyze, and all that it printed."""
    program = shutil.which("systemd-analyze")
    assert program, "this test needs systemd-analyze: install systemd, or type make slow-programs"
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def test_systemd_has_no_complaint_about_any_unit(units: Path) -> None:
    backup = (units / "backup-doiportal.service", units / "backup-doiportal.timer")
    files = [units / "doiportal.target", *backup, *(units / f"doiportal-{process}.service" for process in PROCESSES)]
    assert analyze("verify", *files) == (0, "")


def test_all_processes_may_write_into_the_folder_of_counts_that_goes_with_the_portal() -> None:
    confined = (ROOT / "deploy/systemd/doiportal-.service.d/confined.conf").read_text()
    [folder] = re.findall(r"PROMETHEUS_MULTIPROC_DIR=/run/(\S+)", confined)
    assert re.search(rf"(?m)^ReadWritePaths=.* /run/{folder}$", confined)
    assert f"\nRuntimeDirectory={folder}\n" in (ROOT / "deploy/systemd/doiportal-prepare.service").read_text()


@pytest.mark.parametrize("process", PROCESSES)
def test_a_process_may_do_little_by_the_measure_of_systemd(units: Path, process: str) -> None:
    unit = units / f"doiportal-{process}.service"
    code, printed = analyze("security", "--offline=yes", f"--threshold={EXPOSED}", "--no-pager", unit)
    assert code == 0, printed
