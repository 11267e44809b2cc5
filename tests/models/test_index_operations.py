"""An index that is added to a large table while others use it, in a table with and without it."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from resolver.models import Row
from resolver.models.migration_operations import AddIndexWithoutLock

pytestmark = pytest.mark.django_db(transaction=True)

INDEX = next(index for index in Row._meta.indexes if index.name == "row_host")


def read_indexes() -> dict[str, list[str]]:
    """Return the columns of each index of the rows."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, Row._meta.db_table)
    return {name: one["columns"] for name, one in found.items() if one["index"]}


def remove_index() -> None:
    with connection.schema_editor(atomic=False) as editor:
        editor.remove_index(Row, INDEX)


def add_index() -> None:
    state = MigrationLoader(connection).project_state()
    with connection.schema_editor(atomic=False) as editor:
        AddIndexWithoutLock("row", INDEX).database_forwards("resolver", editor, state, state)


def test_it_is_added() -> None:
    with_it = read_indexes()
    remove_index()
    assert with_it.keys() - read_indexes().keys() == {INDEX.name}
    add_index()
    assert read_indexes() == with_it


def test_a_table_that_has_it_already_keeps_it() -> None:
    with_it = read_indexes()
    add_index()
    assert read_indexes() == with_it
