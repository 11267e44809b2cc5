from django.db import migrations, models

from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0032_daily_quotas"),
    ]

    operations = [
        LockTables("job"),
        migrations.AddField(
            model_name="job",
            name="counted_rows",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
