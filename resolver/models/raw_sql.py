"""Statements that the ORM makes several times slower: many rows written at once, and rows found by unique values. They
consist of quoted names of tables and columns. Every value is a parameter."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

import orjson
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.models import Field, Model, QuerySet
from django.db.models.base import ModelState

from resolver.models.fields import CodesField, ExactTextField, encode_storable, pad_codes

M = TypeVar("M", bound=Model)

# The bounds of one statement. It has one parameter in JSON on PostgreSQL, and a parameter for each value on SQLite.
MAX_JSON_BYTES = 4 << 20
MAX_VALUES = 10_000  # SQLite takes 32,766 parameters
MAX_SQLITE_NAMES = 25  # to look up: SQLite returns all that it finds for them as one value of at most a gigabyte
_PREPARED: Mapping[type[Any], tuple[type, Callable[[Any], Any] | None]] = {
    models.CharField: (str, None),
    models.TextField: (str, None),
    ExactTextField: (str, encode_storable),
    CodesField: (tuple, pad_codes),
    models.BooleanField: (bool, None),
    models.PositiveIntegerField: (int, None),
    models.BigIntegerField: (int, None),
    models.BigAutoField: (int, None),
}
"""What such a field does to values of that type for the database; None: nothing. (Asking the field for each value takes
as long as the database.)"""


def insert_rows(
    model: type[Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    unique: Sequence[str] = (),
    update: Sequence[str] = (),
) -> None:
    """Insert rows with values for `columns`, in that order, and defaults for all other columns. If a row with the
    values of `unique` exists, only its columns `update` change."""
    fields = [_get_field(model, name) for name in columns]
    others = [field for field in model._meta.concrete_fields if field not in fields and not field.primary_key]
    defaults = [field.get_db_prep_save(field.get_default(), connection) for field in others]
    statement = f"INSERT INTO {_quote_table(model)} ({', '.join(map(_quote_column, [*fields, *others]))}) "
    on_conflict = ""
    if unique:
        keys = ", ".join(_quote_column(_get_field(model, name)) for name in unique)
        changed = ", ".join("{0} = EXCLUDED.{0}".format(_quote_column(_get_field(model, name))) for name in update)
        on_conflict = f" ON CONFLICT ({keys}) DO UPDATE SET {changed}"
    prepared = list(zip(*_prepare_columns(fields, rows), strict=True))
    if not prepared:  # on SQLite a transaction waits for all other writers
        return
    if connection.vendor == "postgresql":
        given = "".join(f", %s::{_find_type(field)}" for field in others)
        source = f"SELECT new.*{given} FROM {_as_table('new', fields)}"  # noqa: S608 - quoted names only
        each_once = _keep_last_of_each(prepared, [columns.index(name) for name in unique]) if unique else prepared
        _execute((statement + source + on_conflict, [*defaults, rows]) for rows in _as_json(fields, each_once))
    else:
        # Without a condition, SQLite would take ON CONFLICT for one of a join.
        source, end = f"SELECT new.*{', %s' * len(others)} FROM", f"AS new WHERE true{on_conflict}"
        _execute(
            (f"{statement}{source} ({table}) {end}", [*defaults, *values]) for table, values in _as_values(prepared)
        )


def insert_from(model: type[Model], columns: Sequence[str], source: QuerySet[Any, Any]) -> int:
    """Insert a row for each of the source, a query with these columns in this order. Return their number. No value
    passes through Python: 100,000 rows take less than a second."""
    selected, values = source.query.sql_with_params()
    names = ", ".join(_quote_column(_get_field(model, name)) for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {_quote_table(model)} ({names}) {selected}", values)
        return int(cursor.rowcount)


def update_rows(objects: Sequence[Model], columns: Sequence[str]) -> None:
    """Update these columns of distinct stored objects of one model. A value that all objects have is given once."""
    if not objects:
        return
    model = type(objects[0])
    fields = [*(_get_field(model, name) for name in columns), model._meta.pk]
    values = _prepare_columns(fields, map(attrgetter(*(field.attname for field in fields)), objects))
    pairs = list(zip(fields, values, strict=True))
    alike = {field: column[0] for field, column in pairs[:-1] if column.count(column[0]) == len(column)}
    others = [field for field in fields if field not in alike]
    rows = list(zip(*(column for field, column in pairs if field not in alike), strict=True))
    table, key = _quote_table(model), _quote_column(fields[-1])
    if connection.vendor == "postgresql":
        changed = [f"{_quote_column(field)} = %s::{_find_type(field)}" for field in alike]
        changed += ["{0} = new.{0}".format(_quote_column(field)) for field in others[:-1]]
        # The second condition lets PostgreSQL use the index where it has no statistics of the table yet.
        where = f"{table}.{key} = new.{key} AND {table}.{key} = ANY(%s)"
        source = _as_table("new", others)
        statement = f"UPDATE {table} SET {', '.join(changed)} FROM {source} WHERE {where}"  # noqa: S608 - quoted names only
        keys = list(values[-1])
        _execute((statement, [*alike.values(), some, keys]) for some in _as_json(others, rows))
    else:
        changed = [f"{_quote_column(field)} = %s" for field in alike]
        changed += [f"{_quote_column(field)} = new.column{n}" for n, field in enumerate(others[:-1], 1)]
        begin = f"UPDATE {table} SET {', '.join(changed)} FROM"  # noqa: S608 - quoted names only
        where = f"{table}.{key} = new.column{len(others)}"
        _execute((f"{begin} ({new}) AS new WHERE {where}", [*alike.values(), *some]) for new, some in _as_values(rows))


def copy_columns(
    model: type[Model], keys: Sequence[Any], columns: Sequence[str], source: type[Model], *, on: str,
    same: tuple[str, Any],
) -> None:  # fmt: skip
    """Copy `columns` from rows of `source` to the rows with these keys. The columns have the same names in both tables.

    A row gets the values of the source row that has the same value in the column `on`. `same` names a column and the
    value that all these source rows have. No value passes through Python.
    """
    if not keys:
        return
    name, value = same
    key, table, other = _quote_column(model._meta.pk), _quote_table(model), _quote_table(source)
    names = ", ".join(_quote_column(_get_field(model, each)) for each in columns)
    # For each row, not a join: while PostgreSQL has no statistics it compares all pairs of rows in a join.
    joined = f"{other}.{_quote_column(_get_field(source, on))} = {table}.{_quote_column(_get_field(model, on))}"
    row = f"SELECT {names} FROM {other} WHERE {_quote_column(_get_field(source, name))} = %s AND {joined}"  # noqa: S608 - quoted names only
    statement = f"UPDATE {table} SET ({names}) = ({row}) WHERE {key} IN ({_build_places(len(keys))})"  # noqa: S608 - quoted names only
    with connection.cursor() as cursor:
        cursor.execute(statement, [value, *keys])


def select_rows(
    model: type[Model],
    columns: tuple[str, ...],
    same: tuple[str, Any],
    among: tuple[str, Sequence[Any]],
    null: str = "",
) -> Iterator[tuple[Any, ...]]:
    """Yield these columns of the rows in which one column has the value of `same`, another a text or number of `among`,
    and the column `null`, if any, no value.

    The values of `among` must be as the database stores them, distinct, and of one type: texts that UTF-8 can encode
    and that have no NUL, or numbers that the column can hold. PostgreSQL yields the rows of a repeated value
    repeatedly, and refuses others with an error. An id, a time or an encoded text (ExactTextField) may only be the
    value of `same`. No row is found by None. All rows found are in memory before the first is yielded.

    The statement is cached. For one row the ORM takes ten times as long to build it as the database to answer it.
    """
    (column, value), (other, values) = same, among
    database: Any = connections[DEFAULT_DB_ALIAS]  # once: looking it up is slow
    value = _get_field(model, column).get_db_prep_value(value, database)
    in_json = database.vendor == "postgresql"
    rows: list[tuple[Any, ...]] = []
    at_once = MAX_VALUES if in_json else MAX_SQLITE_NAMES
    for start in range(0, len(values), at_once):
        some = values[start : start + at_once]
        statement = _select_statement(model, columns, column, other, null, None if in_json else len(some))
        with database.cursor() as cursor:
            cursor.execute(statement, [orjson.dumps(some).decode(), value] if in_json else [value, *some])
            rows += cursor.fetchall() if in_json else orjson.loads(cursor.fetchone()[0])
    yield from _convert_rows(model, columns, rows, database)


def load_objects(source: QuerySet[M, M], columns: tuple[str, ...]) -> list[M]:
    """Return the objects of a query, with these columns (by the names of their attributes). Reading another costs a
    query."""
    columns = tuple(field.attname for field in source.model._meta.concrete_fields if field.attname in columns)
    return [_build_object(source.model, zip(columns, row, strict=True)) for row in load_rows(source, columns)]


def _build_object(model: type[M], values: Iterable[tuple[str, Any]]) -> M:
    """Return an object as the model's `from_db` does, in a third of the time: columns that were not loaded are loaded
    when they are read."""
    one = model.__new__(model)
    one._state = ModelState()
    one._state.adding, one._state.db = False, DEFAULT_DB_ALIAS
    vars(one).update(values)
    return one


def load_rows(source: QuerySet[Any, Any], columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield these columns of the rows of a query. All are in memory before the first is yielded."""
    database: Any = connections[DEFAULT_DB_ALIAS]
    statement, values = source.values_list(*columns).query.sql_with_params()
    in_one = database.vendor == "sqlite"
    if in_one:
        statement = _select_as_one(source.model, columns, statement)
    with database.cursor() as cursor:
        cursor.execute(statement, values)
        rows = orjson.loads(cursor.fetchone()[0]) if in_one else cursor.fetchall()
    return _convert_rows(source.model, columns, rows, database)


def _select_as_one(model: type[Model], columns: tuple[str, ...], statement: str) -> str:
    """Return a statement of SQLite that selects these columns as one value. Else Python would release the interpreter
    lock for each row, and wait for it while another thread is busy. The columns must be texts or whole numbers, which
    JSON gives back exactly."""
    names = ", ".join(_quote_column(_get_field(model, name)) for name in columns)
    return f"SELECT json_group_array(json_array({names})) FROM ({statement})"  # noqa: S608 - quoted names only


def _convert_rows(
    model: type[Model], columns: tuple[str, ...], rows: Iterable[Sequence[Any]], database: Any
) -> Iterator[tuple[Any, ...]]:
    converters = _list_column_converters(model, columns)
    for row in rows:
        yield tuple([_convert(item, each, database) for item, each in zip(row, converters, strict=True)])


def _execute(statements: Iterable[tuple[str, Sequence[Any]]]) -> None:
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        for statement, values in statements:
            cursor.execute(statement, values)


def _as_values(rows: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, list[Any]]]:
    """Yield the rows as tables of SQLite with their parameters, MAX_VALUES at most. Their columns are `column1`, …

    A statement for each row would release the interpreter lock for each, and wait for it while another thread is busy.
    """
    width = len(rows[0]) if rows else 1
    row, at_once = f"({_build_places(width)})", MAX_VALUES // width
    for start in range(0, len(rows), at_once):
        some = rows[start : start + at_once]
        yield f"VALUES {', '.join([row] * len(some))}", list(chain.from_iterable(some))


def _as_table(name: str, fields: Sequence["Field[Any, Any]"]) -> str:
    """Return the parameter of `_as_json` as a table with the columns of the fields. PostgreSQL parses and plans one
    statement then, not one for each row."""
    columns = ", ".join(f"{_quote_column(field)} {_find_type(field)}" for field in fields)
    return f"json_to_recordset(%s) AS {name}({columns})"


def _as_json(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    names = [field.column for field in fields]
    written, length = list[bytes](), 0
    for row in rows:
        written.append(orjson.dumps(dict(zip(names, row, strict=True))))
        length += len(written[-1])
        if length > MAX_JSON_BYTES:
            yield _join(written)
            written, length = [], 0
    if written:
        yield _join(written)


def _join(written: list[bytes]) -> str:
    return f"[{b','.join(written).decode()}]"


def _find_type(field: "Field[Any, Any]") -> str:
    """Return the type without its length: a cast would cut a value, and only storing it refuses it."""
    return str(field.rel_db_type(connection) if field.primary_key else field.db_type(connection)).partition("(")[0]


def _keep_last_of_each(rows: Sequence[tuple[Any, ...]], keys: Sequence[int]) -> list[tuple[Any, ...]]:
    """Return the last row of each key, in the order of the keys: a statement may change a row only once, and two that
    change the same rows must not wait for each other."""
    key = itemgetter(*keys)
    last = {key(row): row for row in rows}
    return [last[one] for one in sorted(last)]


def _prepare_columns(fields: Sequence["Field[Any, Any]"], rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    return [_prepare_column(field, column) for field, column in zip(fields, zip(*rows, strict=True), strict=False)]


def _prepare_column(field: "Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    """Prepare the values for the database. A repeated object (a time, an agency) is prepared once."""
    kind, change = _PREPARED.get(type(field), (None, None))
    if set(map(type, values)) == {kind}:
        return [change(value) for value in values] if change else values
    prepared, before, last = [], object(), None
    prepare, database = field.get_db_prep_save, connections[DEFAULT_DB_ALIAS]
    for value in values:
        if value is not before:
            before, last = value, prepare(value, database)
        prepared.append(last)
    return prepared


@lru_cache(64)
def _select_statement(
    model: type[Model], columns: tuple[str, ...], same: str, among: str, null: str, number: int | None
) -> str:
    """`number` of values that are parameters each; None: one parameter, a JSON array."""
    names, other = ", ".join(_quote_column(_get_field(model, name)) for name in columns), _get_field(model, among)
    field = _get_field(model, same)
    # PostgreSQL takes a value that it has not in its statistics for a rare one, as the id of a new list, and would use
    # any index that begins with it. Of a subquery it doesn't know the value, and so expects an average list.
    value = "%s" if number is not None else f"(SELECT %s::{_find_type(field)})"
    where = f"{_quote_column(field)} = {value}"
    if null:
        where += f" AND {_quote_column(_get_field(model, null))} IS NULL"
    statement = f"SELECT {names} FROM {_quote_table(model)} WHERE {where} AND {_quote_column(other)} "  # noqa: S608 - quoted names only
    if number is not None:
        return _select_as_one(model, columns, f"{statement}IN ({_build_places(number)})")
    # One by one, by the index: where a table has no statistics yet, all its rows would be compared with the list.
    one = f"{statement}= wanted.value::{_find_type(other)} OFFSET 0"
    return f"SELECT found.* FROM json_array_elements_text(%s) AS wanted CROSS JOIN LATERAL ({one}) AS found"  # noqa: S608 - quoted names only


@lru_cache(64)
def _list_column_converters(model: type[Model], columns: tuple[str, ...]) -> tuple[tuple[Any, ...], ...]:
    """Return the converters of the database for each column, then those of its field, in the order of the ORM."""
    fields = [_get_field(model, name) for name in columns]
    found = [field.get_col(model._meta.db_table) for field in fields]  # of a foreign key that of the key
    return tuple((*connection.ops.get_db_converters(one), *one.get_db_converters(connection)) for one in found)


def _convert(item: Any, converters: tuple[Any, ...], database: Any) -> Any:
    for convert in converters:
        item = convert(item, None, database)
    return item


def _get_field(model: type[Model], name: str) -> "Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101 - for the type checker: only fields are columns
    return field


def _quote_table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quote_column(field: "Field[Any, Any]") -> str:
    return connection.ops.quote_name(str(field.column))


def _build_places(number: int) -> str:
    return ", ".join(["%s"] * number)
