"""Nobody else on the machine may read a file in the data folder, whatever the umask of who starts the portal."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests import warm_process
from tests.setup.portal import NOBODY, supervised
from tests.waiting import wait_until


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def find_open_files(folder: Path) -> dict[str, str]:
    """The files that others may read, by their path in the folder, without the static files."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_relative_to(folder / "static")]
    assert files
    modes = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in files}
    return {path: oct(mode) for path, mode in modes.items() if mode & 0o077}


@pytest.mark.slow
def test_a_portal_at_work_leaves_no_file_that_others_can_read(tmp_path: Path) -> None:
    with supervised(tmp_path, HTTP_PROXY=NOBODY) as portal, requests.Session() as visitor:
        address = f"http://127.0.0.1:{portal.port}/api/v1"
        job = visitor.post(f"{address}/jobs", files={"file": ("list.csv", "doi\n10.1000/182\n")}, timeout=60).json()
        visitor.post(f"{address}/lookups", json={"input": "10.1000/182"}, timeout=60)
        for last in (False, True):
            assert find_open_files(tmp_path / "var") == {}
            if not last:
                wait_until(
                    "the list has ended",
                    lambda: visitor.get(f"{address}/jobs/{job['id']}", timeout=60).json(),
                    lambda told: told["state"] == "finished",
                )


def test_what_an_earlier_version_left_open_is_closed_by_prepare(tmp_path: Path) -> None:
    upload = tmp_path / "uploads/one/upload"
    upload.parent.mkdir(parents=True)
    upload.write_text("doi\n")
    (tmp_path / "logins.sqlite3").touch(mode=0o644)
    assert find_open_files(tmp_path) == {"uploads/one/upload": "0o644", "logins.sqlite3": "0o644"}
    told = {"DJANGO_SETTINGS_MODULE": "doiportal.settings", "DOIPORTAL_DATA_DIR": str(tmp_path)}
    environment = {"PATH": os.environ["PATH"], "STATIC_DIR": str(tmp_path / "static"), **told}
    done = warm_process.run(["prepare"], folder=warm_process.ROOT, environment=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "doiportal.sqlite3").stat().st_size
    assert find_open_files(tmp_path) == {}
