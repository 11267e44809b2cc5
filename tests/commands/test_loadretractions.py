"""`manage.py loadretractions`: what it prints, and its exit status."""

import shutil
import sqlite3
from contextlib import closing

from tests.commands.shell import Shell, one_line
from tests.retraction_list import SAMPLE, build_list, event


def count(shell: Shell) -> int:
    with closing(sqlite3.connect(shell.folder / "var/doiportal.sqlite3")) as database:
        return int(database.execute("SELECT count(*) FROM resolver_retractionevent").fetchone()[0])


def test_a_file_is_loaded(shell: Shell) -> None:
    shutil.copy(SAMPLE, shell.folder / "list.csv")
    done = shell.run("loadretractions", "list.csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().startswith("Loaded: 18 events from 20 rows, as listed on ")
    assert count(shell) == 18


def test_a_refused_file_is_told_in_one_line_and_keeps_the_list(shell: Shell) -> None:
    shutil.copy(SAMPLE, shell.folder / "list.csv")
    shell.run("loadretractions", "list.csv")
    shell.file("page.csv", "<html>\n")
    done = shell.run("loadretractions", "page.csv")
    assert done.returncode == 2
    assert one_line(done.stderr).endswith("Download the list again. The list that was loaded before is kept.")
    assert count(shell) == 18


def test_fewer_events_need_the_option(shell: Shell) -> None:
    shutil.copy(SAMPLE, shell.folder / "list.csv")
    shell.run("loadretractions", "list.csv")
    shell.file("short.csv", build_list([event("10.5555/a")]).decode())
    assert shell.run("loadretractions", "short.csv").returncode == 2
    assert shell.run("loadretractions", "--allow-fewer", "short.csv").returncode == 0
    assert count(shell) == 1


def test_a_file_that_is_not_there_is_told_in_one_line(shell: Shell) -> None:
    done = shell.run("loadretractions", "none.csv")
    assert (done.returncode, one_line(done.stderr)) == (2, "CommandError: none.csv: No such file or directory")
