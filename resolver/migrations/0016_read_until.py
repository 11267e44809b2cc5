from django.db import migrations, models

from resolver.models.column_operations import LockTables


def give_back_files(apps, schema_editor):
    """No worker of the earlier version reads on: whoever comes takes the file."""
    jobs = apps.get_model("resolver", "Job").objects
    jobs.filter(state__in=("queued", "reading")).update(reader="", read_until=None)


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0015_answer_times"),
    ]

    operations = [
        LockTables("job"),
        migrations.AddField(
            model_name="job",
            name="read_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(give_back_files, migrations.RunPython.noop),
    ]
