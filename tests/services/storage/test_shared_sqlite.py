"""The SQLite file that processes share."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from resolver.services.storage.shared_sqlite import SharedSqlite


def test_who_comes_while_another_makes_the_file_waits(tmp_path: Path):
    path = tmp_path / "shared.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as first:
        first.execute("BEGIN IMMEDIATE")
        first.execute("CREATE TABLE counted (number INTEGER)")
        end = threading.Timer(0.3, first.execute, ["COMMIT"])
        end.start()
        with SharedSqlite(path, "CREATE TABLE IF NOT EXISTS counted (number INTEGER)").writing() as second:
            second.execute("INSERT INTO counted VALUES (1)")
        end.join()
        assert first.execute("SELECT number FROM counted").fetchall() == [(1,)]
