"""Indexes that are added to a large table while others use it, in a database with and without them."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from resolver.models import Row

pytestmark = pytest.mark.django_db(transaction=True)

BEFORE, WITH = ("resolver", "0034_row_addresses"), ("resolver", "0035_row_address_indexes")
ADDED = {"row_address", "row_host"}


def indexes() -> dict[str, list[str]]:
    """The columns of each index of the rows."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Row._meta.db_table)
    return {name: one["columns"] for name, one in found.items() if one["index"]}


@pytest.fixture(autouse=True)
def _latest_afterwards() -> Iterator[None]:
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield
    MigrationExecutor(connection).migrate(latest)


@pytest.mark.slow
def test_they_are_removed_and_added() -> None:
    all_of_them = indexes()
    MigrationExecutor(connection).migrate([BEFORE])
    assert all_of_them.keys() - indexes().keys() == ADDED
    MigrationExecutor(connection).migrate([WITH])
    assert indexes() == all_of_them


def test_a_database_that_has_them_already_keeps_them() -> None:
    all_of_them = indexes()
    MigrationRecorder(connection).record_unapplied(*WITH)
    MigrationExecutor(connection).migrate([WITH])
    assert indexes() == all_of_them
