from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0022_stored_metadata"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="shown_columns",
            field=resolver.models.fields.JsonTextField(default=None),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(
                fields=["job", "problems", "line", "outcome", "ra", "needs_review", "tidier"], name="row_by_problem"
            ),
        ),
    ]
