"""XLS and XLSB are read by a process with bounds: a hostile file ends it, and leaves nothing behind."""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from resolver.sheets.binary_workbook import convert
from resolver.sheets.binary_workbook.converted_table import write_table
from resolver.sheets.bounded_process.call import call_bounded
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout_detection import detect_layout_from_start, detect_table_layout
from tests.sheets.binary_workbook.made import Sheet, compound, xls, xlsb
from tests.sheets.reader import SheetReader

LIST = [["doi"], ["10.1000/1"]]
SERVER = "resolver.sheets.bounded_process.server"
TOO_LARGE = "The workbook is damaged, or too large to read safely. Save it as XLSX or as CSV."
FILES = Path(__file__).parent / "excel_files"

Bound = Callable[..., None]


@pytest.fixture
def bound(monkeypatch: pytest.MonkeyPatch) -> Bound:
    """Sets other bounds of the process."""
    return lambda **bounds: monkeypatch.setattr(convert, "BOUNDS", replace(convert.BOUNDS, **bounds))


def many(count: int) -> bytes:
    return xlsb(Sheet("One", [["doi"], *([f"10.1000/{number}", number / 7] for number in range(count))]))


def left(reader: SheetReader) -> list[str]:
    """What lies beside the upload."""
    return sorted(path.name for path in reader.path.parent.iterdir() if path != reader.path)


def processes() -> list[psutil.Process]:
    """Those that still read a file for this one, some seconds after their answers: the answer is whole before its
    process is gone."""
    servers = [child for child in psutil.Process().children() if SERVER in child.cmdline()]
    reading = [process for server in servers for process in server.children()]
    return psutil.wait_procs(reading, timeout=5)[1]


def _with(content: bytes, place: int, number: int, size: int = 4) -> bytes:
    """With another number at this place of its head."""
    return content[:place] + number.to_bytes(size, "little") + content[place + size :]


GOOD = xls(Sheet("One", LIST))
HOSTILE = {
    "cut off.xls": (FILES / "any_sheets.xls").read_bytes()[:20_000],
    "cut off.xlsb": xlsb(Sheet("One", LIST))[:-300],
    "sectors of 2^255 bytes.xls": _with(GOOD, 30, 255, 2),
    "no records.xls": compound(b"\xff" * 5_000),
    "records without end.xls": compound(b"\x09\x08\x00\x00" * 5_000),
    "2 cells 17 billion apart.xlsb": xlsb(Sheet("One", [["10.1000/1"], *[[]] * 1_048_574, [*[""] * 16_383, "x"]])),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_workbook_is_refused_and_leaves_nothing(reader: SheetReader, content: bytes):
    begun = time.monotonic()
    reason = reader.refused(content).reason
    assert reason == TOO_LARGE or "damaged" in reason
    assert (left(reader), processes()) == ([], [])
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("place", [44, 64, 72], ids=["tables", "small tables", "tables of tables"])
def test_as_many_sectors_as_can_be_declared_take_no_memory(reader: SheetReader, place: int):
    with contextlib.suppress(UnreadableFile):
        assert reader(_with(GOOD, place, 2**32 - 1)).dois == ["10.1000/1"]
    assert processes() == []


def test_a_workbook_that_unpacks_to_too_much_is_refused_with_the_figure(reader: SheetReader):
    assert "more than the 100,000 allowed" in reader.refused(many(10_000), max_expanded=100_000).reason


@pytest.mark.slow
def test_a_workbook_with_any_byte_changed_is_read_or_refused(reader: SheetReader):
    for content in (xls(Sheet("One", LIST)), xlsb(Sheet("One", LIST))):
        for place in range(5, len(content), len(content) // 9):
            reader.path.with_name("upload.rows").unlink(missing_ok=True)
            reader.path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
            with contextlib.suppress(UnreadableFile):
                assert detect_layout_from_start(reader.path).total == 1


def test_more_memory_than_the_bound_ends_the_process_alone(reader: SheetReader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(convert, "LARGEST_MEMORY", 42 << 20)
    assert reader.refused(many(60_000)).reason == TOO_LARGE
    assert (left(reader), processes()) == ([], [])


@pytest.mark.slow
def test_more_time_of_the_processor_than_the_bound_ends_the_process(reader: SheetReader, bound: Bound):
    bound(processor=1)  # the least that the system takes; these cells need almost three on a fast processor
    content = xlsb(Sheet("One", [["doi"], *[[number / 7 for number in range(20)]] * 60_000]))
    assert reader.refused(content).reason == TOO_LARGE
    assert left(reader) == []


def test_a_process_that_takes_too_long_is_ended(reader: SheetReader, bound: Bound):
    bound(longest=0.01)
    assert reader.refused(many(10_000)).reason == TOO_LARGE
    assert (left(reader), processes()) == ([], [])


def test_a_table_that_grows_beyond_the_bound_is_refused(reader: SheetReader):
    content = xls(Sheet("One", [["doi"], *([f"10.1000/{number}"] for number in range(20_000))]))
    assert reader.refused(content, max_expanded=100_000).reason == TOO_LARGE
    assert left(reader) == []


def test_the_process_runs_once_for_all_readings(reader: SheetReader, bound: Bound):
    reader.path.write_bytes(xls(Sheet("One", LIST)))
    first = detect_table_layout(reader.path)
    bound(longest=0)  # another process would be ended at once
    assert detect_layout_from_start(reader.path) == detect_table_layout(reader.path) == first
    assert left(reader) == ["upload.rows"]


def test_one_process_at_a_time_reads_and_others_wait(reader: SheetReader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(convert, "MAX_WAIT_SECONDS", 0.2)
    with Path(convert.__file__).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "Try again in a minute" in reader.refused(xls(Sheet("One", LIST))).reason
    monkeypatch.setattr(convert, "MAX_WAIT_SECONDS", 60)
    assert reader(xls(Sheet("One", LIST))).dois == ["10.1000/1"]


def test_too_large_a_table_is_told(reader: SheetReader):
    path, table = reader.path.with_name("upload.xls"), reader.path.with_name("out")
    path.write_bytes(xls(Sheet("One", LIST)))
    arguments = {"book": str(path), "table": str(table), "memory": 1 << 30}
    call_bounded(write_table, {**arguments, "size": 1 << 20})
    assert table.read_bytes().count(b"\n") == 1 + len(LIST)
    with pytest.raises(UnreadableFile, match=TOO_LARGE):
        call_bounded(write_table, {**arguments, "size": 3})


def test_a_full_disk_is_no_fault_of_the_file(reader: SheetReader):
    path = reader.path.with_name("upload.xls")
    path.write_bytes(xls(Sheet("One", LIST)))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        call_bounded(write_table, {"book": str(path), "table": "/dev/full", "size": 1 << 20, "memory": 1 << 30})
