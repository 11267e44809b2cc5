from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Lists of bibliographic files know their references. Earlier lists are counted in rows, as before."""

    dependencies = [("resolver", "0048_task_counts")]

    operations = [
        LockTables("job", "row"),
        migrations.AddField("job", "references", models.PositiveIntegerField(default=0, db_default=0)),
        migrations.AddField("job", "references_in_need", models.PositiveIntegerField(default=0, db_default=0)),
        migrations.AddField("row", "reference", models.IntegerField(blank=True, null=True)),
    ]
