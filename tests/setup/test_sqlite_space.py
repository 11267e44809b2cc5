"""A database of SQLite gives the space of deleted lists back to the disk."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import warm_process
from tests.services_plugin import copy_tables

INCREMENTAL = 2
FULL = """
import django; django.setup()
from django.utils import timezone
from django.db import connection
from resolver.models import Job, Row
from resolver.services.maintenance import cleanup, sqlite_space
from resolver.services.health.storage_sizes import measure_database
from resolver.services.jobs import lifecycle

now = timezone.now()
job = Job.objects.create(owner="session:a", created_at=now, upload="gone", proxy="", state="finished")
kept = Job.objects.create(owner="session:a", created_at=now, upload="kept", proxy="", state="finished")
for line in range(1, 401):
    Row.objects.create(job=kept if line % 10 == 0 else job, line=line, cells=["x" * 50_000])
full = measure_database()
lifecycle.delete_job(job)
deleted = measure_database()
cleanup.prune_all(now)
print(full, deleted, measure_database(), sum(row.cells == ["x" * 50_000] for row in Row.objects.filter(job=kept)))
"""


def environment(folder: Path, **told: str) -> dict[str, str]:
    ours = {
        "DJANGO_SETTINGS_MODULE": "doiportal.settings",
        "DOIPORTAL_DATA_DIR": str(folder),
        "STATIC_DIR": str(folder / "s"),
    }
    return {"PATH": os.environ["PATH"], **ours, **told}


def prepare(folder: Path, **told: str) -> str:
    done = warm_process.run(["prepare"], folder=warm_process.ROOT, environment=environment(folder, **told))
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def read_mode(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "doiportal.sqlite3")) as connection:
        return int(connection.execute("PRAGMA auto_vacuum").fetchone()[0])


@pytest.fixture
def of_an_earlier_version(tmp_path: Path) -> Path:
    """A database with all tables and 20 MB that keeps the space of what is deleted."""
    copy_tables(tmp_path / "doiportal.sqlite3")
    with closing(sqlite3.connect(tmp_path / "doiportal.sqlite3", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE large AS SELECT randomblob(20000000)")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
    assert read_mode(tmp_path) == 0
    return tmp_path


def test_a_new_database_can_give_space_back(tmp_path: Path) -> None:
    assert prepare(tmp_path) == ""
    assert read_mode(tmp_path) == INCREMENTAL


def test_an_existing_database_is_rebuilt_once_with_all_that_it_holds(of_an_earlier_version: Path) -> None:
    assert prepare(of_an_earlier_version) == ""
    assert read_mode(of_an_earlier_version) == INCREMENTAL
    with closing(sqlite3.connect(of_an_earlier_version / "doiportal.sqlite3")) as connection:
        assert connection.execute('SELECT length("randomblob(20000000)") FROM large').fetchone() == (20_000_000,)


def test_without_room_it_stays_and_the_operator_hears_what_to_do(of_an_earlier_version: Path) -> None:
    reserve = shutil.disk_usage(of_an_earlier_version).free
    said = prepare(of_an_earlier_version, DISK_RESERVE=str(reserve))
    assert "make room for 0.0 GB beside DISK_RESERVE, and run" in said
    assert read_mode(of_an_earlier_version) == 0


def test_the_cleanup_gives_the_space_of_a_deleted_list_back(tmp_path: Path) -> None:
    copy_tables(tmp_path / "doiportal.sqlite3")
    done = warm_process.run_program(FULL, environment=environment(tmp_path))
    assert done.returncode == 0, done.stderr
    full, deleted, after, kept = map(int, done.stdout.split())
    assert (kept, deleted == full > 20_000_000) == (40, True)
    assert after < 0.2 * full
