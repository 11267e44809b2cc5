"""Write many rows with one statement that is executed once per row. The ORM costs several times as much.

The statements consist of quoted names of tables and columns; every value is a parameter.
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Field, Model


def insert(
    model: type[Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    unique: Sequence[str] = (),
    update: Sequence[str] = (),
) -> None:
    """Insert rows with values for `columns`, in that order, and defaults for all other columns.

    If a row with the values of `unique` exists, only its columns `update` change.
    """
    fields = [_field(model, name) for name in columns]
    others = [field for field in model._meta.concrete_fields if field not in fields and not field.primary_key]
    defaults = [field.get_db_prep_save(field.get_default(), connection) for field in others]
    named = ", ".join(_quoted(field) for field in [*fields, *others])
    statement = f"INSERT INTO {_table(model)} ({named}) VALUES ({_places(len(fields) + len(others))})"  # noqa: S608 - quoted names only
    if unique:
        changed = ", ".join(f"{_quoted(f)} = EXCLUDED.{_quoted(f)}" for f in (_field(model, name) for name in update))
        keys = ", ".join(_quoted(_field(model, name)) for name in unique)
        statement += f" ON CONFLICT ({keys}) DO UPDATE SET {changed}"
    _execute(statement, [(*row, *defaults) for row in _prepared(fields, rows)])


def update(objects: Sequence[Model], columns: Sequence[str]) -> None:
    """Update these columns of stored objects of one model."""
    if not objects:
        return
    model = type(objects[0])
    fields = [*(_field(model, name) for name in columns), model._meta.pk]
    changed = ", ".join(f"{_quoted(field)} = %s" for field in fields[:-1])
    statement = f"UPDATE {_table(model)} SET {changed} WHERE {_quoted(fields[-1])} = %s"  # noqa: S608 - quoted names only
    _execute(statement, _prepared(fields, map(attrgetter(*(field.attname for field in fields)), objects)))


def _execute(statement: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        # Without a transaction around them each row would be a transaction.
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            cursor.executemany(statement, rows)


def _prepared(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    columns = [_prepared_column(field, column) for field, column in zip(fields, zip(*rows, strict=True), strict=False)]
    return list(zip(*columns, strict=True))


def _prepared_column(field: "Field[Any, Any]", values: Iterable[Any]) -> list[Any]:
    """Prepare the values for the database. A repeated object (a time, an agency) is prepared once."""
    prepared, before, last = [], object(), None
    prepare, database = field.get_db_prep_save, connections[DEFAULT_DB_ALIAS]
    for value in values:
        if value is not before:
            before, last = value, prepare(value, database)
        prepared.append(last)
    return prepared


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101 - for the type checker: only fields are columns
    return field


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _places(number: int) -> str:
    return ", ".join(["%s"] * number)
