from django.db import migrations, models

from resolver.models.fields import JsonTextField
from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Rows may say what a search for their work came to. Empty cells belong to no task any more: without the numbers of
    tasks that lists have, they are counted when an ended list is next shown."""

    dependencies = [("resolver", "0056_stored_searches")]

    operations = [
        LockTables("job", "row"),
        migrations.AddField("row", "found_by", models.CharField(blank=True, default="", max_length=13)),
        migrations.AddField("row", "searched", JsonTextField(default=None)),
        migrations.RemoveField("job", "task_counts"),
        migrations.AddField("job", "task_counts", JsonTextField(default=None)),
        migrations.AlterField("job", "task_counts", JsonTextField(default=dict)),
    ]
