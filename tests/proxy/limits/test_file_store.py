"""Processes that begin at one instant come to one budget, whatever an earlier start of the machine left behind."""

import multiprocessing
from pathlib import Path
from typing import Any

from resolver.proxy.limits.file_store import FileBudget

FORK = multiprocessing.get_context("fork")
PROCESSES, ROUNDS = 4, 25


def take_one(folders: list[Path], together: Any, taken: Any) -> None:
    """In each folder in turn: how many slots this process got while nobody gave one back."""
    for folder in folders:
        budget = FileBudget(folder, 1, None)
        together.wait(30)
        try:
            taken.put(int(budget.take() is not None))
        except OSError as error:
            taken.put(repr(error))
        together.wait(30)
        budget.close()


def test_of_processes_that_make_the_folder_at_once_one_gets_the_only_slot(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(ROUNDS)]
    for folder in folders:
        for name in range(5):
            (folder / f"earlier-boot-{name}").mkdir(parents=True)
            (folder / f"earlier-boot-{name}" / "slot-0").touch()
    together, taken = FORK.Barrier(PROCESSES), FORK.Queue()
    processes = [FORK.Process(target=take_one, args=(folders, together, taken)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    answers = [taken.get(timeout=30) for _ in range(PROCESSES * ROUNDS)]
    for process in processes:
        process.join()
    assert sorted(answers, key=str) == [0] * (PROCESSES - 1) * ROUNDS + [1] * ROUNDS
    assert all([path.name for path in folder.iterdir() if "earlier" in path.name] == [] for folder in folders)
