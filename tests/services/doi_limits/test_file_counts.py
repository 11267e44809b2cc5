"""The counts in an SQLite file that processes share."""

import multiprocessing
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from resolver.services.doi_limits.window_counts import FileCounts


def test_who_comes_while_another_makes_the_file_waits(tmp_path: Path) -> None:
    path = tmp_path / "counts.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as first:
        first.execute("BEGIN IMMEDIATE")
        first.execute("CREATE TABLE other (number INTEGER)")
        end = threading.Timer(0.3, first.execute, ["COMMIT"])
        end.start()
        assert FileCounts(path).take("ada", 1, 5).left == 4
        end.join()
        assert first.execute("SELECT caller, number FROM counted").fetchall() == [("ada", 1)]


def test_a_file_that_was_removed_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "counts.sqlite3"
    counts = FileCounts(path)
    assert counts.take("ada", 1, 5).left == 4
    path.unlink()
    assert counts.take("ada", 1, 5).left == 4
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT caller, number FROM counted").fetchall() == [("ada", 1)]


def test_a_transaction_that_failed_holds_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "counts.sqlite3"
    counts = FileCounts(path)
    counts.take("ada", 1, 5)
    with pytest.raises(OverflowError):
        counts.take("ada", 2**70, 2**71)  # SQLite has no such numbers
    assert FileCounts(path).take("ada", 1, 5).left == 3
    assert counts.take("ada", 1, 5).left == 2


def test_a_fork_opens_the_file_itself(tmp_path: Path) -> None:
    counts = FileCounts(tmp_path / "counts.sqlite3")
    counts.take("ada", 1, 5)
    fork = multiprocessing.get_context("fork").Process(target=counts.take, args=("ada", 1, 5))
    fork.start()
    fork.join()
    assert fork.exitcode == 0
    assert counts.take("ada", 1, 5).left == 2


def test_threads_count_at_once_without_losing_a_number(tmp_path: Path) -> None:
    counts = FileCounts(tmp_path / "counts.sqlite3")
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: counts.take("ada", 1, 1000), range(100)))
    assert counts.take("ada", 1, 1000).left == 899
