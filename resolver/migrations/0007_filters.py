from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0006_survey"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="row",
            index=models.Index(fields=["job", "outcome", "line", "ra", "problems"], name="row_outcome"),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(fields=["job", "ra", "line", "outcome", "problems"], name="row_agency"),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(
                condition=models.Q(("problems__gt", "")),
                fields=["job", "line", "problems", "outcome", "ra"],
                name="row_problems",
            ),
        ),
    ]
