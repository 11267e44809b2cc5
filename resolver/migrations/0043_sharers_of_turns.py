from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Lists without an account share the turns of their network address, and who waits for a turn has a rank. Lists and
    messages of the version before are served as they were."""

    dependencies = [
        ("resolver", "0042_clock_of_a_worker"),
    ]

    operations = [
        LockTables("Job", "Wakeup"),
        migrations.AddField(
            model_name="job",
            name="sharer",
            field=models.CharField(blank=True, db_default="", default="", max_length=48),
        ),
        migrations.AddField(
            model_name="wakeup",
            name="rank",
            field=models.PositiveSmallIntegerField(db_default=3, default=3),
        ),
        migrations.AddField(
            model_name="wakeup",
            name="waits_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(condition=models.Q(("sharer", ""), _negated=True), fields=["sharer"], name="job_sharer"),
        ),
    ]
