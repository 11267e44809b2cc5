from django.db import migrations, models

from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0033_counted_rows"),
    ]

    operations = [
        LockTables("row"),
        migrations.AddField(
            model_name="row",
            name="address",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.AddField(
            model_name="row",
            name="host",
            field=models.CharField(blank=True, default="", max_length=255),
        ),
    ]
