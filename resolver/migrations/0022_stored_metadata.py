from django.db import migrations, models

import resolver.models.fields
from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [("resolver", "0020_tidier")]

    operations = [
        LockTables("storedanswer"),
        migrations.AddField("storedanswer", "metadata", resolver.models.fields.JsonTextField(default=None)),
        migrations.AddField("storedanswer", "metadata_at", models.DateTimeField(blank=True, null=True)),
    ]
