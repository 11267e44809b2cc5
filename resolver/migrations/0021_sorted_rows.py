from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0019_corrections"),
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
                fields=["job", "problems", "line", "outcome", "ra", "needs_review"], name="row_by_problem"
            ),
        ),
    ]
