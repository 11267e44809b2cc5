from django.db import migrations

import resolver.models.fields
from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Results say what a list of retractions says about their works. Earlier ones say nothing."""

    dependencies = [("resolver", "0052_retractions")]

    operations = [
        LockTables("Lookup", "Row"),
        migrations.AddField("lookup", "retractions", resolver.models.fields.JsonTextField(default=list)),
        migrations.AddField("row", "retractions", resolver.models.fields.JsonTextField(default=list)),
    ]
