"""Operations of migrations on columns of large tables."""

import logging
import time
from collections.abc import Iterable
from typing import Any

from django.core.management import CommandError
from django.db import OperationalError, migrations, transaction
from django.db.migrations.operations.base import Operation

LOCK_MILLISECONDS = 100  # how long one try waits for a lock, and everyone else behind it
BETWEEN_TRIES = 0.4  # seconds
TRIES = 600  # five minutes
VACUUM_MILLISECONDS = 300_000  # how long it waits for a vacuum or a new index, while everyone else goes on
LOCK_NOT_AVAILABLE = "55P03"

log = logging.getLogger(__name__)


class LockTables(Operation):
    """Locks the tables whose columns the next operations of the same transaction change.

    PostgreSQL changes columns in a moment, but lets everyone else wait behind a migration that itself waits for a long
    reader, such as a backup. So this waits for the tables in short tries, and logs that it does. It fails if they
    aren't free for five minutes. Autovacuum gives way after a second: it is made to do so first, while all others go
    on.
    """

    reduces_to_sql = reversible = True

    def __init__(self, *model_names: str) -> None:
        self.model_names = model_names

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Wait for the locks."""
        models = [from_state.apps.get_model(app_label, name) for name in self.model_names]
        if all(self.allow_migrate_model(schema_editor.connection.alias, model) for model in models):
            lock_tables(schema_editor, [model._meta.db_table for model in models])

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Lock nothing: the operations that need it are undone already."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Lock {', '.join(self.model_names)}"


def lock_tables(schema_editor: Any, names: Iterable[str]) -> None:
    """Lock these tables against everyone until the transaction ends. SQLite has one writer in any case."""
    if schema_editor.connection.vendor != "postgresql":
        return
    tables = ", ".join(map(schema_editor.quote_name, names))
    lock = f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"
    if schema_editor.collect_sql:
        schema_editor.execute(lock)
        return
    try:
        schema_editor.execute(f"SET LOCAL lock_timeout = {VACUUM_MILLISECONDS}")
        schema_editor.execute(f"LOCK TABLE {tables} IN SHARE UPDATE EXCLUSIVE MODE")
        for tries_left in reversed(range(TRIES)):
            if _try_to_lock(schema_editor, lock, is_last=not tries_left):
                return
            if tries_left == TRIES - 1:
                log.warning(
                    "Waiting for %s: in use by another transaction, such as a backup. This fails after five minutes.",
                    tables,
                )
            time.sleep(BETWEEN_TRIES)
    except OperationalError as error:
        if not _is_lock_missing(error):
            raise
        what = f"{tables}: in use by another transaction for five minutes. End it, and start the upgrade again."
        raise CommandError(what) from error


def _try_to_lock(schema_editor: Any, lock: str, *, is_last: bool) -> bool:
    try:
        with transaction.atomic(schema_editor.connection.alias):
            schema_editor.execute(f"SET LOCAL lock_timeout = {LOCK_MILLISECONDS}")
            schema_editor.execute(lock)
            schema_editor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        if is_last or not _is_lock_missing(error):
            raise
        return False
    return True


def _is_lock_missing(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE


class AddFieldIfMissing(migrations.AddField):
    """Adds a field if the table hasn't got its column already.

    For a migration with `atomic = False`, which begins again where it was interrupted. The operation is a transaction
    of its own, and waits for the table as `LockTables` does.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Add the column. `sqlmigrate` shows the statement also if the column is there."""
        connection = schema_editor.connection
        model = to_state.apps.get_model(app_label, self.model_name)
        if not schema_editor.collect_sql:
            with connection.cursor() as cursor:
                columns = connection.introspection.get_table_description(cursor, model._meta.db_table)
            if model._meta.get_field(self.name).column in {column.name for column in columns}:
                return
        with transaction.atomic(connection.alias):
            lock_tables(schema_editor, [model._meta.db_table])
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class AddFieldCheckedLater(migrations.AddField):
    """Adds a field of numbers that aren't below 0, and leaves the table unread.

    PostgreSQL reads the whole table under a lock for a new column with such a check. So the check is for new rows at
    first. `CheckField`, in a later migration with `atomic = False`, makes it one for all rows.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Add the column, then its check as one that is not valid yet."""
        connection = schema_editor.connection
        model = to_state.apps.get_model(app_label, self.model_name)
        if connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        elif self.allow_migrate_model(connection.alias, model):
            field = model._meta.get_field(self.name)
            unchecked = field.clone()
            unchecked.set_attributes_from_name(field.name)
            unchecked.db_check = lambda connection: None
            schema_editor.add_field(model, unchecked)
            check = field.db_parameters(connection)["check"]
            table, name = map(schema_editor.quote_name, (model._meta.db_table, name_check(model, field)))
            schema_editor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({check}) NOT VALID")


class CheckField(Operation):
    """Lets PostgreSQL make the check of a field one for all rows, while others read and write the table."""

    reduces_to_sql = reversible = True

    def __init__(self, model_name: str, name: str) -> None:
        self.model_name, self.name = model_name, name

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing: Django knows the check as a part of the field."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Read the table. A check of all rows stays as it is."""
        model = to_state.apps.get_model(app_label, self.model_name)
        connection = schema_editor.connection
        if connection.vendor == "postgresql" and self.allow_migrate_model(connection.alias, model):
            names = (model._meta.db_table, name_check(model, model._meta.get_field(self.name)))
            table, name = map(schema_editor.quote_name, names)
            schema_editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Leave the check: it goes with its column."""

    def describe(self) -> str:
        """Say what the operation does."""
        return f"Check the field {self.name} of all rows of {self.model_name}"


def name_check(model: Any, field: Any) -> str:
    """Name the check of a column as PostgreSQL does."""
    return f"{model._meta.db_table}_{field.column}_check"
