from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from resolver.models.fields import JsonTextField
from resolver.models.migration_operations import LockTables


def count_tasks_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Empty cells belong to no task any more: the numbers are counted when an ended list is next shown."""
    apps.get_model("resolver", "Job").objects.using(schema_editor.connection.alias).update(task_counts=None)


class Migration(migrations.Migration):
    """Rows may say what a search for their work came to."""

    dependencies = [("resolver", "0056_stored_searches")]

    operations = [
        LockTables("row"),
        migrations.AddField("row", "found_by", models.CharField(blank=True, default="", max_length=13)),
        migrations.AddField("row", "searched", JsonTextField(default=None)),
        migrations.RunPython(count_tasks_anew, migrations.RunPython.noop),
    ]
