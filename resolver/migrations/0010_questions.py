import uuid

from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0009_incomplete"),
    ]

    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("what", models.CharField(max_length=64, null=True, unique=True)),
                ("until", models.DateTimeField()),
                ("asked_at", models.DateTimeField()),
                ("failure", resolver.models.fields.JsonTextField(default=None)),
            ],
        ),
    ]
