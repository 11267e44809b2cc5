"""Few files are read at once on a machine, and one address without an account has a part of these places."""

import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import Timer

import pytest
from django.test import override_settings

from resolver.services.uploads.file_reader import FileReader
from resolver.services.uploads.reading_places import FOR_ONE_ADDRESS, PLACES, NoReadingPlace, take_reading_place
from resolver.sheets.bounded_process import call
from resolver.sheets.input.layout_choices import LayoutChoices

ONE, OTHER = "0" * 32, "0" * 31 + "1"


@pytest.fixture(autouse=True)
def _folder(tmp_path):
    with override_settings(DOIPORTAL_DATA_DIR=tmp_path):
        yield


def test_a_place_comes_back_when_the_reading_ends() -> None:
    for _ in range(2):
        with ExitStack() as held:
            for _ in range(PLACES):
                held.enter_context(take_reading_place())
            with pytest.raises(NoReadingPlace), take_reading_place():
                pass


def test_the_first_files_that_come_together_are_all_read(tmp_path: Path) -> None:
    """The process that reads them takes a second to start."""
    path = tmp_path / "list.csv"
    path.write_text("doi\n10.5555/a\n")
    call._end_server()
    with ThreadPoolExecutor(8) as people:
        read = [people.submit(FileReader(ONE).detect_layout, path, None, LayoutChoices()) for _ in range(8)]
        assert [layout.result().column for layout in read] == [0] * 8


def test_who_comes_while_small_files_are_read_waits_a_moment() -> None:
    with ExitStack() as held:
        for _ in range(PLACES):
            held.enter_context(take_reading_place())
        freed = Timer(0.1, held.close)
        freed.start()
        with take_reading_place():
            pass
        freed.join()


def test_an_address_takes_a_part_of_them() -> None:
    with ExitStack() as held:
        for _ in range(FOR_ONE_ADDRESS):
            held.enter_context(take_reading_place(ONE))
        with pytest.raises(NoReadingPlace), take_reading_place(ONE):
            pass
        held.enter_context(take_reading_place(OTHER))


def test_a_refused_address_keeps_no_part() -> None:
    with ExitStack() as held:
        for _ in range(PLACES):
            held.enter_context(take_reading_place())
        for _ in range(FOR_ONE_ADDRESS + 1):
            with pytest.raises(NoReadingPlace), take_reading_place(ONE):
                pass
    with take_reading_place(ONE), take_reading_place(ONE):
        pass


def test_all_processes_of_a_machine_share_them() -> None:
    context = multiprocessing.get_context("fork")
    taken, done = context.Event(), context.Event()
    process = context.Process(target=_hold, args=(taken, done))
    process.start()
    assert taken.wait(20)
    with pytest.raises(NoReadingPlace), take_reading_place():
        pass
    process.kill()
    process.join(20)
    with take_reading_place():  # a killed process gives its places back
        pass


def _hold(taken, done) -> None:
    with ExitStack() as held:
        for _ in range(PLACES):
            held.enter_context(take_reading_place())
        taken.set()
        done.wait(60)
