"""A database of an earlier version is migrated with the lists that it holds."""

from collections.abc import Iterator
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


@pytest.mark.slow
def test_lists_of_an_earlier_version_get_corrections_and_groups(earlier: Any) -> None:
    old_job, old_row = (earlier.get_model("resolver", name) for name in ("Job", "Row"))
    job = old_job.objects.create(owner="user:1", created_at=NOW, filename="x", proxy="p", total=len(ROWS))
    old_row.objects.bulk_create(
        old_row(job=job, line=line, outcome=outcome, problems=problems, suggestion=suggestion, alias_of=alias)
        for line, (outcome, problems, suggestion, alias, _) in enumerate(ROWS, 1)
    )
    latest = [key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "resolver"]
    row = migrate(latest).get_model("resolver", "Row")
    found = row.objects.filter(job=job.pk).order_by("line")
    assert list(found.values_list("correction", "needs_review", "tidier", "incomplete")) == [made for *_, made in ROWS]
    row.objects.all().delete()
