"""`make reading-files`: which package is unpacked, and that no other one is."""

import io
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from deploy import reading_files
from resolver.conf import READER_FILES
from tests.portal_processes import ROOT, inherit_environment


def pack(path: Path) -> Path:
    """A package with each file of Pyodide, which isn't Pyodide."""
    with tarfile.open(path, "w:gz") as package:
        for name in READER_FILES:
            info = tarfile.TarInfo(f"package/{name}")
            info.size = 1
            package.addfile(info, io.BytesIO(b"x"))
    return path


def test_the_portal_looks_for_the_files_that_are_unpacked() -> None:
    assert reading_files.NAMES == READER_FILES


def test_a_package_with_other_bytes_is_refused_and_nothing_is_unpacked(tmp_path: Path) -> None:
    tarball = pack(tmp_path / "pyodide.tgz")
    with pytest.raises(reading_files.WrongPackage, match="its sha512 is"):
        reading_files.put_files(tarball, tmp_path / "files")
    assert not (tmp_path / "files").exists()


def test_the_command_says_so_and_fails(tmp_path: Path) -> None:
    environment = {**inherit_environment(), "TARBALL": str(pack(tmp_path / "pyodide.tgz"))}
    command = [sys.executable, ROOT / "deploy/reading_files.py", tmp_path / "files"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "isn't pyodide@" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_npm_it_says_what_to_do(tmp_path: Path) -> None:
    environment = {**inherit_environment(), "PATH": str(tmp_path)}
    command = [sys.executable, ROOT / "deploy/reading_files.py", tmp_path / "files"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "TARBALL=FILE" in done.stderr


def test_a_folder_without_the_files_is_refused_at_the_start(tmp_path: Path) -> None:
    environment = {**inherit_environment(), "DOIPORTAL_DATA_DIR": str(tmp_path), "READING_FILES": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "READING_FILES must name the folder that has pyodide.mjs" in done.stderr
