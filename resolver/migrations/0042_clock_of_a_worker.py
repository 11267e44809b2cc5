from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Heartbeats say how far the clock of the worker's machine is ahead. Workers of the version before write none."""

    dependencies = [
        ("resolver", "0041_incomplete_lookups"),
    ]

    operations = [
        LockTables("WorkerHeartbeat"),
        migrations.AddField(
            model_name="workerheartbeat",
            name="clock_ahead",
            field=models.FloatField(db_default=0.0, default=0.0),
        ),
    ]
