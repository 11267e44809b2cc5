"""Operations of migrations on large tables: their columns and their indexes."""

import logging
import time
from collections.abc import Iterable
from typing import Any

from django.core.management import CommandError
from django.db import OperationalError, migrations, transaction
from django.db.migrations.operations.base import Operation

LOCK_MILLISECONDS = 100  # how long one try waits for a lock, and everyone else behind it
TRIES = 600  # one each 0.5 seconds: five minutes
VACUUM_MILLISECONDS = 300_000  # how long it waits for a vacuum or a new index, while all others continue

log = logging.getLogger(__name__)


class LockTables(Operation):
    """Locks the tables whose columns the next operations of the same transaction change.

    PostgreSQL changes columns in a moment, but all others queue after a migration that waits for a long reader, such as
    a backup. So this waits for the tables in short tries, and logs that it does. It fails if they aren't free for five
    minutes. Autovacuum gives way after a second: it is made to do so first, while all others continue.
    """

    reduces_to_sql = reversible = True

    def __init__(self, *model_names: str) -> None:
        self.model_names = model_names

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        models = [from_state.apps.get_model(app_label, name) for name in self.model_names]
        if all(self.allow_migrate_model(schema_editor.connection.alias, model) for model in models):
            lock_tables(schema_editor, [model._meta.db_table for model in models])

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Lock nothing: the operations that need it are undone already."""

    def describe(self) -> str:
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
            time.sleep(0.4)
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
    return getattr(error.__cause__, "sqlstate", None) == "55P03"  # lock_not_available


class AddIndexWithoutLock(migrations.AddIndex):
    """Adds an index while others read and write the table, if it isn't there already.

    For a migration with `atomic = False`, whose other operations can be repeated too: PostgreSQL builds such an index
    outside a transaction. If it is interrupted, the next start removes what is left and builds it again. SQLite has one
    writer in any case.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Build the index. `sqlmigrate` shows the statement also if the index is there."""
        model = to_state.apps.get_model(app_label, self.model_name)
        connection = schema_editor.connection
        if not self.allow_migrate_model(connection.alias, model):
            return
        is_postgresql = connection.vendor == "postgresql"
        if not schema_editor.collect_sql:
            with connection.cursor() as cursor:
                if is_postgresql:
                    self._remove_unfinished(cursor, connection)
                if self.index.name in connection.introspection.get_constraints(cursor, model._meta.db_table):
                    return
        schema_editor.add_index(model, self.index, **({"concurrently": True} if is_postgresql else {}))

    def _remove_unfinished(self, cursor: Any, connection: Any) -> None:
        cursor.execute(
            "SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND NOT indisvalid", [self.index.name]
        )
        if cursor.fetchone():
            cursor.execute(f"DROP INDEX CONCURRENTLY {connection.ops.quote_name(self.index.name)}")
