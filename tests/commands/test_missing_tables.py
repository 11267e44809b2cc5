"""Commands that are run before `prepare` has made the tables."""

import sqlite3
from contextlib import closing

import pytest

from tests.commands.shell import Shell


@pytest.mark.parametrize(
    "arguments",
    [
        ("createtoken", "ada", "--name", "nightly"),
        ("exportaccount", "ada", "-"),
        ("deleteaccount", "ada", "--noinput"),
        ("runwatches",),
        ("createsuperuser", "--noinput", "--username", "ada", "--email", "ada@example.org"),
    ],
)
def test_a_command_without_its_tables_ends_with_the_command_that_makes_them_and_2(
    fresh: Shell, arguments: tuple[str, ...]
) -> None:
    refused = fresh.run(*arguments)
    assert refused.returncode == 2
    said = refused.stderr.decode()
    assert "The database is not up to date: run `" in said
    assert " prepare` first." in said
    assert "Traceback" not in said


def test_a_fault_of_the_command_that_makes_them_is_shown_as_it_is(fresh: Shell) -> None:
    (fresh.folder / "var").mkdir()
    with closing(sqlite3.connect(fresh.folder / "var/doiportal.sqlite3")) as database:
        database.execute("CREATE TABLE auth_permission (id)")
    failed = fresh.run("migrate")
    assert failed.returncode == 1
    assert b"already exists" in failed.stderr
    assert b"run `" not in failed.stderr
