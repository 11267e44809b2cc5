from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0005_turns"),
    ]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="surveyed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="job",
            name="survey",
            field=resolver.models.fields.JsonTextField(default=None),
        ),
        migrations.AddField(
            model_name="job",
            name="surveying",
            field=models.BooleanField(default=False),
        ),
    ]
