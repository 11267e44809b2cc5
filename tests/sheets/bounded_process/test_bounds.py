"""A file is read by a process with bounds: what goes beyond them ends that process, and nothing else."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from resolver.sheets.bounded_process import call
from resolver.sheets.bounded_process.call import BOUNDS, call_bounded
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN, LayoutChoices
from resolver.sheets.input.layout_detection import detect_layout_from_start
from resolver.sheets.input.preview import (
    detect_as_json,
    detect_layout_bounded,
    preview_rows,
    preview_rows_bounded,
    preview_sheet_names,
    preview_sheet_names_bounded,
)
from tests.sheets.made_workbooks import xlsx


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "upload"
    path.write_text("doi,title\n10.1000/1,One\n10.1000/2,Two\n", encoding="utf-8")
    return path


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    """A file whose reading never ends, and takes no time of the processor."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_it_gives_what_a_reading_in_this_process_gives(table: Path) -> None:
    layout = detect_layout_bounded(table, None, NOTHING_CHOSEN)
    assert layout == detect_layout_from_start(table)
    assert preview_rows_bounded(table, layout, 1) == preview_rows(table, layout, 1)
    assert preview_sheet_names_bounded(table) == []


def test_numbers_and_hyperlinks_of_cells_come_through(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(xlsx('<row><c t="str"><v>doi</v></c><c t="str"><v>n</v></c></row>'
                          '<row><c t="str"><v>10.1000/1</v></c><c><v>1.5</v></c></row>'))  # fmt: skip
    ((_, row),) = preview_rows_bounded(path, detect_layout_from_start(path), 5)
    assert [getattr(cell, "parts", None) for cell in row] == [None, ["1.5"]]


def test_a_refusal_comes_with_its_line_and_its_template(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b'doi,a\n10.1000/1,"x\n')
    with pytest.raises(UnreadableFile) as here:
        detect_layout_from_start(path)
    with pytest.raises(UnreadableFile) as apart:
        detect_layout_bounded(path, None, NOTHING_CHOSEN)
    assert (apart.value.line, apart.value.reason, str(apart.value)) == (
        here.value.line,
        here.value.reason,
        str(here.value),
    )
    assert apart.value.args[0].template == here.value.args[0].template


def test_it_says_which_choice_may_help(table: Path) -> None:
    with pytest.raises(NeedsChoice) as refused:
        detect_layout_bounded(table, "elsewhere", LayoutChoices(delimiter=","))
    assert refused.value.about == "column"


def test_a_file_that_is_gone_is_gone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        detect_layout_bounded(tmp_path / "upload", None, NOTHING_CHOSEN)


def test_what_takes_too_long_is_ended(pipe: Path) -> None:
    began = time.monotonic()
    with pytest.raises(UnreadableFile, match="too large to read safely"):
        call_bounded(preview_sheet_names, {"path": str(pipe)}, bounds=replace(BOUNDS, longest=0.2))
    assert time.monotonic() - began < BOUNDS.longest


def test_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "upload"
    path.write_bytes(b'[{"DOI":"10.1000/1","a":[' + b'"",' * 150_000 + b'"' + b"x" * 4_000_000 + b'",' + b'""]}]')
    least = replace(BOUNDS, memory=8 << 20)
    with pytest.raises(UnreadableFile, match="too large to read safely"):
        call_bounded(
            detect_as_json,
            {"path": str(path), "column": None, "choices": {"fields": None}},
            bounds=least,
        )
    assert detect_layout_bounded(path, None, NOTHING_CHOSEN).total == 1


def test_a_fault_of_ours_is_no_fault_of_the_file(table: Path) -> None:
    with pytest.raises(RuntimeError, match="TypeError"):
        call_bounded(preview_sheet_names, {"path": str(table), "unknown": 1})


def test_only_readers_of_files_can_be_called() -> None:
    with pytest.raises(RuntimeError, match="ValueError"):
        call_bounded(os.getpid, {})


def test_it_starts_again_after_it_was_killed(table: Path) -> None:
    preview_sheet_names_bounded(table)
    server = psutil.Process(call._find_server(None)._process.pid)
    server.send_signal(signal.SIGKILL)
    server.wait(10)
    assert preview_sheet_names_bounded(table) == []


def test_it_ends_when_no_file_has_come_for_long_and_starts_again_with_the_next(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call, "IDLE_SECONDS", 0.5)
    call._find_server(call._find_server(None))
    preview_sheet_names_bounded(table)
    psutil.Process(call._find_server(None)._process.pid).wait(10)
    assert preview_sheet_names_bounded(table) == []


def test_many_threads_call_it_at_once(table: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: preview_sheet_names_bounded(table), range(24))) == [[]] * 24


def test_it_gets_none_of_the_settings(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    preview_sheet_names_bounded(table)
    environment = psutil.Process(call._find_server(None)._process.pid).environ()
    assert set(environment) <= {"PYTHONPATH", "LC_ALL"}


def test_a_forked_process_has_one_of_its_own(table: Path) -> None:
    preview_sheet_names_bounded(table)
    child = os.fork()
    if child == 0:
        mine = call._find_server(None)
        done = preview_sheet_names_bounded(table) == [] and mine.owner == os.getpid()
        mine.end()
        os._exit(0 if done else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert preview_sheet_names_bounded(table) == []
