from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Lookups say whether a part couldn't be checked. An earlier one doesn't tell."""

    dependencies = [
        ("resolver", "0040_checked_from"),
    ]

    operations = [
        LockTables("Lookup"),
        migrations.AddField(
            model_name="lookup",
            name="incomplete",
            field=models.BooleanField(default=False),
        ),
    ]
