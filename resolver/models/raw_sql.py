"""Statements that the ORM makes several times slower: many rows written at once, and rows found by unique values.

They consist of quoted names of tables and columns. Every value is a parameter.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Field, Model, QuerySet


def insert_rows(
    model: type[Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    unique: Sequence[str] = (),
    update: Sequence[str] = (),
) -> None:
    """Insert rows with values for `columns`, in that order, and defaults for all other columns.

    If a row with the values of `unique` exists, only its columns `update_rows` change.
    """
    fields = [_field(model, name) for name in columns]
    others = [field for field in model._meta.concrete_fields if field not in fields and not field.primary_key]
    defaults = [field.get_db_prep_save(field.get_default(), connection) for field in others]
    places = _places(len(fields) + len(others))
    statement = f"INSERT INTO {_table(model)} ({', '.join(map(_column, [*fields, *others]))}) VALUES ({places})"  # noqa: S608 - quoted names only
    if unique:
        keys = ", ".join(_column(_field(model, name)) for name in unique)
        changed = ", ".join("{0} = EXCLUDED.{0}".format(_column(_field(model, name))) for name in update)
        statement += f" ON CONFLICT ({keys}) DO UPDATE SET {changed}"
    _execute(statement, [(*row, *defaults) for row in _prepared(fields, rows)])


def insert_from(model: type[Model], columns: Sequence[str], source: QuerySet[Any, Any]) -> int:
    """Insert a row for each of the source, a query with these columns in this order. Return their number.

    No value passes through Python: 100,000 rows take less than a second.
    """
    selected, values = source.query.sql_with_params()
    names = ", ".join(_column(_field(model, name)) for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {_table(model)} ({names}) {selected}", values)
        return int(cursor.rowcount)


def update_rows(objects: Sequence[Model], columns: Sequence[str]) -> None:
    """Update these columns of stored objects of one model."""
    if not objects:
        return
    model = type(objects[0])
    fields = [*(_field(model, name) for name in columns), model._meta.pk]
    changed = ", ".join(f"{_column(field)} = %s" for field in fields[:-1])
    statement = f"UPDATE {_table(model)} SET {changed} WHERE {_column(fields[-1])} = %s"  # noqa: S608 - quoted names only
    _execute(statement, _prepared(fields, map(attrgetter(*(field.attname for field in fields)), objects)))


def copy_columns(
    model: type[Model], keys: Sequence[Any], columns: Sequence[str], source: type[Model], *, on: str,
    same: tuple[str, Any],
) -> None:  # fmt: skip
    """Give the rows with these keys the values that the source has in columns of the same names, in its row with the
    same value of `on`, among those with the value of `same`. No value passes through Python."""
    if not keys:
        return
    name, value = same
    key, table, other = _column(model._meta.pk), _table(model), _table(source)
    names = ", ".join(_column(_field(model, each)) for each in columns)
    # For each row, not a join: while PostgreSQL has no statistics it compares all pairs of rows in a join.
    joined = f"{other}.{_column(_field(source, on))} = {table}.{_column(_field(model, on))}"
    row = f"SELECT {names} FROM {other} WHERE {_column(_field(source, name))} = %s AND {joined}"  # noqa: S608 - quoted names only
    statement = f"UPDATE {table} SET ({names}) = ({row}) WHERE {key} IN ({_places(len(keys))})"  # noqa: S608 - quoted names only
    with connection.cursor() as cursor:
        cursor.execute(statement, [value, *keys])


def select_rows(
    model: type[Model], columns: tuple[str, ...], same: tuple[str, Any], among: tuple[str, Sequence[str]]
) -> Iterator[tuple[Any, ...]]:
    """Yield these columns of the rows in which one column has the value of `same` and another a text of `among`.

    The statement is cached. For one row the ORM takes ten times as long to build it as the database to answer it.
    """
    (column, value), (other, texts) = same, among
    database: Any = connections[DEFAULT_DB_ALIAS]  # once: looking it up is slow
    statement, converters = _select_statement(model, columns, column, other, len(texts), database.vendor)
    with database.cursor() as cursor:
        cursor.execute(statement, [value, *texts])
        rows = cursor.fetchall()
    for row in rows:
        yield tuple([_converted(item, each, database) for item, each in zip(row, converters, strict=True)])


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


@lru_cache(64)
def _select_statement(
    model: type[Model], columns: tuple[str, ...], same: str, among: str, number: int, vendor: str
) -> tuple[str, tuple[tuple[Any, ...], ...]]:
    fields = [_field(model, name) for name in columns]
    where = f"{_column(_field(model, same))} = %s AND {_column(_field(model, among))} IN ({_places(number)})"
    statement = f"SELECT {', '.join(map(_column, fields))} FROM {_table(model)} WHERE {where}"  # noqa: S608 - quoted names only
    return statement, tuple(_converters(field) for field in fields)


def _converters(field: "Field[Any, Any]") -> tuple[Any, ...]:
    """Return the converters of the database, then those of the field, in the order of the ORM."""
    column = field.cached_col
    return (*connection.ops.get_db_converters(column), *field.get_db_converters(connection))


def _converted(item: Any, converters: tuple[Any, ...], database: Any) -> Any:
    for convert in converters:
        item = convert(item, None, database)
    return item


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101 - for the type checker: only fields are columns
    return field


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _column(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _places(number: int) -> str:
    return ", ".join(["%s"] * number)
