"""Operations of migrations on columns of large tables."""

from typing import Any

from django.db import migrations, transaction
from django.db.migrations.operations.base import Operation


class AddFieldIfMissing(migrations.AddField):
    """Adds a field if the table hasn't got its column already.

    For a migration with `atomic = False`, which begins again where it was interrupted. The operation is a transaction
    of its own.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Add the column. `sqlmigrate` shows the statement also if the column is there."""
        connection = schema_editor.connection
        if not schema_editor.collect_sql:
            model = to_state.apps.get_model(app_label, self.model_name)
            with connection.cursor() as cursor:
                columns = connection.introspection.get_table_description(cursor, model._meta.db_table)
            if model._meta.get_field(self.name).column in {column.name for column in columns}:
                return
        with transaction.atomic(connection.alias):
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
