"""One object found by values that only it has, the first few of an owner, and one inserted. The ORM builds such a
statement anew each time, and needs five times as long for it as the database. A request of a program or for a page has
several of them."""

from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)


def find_object(model: type[M], **same: Any) -> M | None:
    """Return the object that has these values, by the names of its fields, or None. No object has two of them: the
    fields are unique together. A related object isn't loaded with it."""
    found = _find(model, (), 0, same)
    return found[0] if found else None


def find_first_objects(model: type[M], columns: tuple[str, ...], most: int, **same: Any) -> list[M]:
    """Return the first objects, in the order of the model, that have these values. They have these columns; reading
    another costs a query."""
    return _find(model, columns, most, same)


def _find(model: type[M], columns: tuple[str, ...], most: int, same: dict[str, Any]) -> list[M]:
    database: Any = connections[DEFAULT_DB_ALIAS]  # once: looking it up is slow
    statement, fields, attributes, converters = _prepare_search(model, columns, most, tuple(same), database.vendor)
    values = [field.get_db_prep_value(value, database) for field, value in zip(fields, same.values(), strict=True)]
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        rows = [list(row) for row in cursor.fetchall()]
    for row in rows:
        for place, convert in converters:
            row[place] = convert(row[place], None, database)
    return [model.from_db(DEFAULT_DB_ALIAS, attributes, row) for row in rows]


def insert_object(made: Model) -> None:
    """Insert an object whose key is known, with a value for each of its fields."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    statement, fields = _prepare_insert(type(made), database.vendor)
    values = [field.get_db_prep_save(getattr(made, field.attname), database) for field in fields]
    with database.cursor() as cursor:
        cursor.execute(statement, values)
    made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS


@lru_cache(32)
def _prepare_search(
    model: type[Model], columns: tuple[str, ...], most: int, names: tuple[str, ...], _vendor: str
) -> tuple[Any, ...]:
    """Return the statement, the fields of its values, the names of the attributes that it selects, and the places of
    those that are converted, each with its converter. Without `columns` it selects all, and without `most` any row."""
    database = connections[DEFAULT_DB_ALIAS]
    fields = [field for field in _list_fields(model) if not columns or field.name in columns]
    quote = database.ops.quote_name
    wanted = [_get_field(model, name) for name in names]
    selected = ", ".join(quote(field.column) for field in fields)
    where = " AND ".join(f"{quote(field.column)} = %s" for field in wanted)
    converters = []
    for place, field in enumerate(fields):
        column = field.get_col(model._meta.db_table)  # of a foreign key that of the key
        found = (*database.ops.get_db_converters(column), *column.get_db_converters(database))
        converters += [(place, convert) for convert in found]
    statement = f"SELECT {selected} FROM {quote(model._meta.db_table)} WHERE {where}"  # noqa: S608 - quoted names only
    if most:
        names_in_order = map(str, model._meta.ordering or ())
        order = ((name.lstrip("-"), " DESC" if name.startswith("-") else "") for name in names_in_order)
        ordered = ", ".join(f"{quote(_get_field(model, name).column)}{way}" for name, way in order)
        statement += f" ORDER BY {ordered} LIMIT {most}"
    return statement, wanted, [field.attname for field in fields], converters


@lru_cache(8)
def _prepare_insert(model: type[Model], _vendor: str) -> tuple[str, list[Any]]:
    quote, fields = connections[DEFAULT_DB_ALIAS].ops.quote_name, _list_fields(model)
    columns, places = ", ".join(quote(field.column) for field in fields), ", ".join(["%s"] * len(fields))
    statement = f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608 - quoted names only
    return statement, fields


def _list_fields(model: type[Model]) -> list[Any]:
    return list(model._meta.concrete_fields)


def _get_field(model: type[Model], name: str) -> Any:
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101 - for the type checker: only fields are columns
    return field
