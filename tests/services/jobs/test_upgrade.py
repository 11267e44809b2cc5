"""A database of an earlier version is migrated with the lists that it holds."""

from collections.abc import Iterator
from copy import copy
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db(transaction=True)

EARLIER = [("resolver", "0018_plain_names")]


def migrate(to: list[tuple[str, str]]) -> Any:
    """The models at that state."""
    executor = MigrationExecutor(connection)
    executor.migrate(to)
    return executor.loader.project_state(to).apps


@pytest.fixture
def earlier() -> Iterator[Any]:
    """The models of an earlier version, in a database of that version."""
    latest = [key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "resolver"]
    try:
        yield migrate(EARLIER)
    finally:
        migrate(latest)


ROWS = (  # outcome, problems, suggestion, address behind an alias, and what becomes of them
    ("resolved", "", "", "", ("unchanged", False, False, False)),
    ("resolved", " old-resolver ", "", "", ("unchanged", False, True, False)),
    ("resolved", " unescaped-hash wrapped ", "", "", ("review", True, False, True)),
    ("resolved", " alias ", "", "10.5555/main", ("main-doi", False, True, False)),
    ("registered", " alias ", "", "20.500/main", ("review", False, True, False)),
    ("no-values", " inner-space ", "", "", ("review", False, False, True)),
    ("not-found", " not-registered ", "10.5555/a", "", ("suggested", False, False, False)),
    ("not-found", " several-dois ", "10.5555/a", "", ("review", False, False, False)),
    ("not-found", " not-registered ", "", "", ("not-registered", False, False, False)),
    ("invalid", " no-doi ", "", "", ("no-doi", False, False, False)),
    ("unreachable", "", "", "", ("unchecked", False, False, False)),
    ("", "", "", "", ("", False, False, False)),
)


def store_rows(apps: Any) -> Any:
    """Store a list with ROWS as an earlier version had them, and return it."""
    old_job, old_row = (apps.get_model("resolver", name) for name in ("Job", "Row"))
    job = old_job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", total=len(ROWS))
    old_row.objects.bulk_create(
        old_row(job=job, line=line, outcome=outcome, problems=problems, suggestion=suggestion, alias_of=alias)
        for line, (outcome, problems, suggestion, alias, _) in enumerate(ROWS, 1)
    )
    return job


def read_made(apps: Any, job: Any) -> list[tuple[str, bool, bool, bool]]:
    """Return what the migrations made of the rows."""
    found = apps.get_model("resolver", "Row").objects.filter(job=job.pk).order_by("line")
    return list(found.values_list("correction", "needs_review", "tidier", "incomplete"))


MADE = [made for *_, made in ROWS]


@pytest.mark.slow
def test_lists_of_an_earlier_version_get_corrections_and_groups(earlier: Any) -> None:
    job = store_rows(earlier)
    latest = [key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "resolver"]
    assert read_made(migrate(latest), job) == MADE


def describe_rows() -> tuple[Any, Any]:
    """Return the columns, indexes and constraints of the table of rows."""
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, "resolver_row")
        return set(columns), connection.introspection.get_constraints(cursor, "resolver_row")


@pytest.mark.slow
def test_the_filling_of_rows_continues_wherever_it_was_interrupted(earlier: Any) -> None:
    before, after = [("resolver", "0019_corrections")], [("resolver", "0020_tidier")]
    migrate(after)
    uninterrupted = describe_rows()
    migration = MigrationExecutor(connection).loader.get_migration(*after[0])
    for number in range(len(migration.operations) + 1):
        job = store_rows(migrate(EARLIER))
        migrate(before)
        begun = copy(migration)
        begun.operations = migration.operations[:number]
        with connection.schema_editor(atomic=False) as editor:
            begun.apply(MigrationExecutor(connection).loader.project_state(before), editor)
        made = migrate(after)
        assert describe_rows() == uninterrupted, f"interrupted after {number} operations"
        assert read_made(made, job) == MADE, f"interrupted after {number} operations"
        counted = made.get_model("resolver", "Job").objects.filter(pk=job.pk)
        assert list(counted.values_list("needs_review", "tidier", "incomplete")) == [(1, 3, 2)]
        made.get_model("resolver", "Row").objects.all().delete()
