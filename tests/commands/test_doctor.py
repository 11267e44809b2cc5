"""`manage.py doctor`, as an operator runs it."""

import socket

import pytest

from tests.commands.shell import Shell
from tests.services_plugin import copy_static_files


def test_it_prints_each_part_with_what_to_do_and_a_fault_ends_with_1(asking: Shell) -> None:
    # Nothing is collected in this folder.
    done = asking.run_alone("doctor")
    printed = done.stdout.decode()
    assert done.returncode == 1
    assert "FAULT   static files  They aren't collected.\n                        Run: manage.py prepare\n" in printed
    assert "ok      DOI proxy" in printed
    assert done.stderr.decode().strip().endswith("found.")


def test_an_installation_without_faults_ends_with_0(asking: Shell) -> None:
    copy_static_files(asking.folder / "var/static")
    done = asking.run_alone("doctor")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"FAULT" not in done.stdout


def test_a_database_that_takes_a_connection_and_says_nothing_is_a_fault(asking: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asking.environment["DATABASE_URL"] = f"postgres://u:p@127.0.0.1:{silent.getsockname()[1]}/d"
        done = asking.run_alone("doctor")
    assert done.returncode == 1
    printed = done.stdout.decode()
    assert "FAULT   database      OperationalError: " in printed
    assert "Check DATABASE_URL, and look whether the database runs" in printed
    assert "ok      DOI proxy" in printed


def test_a_new_database_has_one_fault_which_says_what_to_run(asking: Shell) -> None:
    copy_static_files(asking.folder / "var/static")
    asking.environment["DATABASE_URL"] = f"sqlite:///{asking.folder / 'new.sqlite3'}"
    printed = asking.run_alone("doctor").stdout.decode()
    (fault,) = [line for line in printed.splitlines() if line.startswith("FAULT")]
    assert fault.startswith("FAULT   database      Its tables are not up to date")
    assert "then run: manage.py prepare" in printed


@pytest.mark.slow
def test_prepare_replaces_static_files_that_are_newer_than_those_of_this_version(asking: Shell) -> None:
    assert asking.run_alone("prepare").returncode == 0
    collected = next(asking.folder.rglob("static/resolver/site.css"))
    right = collected.read_bytes()
    collected.write_text("of an earlier version, collected just now")
    assert b"FAULT   static files" in asking.run_alone("doctor").stdout
    assert asking.run_alone("prepare").returncode == 0
    assert collected.read_bytes() == right
    assert asking.run_alone("doctor").returncode == 0


def test_prepare_leaves_the_static_files_of_this_version_alone(asking: Shell) -> None:
    """A portal that runs serves them."""
    copy_static_files(asking.folder / "var/static")
    collected = next(asking.folder.rglob("static/resolver/site.css"))
    before = collected.stat()
    assert asking.run_alone("prepare").returncode == 0
    assert (collected.stat().st_ino, collected.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_quotas_that_anybody_can_avoid_and_those_that_nobody_can_use_up_are_named(asking: Shell) -> None:
    asking.environment |= {"MAX_LISTS_PER_DAY": "50", "MAX_ROWS_PER_DAY": "20", "DOIPORTAL_OPEN": "1"}
    printed = asking.run_alone("doctor").stdout.decode()
    assert "Quotas are set (MAX_LISTS_PER_DAY, MAX_ROWS_PER_DAY), and people without an account have none" in printed
    assert "MAX_ROWS_PER_DAY is less than MAX_LISTS_PER_DAY" in printed
    asking.environment |= {"MAX_ROWS_PER_DAY": "2000", "DOIPORTAL_OPEN": "0"}
    assert "PER_DAY" not in asking.run_alone("doctor").stdout.decode()
