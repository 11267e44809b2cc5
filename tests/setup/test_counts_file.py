"""The file of counts: damaged, or on a disk without room, which to a process is a bound on the size of its files."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict, mmap_key

from resolver.counts_file import FIRST, CountsFile
from tests.portal_processes import ROOT

BOUND = """
import resource

def set_room(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
"""
KEY = """
from prometheus_client.mmap_dict import mmap_key

def key_of(name):
    return mmap_key("rows", "rows_total", ["name"], [name], "Rows.")
"""
NO_FILE_AT_FIRST = f"""{BOUND}
from resolver.counters import ROWS

set_room(0)
ROWS("resolved").inc(2)
set_room(resource.RLIM_INFINITY)
ROWS("resolved").inc()
"""
NO_LONGER_FILE = f"""{BOUND}
from resolver.counters import ROWS

ROWS("resolved").inc(2)
set_room({FIRST})
for number in range(4000):
    ROWS(f"outcome {{number}}").inc()
ROWS("resolved").inc()
"""
NO_ROOM_FOR_A_WHILE = f"""{BOUND}{KEY}
import sys
from resolver.counts_file import CountsFile

file = CountsFile(sys.argv[1], retry_after=0)
before, *_ = file.read_value(key_of("before"))
set_room({FIRST})
names = [f"name {{number}}" for number in range(4000)]
for place, name in enumerate(["before", *names]):
    value, _ = file.read_value(key_of(name))
    file.write_value(key_of(name), value + place, 0.0)
set_room(resource.RLIM_INFINITY)
file.write_value(key_of(names[-1]), 5000.0, 0.0)
file.close()
"""


@pytest.fixture(params=[True, False], ids=["posix_fallocate", "zeros"])
def beginning(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The beginning of a program, on this system or on one without posix_fallocate, which this process is then too."""
    if request.param:
        return ""
    monkeypatch.delattr(os, "posix_fallocate")
    return "import os\ndel os.posix_fallocate\n"


def run(program: str, folder: Path, *arguments: str) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def key_of(name: str) -> str:
    return mmap_key("rows", "rows_total", ["name"], [name], "Rows.")


def read_counts(file: Path) -> dict[str, float]:
    """The counts by the value of the label."""
    entries = MmapedDict.read_all_values_from_file(str(file))
    return {str(*json.loads(key)[2].values()): value for key, value, _, _ in entries}


def find_reserved(file: Path) -> int:
    """Bytes that the file has on the disk; 512 is POSIX's unit."""
    return file.stat().st_blocks * 512


@pytest.mark.usefixtures("beginning")
def test_every_byte_is_reserved_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "counter_one.db"
    file = CountsFile(str(path))
    for number in range(4000):
        file.read_value(key_of(f"name {number}"))
        assert find_reserved(path) >= path.stat().st_size
    file.close()
    assert path.stat().st_size > FIRST


def test_the_holes_of_a_file_of_an_earlier_version_are_filled_and_its_counts_kept(tmp_path: Path) -> None:
    path = tmp_path / "counter_one.db"
    file = CountsFile(str(path))
    file.read_value(key_of("name"))
    file.write_value(key_of("name"), 7.0, 0.0)
    file.close()
    os.truncate(path, 3 * FIRST)
    assert find_reserved(path) < path.stat().st_size
    file = CountsFile(str(path))
    assert file.read_value(key_of("name")) == (7.0, 0.0)
    file.close()
    assert find_reserved(path) >= path.stat().st_size == 3 * FIRST


def test_a_process_that_has_no_room_for_the_file_goes_on(tmp_path: Path, beginning: str) -> None:
    run(beginning + NO_FILE_AT_FIRST, tmp_path)
    (file,) = tmp_path.glob("counter_*.db")
    assert file.stat().st_size == 0


@pytest.mark.slow
def test_a_process_that_has_no_room_for_a_longer_file_goes_on_and_keeps_its_counts(
    tmp_path: Path, beginning: str
) -> None:
    run(beginning + NO_LONGER_FILE, tmp_path)
    (file,) = tmp_path.glob("counter_*.db")
    assert file.stat().st_size == FIRST
    assert read_counts(file)["resolved"] == 3.0


@pytest.mark.slow
def test_what_waited_for_room_is_written_when_there_is_room(tmp_path: Path, beginning: str) -> None:
    path = tmp_path / "counter_one.db"
    file = CountsFile(str(path))
    file.read_value(key_of("before"))
    file.write_value(key_of("before"), 40.0, 0.0)
    file.close()
    run(beginning + NO_ROOM_FOR_A_WHILE, tmp_path, str(path))
    counts = read_counts(path)
    assert counts.pop("before") == 40.0
    assert counts == {f"name {number}": number + 1 for number in range(3999)} | {"name 3999": 5000.0}


def test_a_count_without_room_goes_on_from_what_the_file_says(tmp_path: Path) -> None:
    """A process of the same number has ended: its count never falls."""
    path = tmp_path / "counter_one.db"
    file = CountsFile(str(path))
    file.read_value(key_of("before"))
    file.write_value(key_of("before"), 40.0, 0.0)
    file.close()
    os.truncate(path, FIRST + 1)
    run(
        f"{BOUND}{KEY}\nimport sys\nfrom resolver.counts_file import CountsFile\n"
        "set_room(0)\n"
        "file = CountsFile(sys.argv[1], retry_after=0)\n"
        "assert file.read_value(key_of('before')) == (40.0, 0.0)\n"
        "file.write_value(key_of('before'), 41.0, 0.0)\n"
        "set_room(resource.RLIM_INFINITY)\n"
        "file.write_value(key_of('before'), 42.0, 0.0)\n",
        tmp_path,
        str(path),
    )
    assert read_counts(path) == {"before": 42.0}


@pytest.mark.parametrize(
    "content",
    [b"\xff\xff\x00\x00" + b"\xff" * 60, b"\x30" + b"\x00" * 70, b"\xff" * FIRST, b"\x03" + b"\x00" * 71],
    ids=["long", "zeros", "less than nothing", "less than its head"],
)
def test_a_process_begins_the_damaged_file_of_an_earlier_one_anew(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "counter_one.db"
    path.write_bytes(content)
    file = CountsFile(str(path))
    assert file.read_value(key_of("name")) == (0.0, 0.0)
    file.write_value(key_of("name"), 7.0, 0.0)
    file.close()
    assert read_counts(path) == {"name": 7.0}
    (message,) = caplog.messages
    assert str(path) in message


def test_in_a_damaged_file_whose_entry_comes_again_and_again_a_count_is_zero(tmp_path: Path) -> None:
    path = tmp_path / "counter_one.db"
    path.write_bytes(struct.pack("<i4xi15s5xddi20x", 72, 15, b'["a","a",{},""]', 1, 0, -28))
    assert CountsFile(str(path))._read_stored(key_of("name")) == (0.0, 0.0)
