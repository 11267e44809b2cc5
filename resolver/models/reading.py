"""Find rows by unique values, with a cached statement: for one row the ORM takes ten times as long to build the
statement as the database to answer it.

The statement consists of quoted names of tables and columns; every value is a parameter.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model


def select(
    model: type[Model], columns: tuple[str, ...], same: tuple[str, Any], among: tuple[str, Sequence[str]]
) -> Iterator[tuple[Any, ...]]:
    """Yield these columns of the rows in which one column has the value of `same` and another a text of `among`."""
    (column, value), (other, texts) = same, among
    database: Any = connections[DEFAULT_DB_ALIAS]  # once: looking it up is slow
    statement, converters = _statement(model, columns, column, other, len(texts), database.vendor)
    for row in _fetched(database, statement, [value, *texts]):
        yield tuple([_converted(item, each, database) for item, each in zip(row, converters, strict=True)])


def _fetched(database: Any, statement: str, values: list[Any]) -> list[tuple[Any, ...]]:
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


@lru_cache(64)
def _statement(
    model: type[Model], columns: tuple[str, ...], same: str, among: str, number: int, vendor: str
) -> tuple[str, tuple[tuple[Any, ...], ...]]:
    fields = [_field(model, name) for name in columns]
    named = ", ".join(_quoted(field) for field in fields)
    table, places = connection.ops.quote_name(model._meta.db_table), ", ".join(["%s"] * number)
    here, there = _quoted(_field(model, same)), _quoted(_field(model, among))
    statement = f"SELECT {named} FROM {table} WHERE {here} = %s AND {there} IN ({places})"  # noqa: S608 - quoted names only
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


def _quoted(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))
