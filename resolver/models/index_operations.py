"""An operation of migrations that add an index to a large table."""

from typing import Any

from django.db import migrations


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
