"""A database of 0.2.0 is upgraded with what it holds; an older one is refused."""

from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from resolver.models import Job, Row
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)

OF_0_1_0, OF_0_2_0 = "0015_answer_times", "0038_part_of_watch_change"  # the last migration of each
SQUASHED = "0001_squashed_0038_part_of_watch_change"


def find_applied() -> set[str]:
    return {name for app, name in MigrationRecorder(connection).applied_migrations() if app == "resolver"}


def record_only(migration: str) -> None:
    """Let the database say that this was its last migration, as the version with that migration does."""
    recorder = MigrationRecorder(connection)
    for name in find_applied():
        recorder.record_unapplied("resolver", name)
    recorder.record_applied("resolver", migration)


def describe_tables() -> dict[str, object]:
    """Return the columns, indexes and constraints of each table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            columns = connection.introspection.get_table_description(cursor, table)
            found[table] = set(columns), connection.introspection.get_constraints(cursor, table)
    return found


@pytest.fixture(autouse=True)
def _latest_afterwards() -> Iterator[None]:
    applied = find_applied()
    yield
    for name in applied:
        MigrationRecorder(connection).record_applied("resolver", name)


@pytest.mark.slow
def test_a_database_of_0_2_0_gets_what_came_after_and_keeps_its_lists() -> None:
    latest = describe_tables()
    executor = MigrationExecutor(connection)
    executor.migrate([("resolver", SQUASHED)])
    then = executor.loader.project_state([("resolver", SQUASHED)]).apps
    job_then, row_then = (then.get_model("resolver", name) for name in ("Job", "Row"))
    job = job_then.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", layout={"expected": 1})
    row_then.objects.create(job=job, line=1, outcome="resolved", address="other-host")
    record_only(OF_0_2_0)
    call_command("migrate", verbosity=0)
    assert describe_tables() == latest
    assert {OF_0_2_0, SQUASHED} < find_applied()
    assert Row.objects.get().needs_review
    assert Job.objects.get().needs_review == 1


@pytest.mark.parametrize("migration", [OF_0_1_0, "0037_host_checks"])
def test_an_older_database_is_refused_with_the_way_to_go_and_stays_as_it_is(migration: str) -> None:
    record_only(migration)
    before = describe_tables()
    with pytest.raises(CommandError, match=r"version before 0\.2\.0\..* commit ac7fdf1f"):
        call_command("migrate", verbosity=0)
    assert describe_tables() == before
    assert find_applied() == {migration}
