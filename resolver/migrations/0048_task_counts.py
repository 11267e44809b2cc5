from django.db import migrations

from resolver.models.fields import JsonTextField
from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Lists count their rows by task. The rows of earlier lists are counted when somebody asks."""

    dependencies = [("resolver", "0047_waiting_messages")]
    operations = [
        LockTables("Job"),
        migrations.AddField("job", "task_counts", JsonTextField(default=None)),
        migrations.AlterField("job", "task_counts", JsonTextField(default=dict)),
    ]
