from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [("resolver", "0020_tidier")]

    operations = [
        migrations.AddField("storedanswer", "metadata", resolver.models.fields.JsonTextField(default=None)),
        migrations.AddField("storedanswer", "metadata_at", models.DateTimeField(blank=True, null=True)),
    ]
