"""Processes that begin at one instant come to one budget."""

import multiprocessing
from pathlib import Path
from typing import Any

from resolver.proxy.limits.file_budget import FileBudget

FORK = multiprocessing.get_context("fork")
PROCESSES, ROUNDS = 4, 25


def take_one(folders: list[Path], together: Any, taken: Any) -> None:
    """In each folder in turn: how many permits this process got while no process gave one back."""
    for folder in folders:
        together.wait(30)
        budget = FileBudget(folder, 1, None)
        try:
            taken.put(bool(budget.take().permit))
        except OSError as error:
            taken.put(repr(error))
        together.wait(30)
        budget.close()


def test_of_processes_that_make_the_folder_at_once_one_gets_the_only_permit(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in range(ROUNDS)]
    together, taken = FORK.Barrier(PROCESSES), FORK.Queue()
    processes = [FORK.Process(target=take_one, args=(folders, together, taken)) for _ in range(PROCESSES)]
    for process in processes:
        process.start()
    answers = [taken.get(timeout=30) for _ in range(PROCESSES * ROUNDS)]
    for process in processes:
        process.join()
    assert sorted(answers, key=str) == [0] * (PROCESSES - 1) * ROUNDS + [1] * ROUNDS
