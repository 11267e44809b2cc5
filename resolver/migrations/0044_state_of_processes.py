"""A heartbeat also says which process it is of, and how that is set up."""

from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [("resolver", "0043_sharers_of_turns")]

    operations = [
        LockTables("WorkerHeartbeat"),
        migrations.AddField(
            model_name="workerheartbeat",
            name="kind",
            field=models.CharField(
                choices=[("worker", "Worker"), ("web", "Web")], db_default="worker", default="worker", max_length=10
            ),
        ),
        migrations.AddField(
            model_name="workerheartbeat",
            name="version",
            field=models.CharField(db_default="", default="", max_length=40),
        ),
        migrations.AddField(
            model_name="workerheartbeat", name="settings", field=models.JSONField(db_default={}, default=dict)
        ),
        migrations.AddField(
            model_name="workerheartbeat", name="files", field=models.CharField(db_default="", default="", max_length=64)
        ),
        migrations.AddField(
            model_name="workerheartbeat",
            name="files_trouble",
            field=models.CharField(db_default="", default="", max_length=200),
        ),
    ]
