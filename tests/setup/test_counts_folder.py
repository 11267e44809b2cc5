"""The counts of ended processes are merged into one file: the sums stay as they were, whatever happens meanwhile."""

import fcntl
import multiprocessing
import os
import resource
import signal
import struct
import subprocess
import sys
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import mmap_key

from resolver.counts_file import CountsFile
from resolver.counts_folder import merge_ended, read_metrics

FORK = multiprocessing.get_context("fork")
ROWS = mmap_key("rows", "rows_total", ["outcome"], ["resolved"], "Rows.")
MISSING = mmap_key("rows", "rows_total", ["outcome"], ["not-found"], "Rows.")
SECONDS = mmap_key("request_seconds", "request_seconds_sum", [], [], "Seconds.")
FAST = mmap_key("request_seconds", "request_seconds_bucket", ["le"], ["0.1"], "Seconds.")
SLOW = mmap_key("request_seconds", "request_seconds_bucket", ["le"], ["+Inf"], "Seconds.")
LONG_AGO, LATER = 1_000_000.0, 2_000_000.0
STEPS = {"open", "os.rename", "os.remove", "os.truncate", "os.posix_fallocate", "fcntl.flock", "mmap.__new__"}


def count(path: Path, **counts: float) -> CountsFile:
    """The open file of a process that counted this long ago."""
    keys = {"rows": ROWS, "missing": MISSING, "seconds": SECONDS, "fast": FAST, "slow": SLOW}
    file = CountsFile(str(path))
    for name, value in counts.items():
        before, _ = file.read_value(keys[name])
        file.write_value(keys[name], before + value, 0.0)
    os.utime(path, (LONG_AGO, LONG_AGO))
    return file


def end_processes(folder: Path, number: int = 3) -> None:
    """What so many processes have counted that ended long ago."""
    for process in range(number):
        count(folder / f"counter_host.{process}.db", rows=10, missing=process).close()
        count(folder / f"histogram_host.{process}.db", fast=4, slow=1, seconds=0.1 * process).close()


def read_sums(folder: Path) -> dict[str, float]:
    return {
        f"{sample.name} {' '.join(sample.labels.values())}".strip(): sample.value
        for metric in read_metrics(folder)
        for sample in metric.samples
    }


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def run_and_kill(folder: Path, step: int) -> None:
    """Merge in this process, which is killed before the step of that number."""
    seen = 0

    def look(event: str, _: object) -> None:
        nonlocal seen
        if event in STEPS:
            seen += 1
            if seen > step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)
    merge_ended(folder, LATER)


def test_the_files_of_ended_processes_become_one_of_each_type_with_the_same_sums(tmp_path: Path) -> None:
    end_processes(tmp_path)
    before = read_sums(tmp_path)
    assert before["rows_total resolved"] == 30
    assert before["request_seconds_bucket +Inf"] == before["request_seconds_count"] == 15
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_1.kept", "histogram_1.kept"]
    assert read_sums(tmp_path) == pytest.approx(before)
    count(tmp_path / "counter_host.1.db", rows=1).close()
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_2.kept", "histogram_1.kept"]
    assert read_sums(tmp_path)["rows_total resolved"] == 31


def test_a_file_that_was_written_since_stays(tmp_path: Path) -> None:
    end_processes(tmp_path, 1)
    before = list_names(tmp_path)
    merge_ended(tmp_path, LONG_AGO - 1)
    assert list_names(tmp_path) == before


def test_a_process_that_lives_keeps_its_file_however_long_it_counts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "counter_host.1.db"
    living = count(path, rows=1)
    merge_ended(tmp_path, LATER)
    value, _ = living.read_value(ROWS)
    living.write_value(ROWS, value + 1, 0.0)
    assert read_sums(tmp_path) == {"rows_total resolved": 2}
    living.close()
    os.utime(path, (LONG_AGO, LONG_AGO))
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_1.kept"]


def test_a_forked_process_that_closes_its_copy_leaves_the_lock_to_its_parent(tmp_path: Path) -> None:
    living = count(tmp_path / "counter_host.1.db", rows=1)
    child = FORK.Process(target=living.close)
    child.start()
    child.join()
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_host.1.db"]
    living.close()


@pytest.mark.slow
def test_a_merge_that_is_killed_at_any_step_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    for step in range(200):
        folder = tmp_path / str(step)
        folder.mkdir()
        end_processes(folder)
        merge_ended(folder, LATER)
        end_processes(folder)
        before = read_sums(folder)
        merging = FORK.Process(target=run_and_kill, args=(folder, step))
        merging.start()
        merging.join()
        assert read_sums(folder) == pytest.approx(before), step
        end_processes(folder, 1)  # the same numbers again
        with_more = read_sums(folder)
        assert with_more["rows_total resolved"] == before["rows_total resolved"] + 10
        merge_ended(folder, LATER)
        assert read_sums(folder) == pytest.approx(with_more), step
        assert [name.partition("_")[0] for name in list_names(folder)] == ["counter", "histogram"]
        if merging.exitcode == 0:
            break
        assert merging.exitcode == -signal.SIGKILL
    assert 15 < step < 199


def merge_together(folder: Path, start: Barrier) -> None:
    for time_of_step in range(20):
        start.wait(60)
        merge_ended(folder, LONG_AGO + time_of_step)


def test_merges_at_the_same_time_and_a_reader_among_them_see_the_same_sums(tmp_path: Path) -> None:
    for number in range(40):
        path = tmp_path / f"counter_host.{number}.db"
        count(path, rows=1).close()
        os.utime(path, (LONG_AGO + number / 2,) * 2)
    start = FORK.Barrier(3)
    merging = [FORK.Process(target=merge_together, args=(tmp_path, start)) for _ in range(3)]
    for process in merging:
        process.start()
    sums = set[float]()
    while any(process.is_alive() for process in merging):
        sums.add(read_sums(tmp_path)["rows_total resolved"])
    assert [process.exitcode for process in merging] == [0, 0, 0]
    merge_ended(tmp_path, LATER)
    sums.add(read_sums(tmp_path)["rows_total resolved"])
    assert sums == {40.0}
    assert len(list_names(tmp_path)) == 1


def count_once(path: Path, taken: Event, counted: Event, end: Event) -> None:
    assert taken.wait(20)
    file = CountsFile(str(path))
    value, _ = file.read_value(ROWS)
    file.write_value(ROWS, value + 1, 0.0)
    counted.set()
    assert end.wait(20)


def test_a_process_that_opens_a_file_while_it_is_set_aside_begins_and_holds_a_new_one(tmp_path: Path) -> None:
    path, aside = tmp_path / "counter_host.1.db", tmp_path / "counter_1_0.ended"
    count(path, rows=5).close()
    taken, counted, end = FORK.Event(), FORK.Event(), FORK.Event()
    starting = FORK.Process(target=count_once, args=(path, taken, counted, end))
    starting.start()  # before the lock is taken, of which it would have a copy
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        taken.set()
        assert not counted.wait(0.3)
        path.rename(aside)
    assert counted.wait(20)
    os.utime(path, (LONG_AGO, LONG_AGO))
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_1.kept", path.name]
    assert read_sums(tmp_path) == {"rows_total resolved": 6}
    end.set()
    starting.join(20)
    assert starting.exitcode == 0


def test_on_a_full_disk_the_sums_stay_and_are_merged_when_there_is_room(tmp_path: Path) -> None:
    end_processes(tmp_path)
    before = read_sums(tmp_path)

    def merge_without_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        merge_ended(tmp_path, LATER)

    merging = FORK.Process(target=merge_without_room)
    merging.start()
    merging.join()
    assert merging.exitcode == 0
    assert not list(tmp_path.glob("*.kept"))
    assert not list(tmp_path.glob("*.half"))
    assert read_sums(tmp_path) == before
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_1.kept", "histogram_1.kept"]
    assert read_sums(tmp_path) == pytest.approx(before)


def test_no_sum_of_seconds_falls_by_its_last_digits(tmp_path: Path) -> None:
    """Prometheus takes a lower value for a reset, and counts all of it again."""
    for number in range(30):
        path = tmp_path / f"histogram_host.{number:02}.db"
        count(path, seconds=0.1 * (number * 7 % 30)).close()
        os.utime(path, (LONG_AGO + number * 11 % 30,) * 2)
    sums = [read_sums(tmp_path)["request_seconds_sum"]]
    for step in range(31):
        merge_ended(tmp_path, LONG_AGO + step)
        sums.append(read_sums(tmp_path)["request_seconds_sum"])
    assert sums == sorted(sums)
    assert sums[-1] == pytest.approx(sums[0])


DAMAGED = {
    "short": b"\x00\x00",
    "long": b"\xff\xff\x00\x00" + b"\xff" * 60,
    "zeros": b"\x30" + b"\x00" * 70,
    "no labels": struct.pack("<i4xi14s6xdd", 48, 14, b'["a","a",0,""]', 1, 0),
    "endless": struct.pack("<i4xi15s5xddi20x", 72, 15, b'["a","a",{},""]', 1, 0, -28),  # the next entry is the last
}


@pytest.mark.parametrize("content", [b"", *DAMAGED.values()], ids=["empty", *DAMAGED])
def test_a_file_that_cannot_be_read_stops_no_merge(tmp_path: Path, content: bytes) -> None:
    end_processes(tmp_path, 1)
    damaged = tmp_path / "counter_host.9.db"
    damaged.write_bytes(content)
    os.utime(damaged, (LONG_AGO, LONG_AGO))
    merge_ended(tmp_path, LATER)
    assert list_names(tmp_path) == ["counter_1.kept", "histogram_1.kept"]
    assert read_sums(tmp_path)["rows_total resolved"] == 10


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_file_that_cannot_be_read_is_left_out_and_told_once(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    end_processes(tmp_path)
    before = read_sums(tmp_path)
    assert not caplog.messages
    damaged = tmp_path / "histogram_host.9.db"
    damaged.write_bytes(content)
    assert read_sums(tmp_path) == read_sums(tmp_path) == before
    (message,) = caplog.messages
    assert str(damaged) in message


READ = """
import sys
from pathlib import Path
from resolver.counts_folder import merge_ended, read_metrics
folder = Path(sys.argv[1])
merge_ended(folder, 2_000_000.0)
print([sample.value for metric in read_metrics(folder) for sample in metric.samples])
"""


def test_a_file_that_another_account_left_is_left_out_and_hinders_no_merge(tmp_path: Path):
    count(tmp_path / "counter_host.1.db", rows=10).close()
    closed = tmp_path / "counter_host.2.db"
    count(closed, rows=5).close()
    count(tmp_path / "counter_host.3.db", rows=20).close()
    closed.chmod(0)
    as_others = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    done = subprocess.run([*as_others, sys.executable, "-c", READ, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "[30.0]\n", done.stderr
    assert "counter_host.2.db" in done.stderr
    assert list_names(tmp_path) == ["counter_1.kept", "counter_host.2.db"]
