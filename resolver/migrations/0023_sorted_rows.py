from django.db import migrations

import resolver.models.fields
from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0022_stored_metadata"),
    ]

    operations = [
        LockTables("job"),
        migrations.AddField(
            model_name="job",
            name="shown_columns",
            field=resolver.models.fields.JsonTextField(default=None),
        ),
    ]
