from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    """The works that searches have found."""

    dependencies = [("resolver", "0055_index_of_works")]

    operations = [
        migrations.CreateModel(
            name="StoredSearch",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("service", models.CharField(max_length=20)),
                ("digest", models.CharField(max_length=24)),
                ("hits", resolver.models.fields.JsonTextField(default=list)),
                ("answered_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": (models.UniqueConstraint(fields=("service", "digest"), name="stored_search_once"),),
            },
        ),
    ]
