"""The counts in an SQLite file that processes share."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

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
