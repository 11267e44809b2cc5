from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0013_runs"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name="row",
            name="row_outcome",
        ),
        migrations.RemoveIndex(
            model_name="row",
            name="row_agency",
        ),
        migrations.RemoveIndex(
            model_name="row",
            name="row_problems",
        ),
        migrations.AddField(
            model_name="job",
            name="doubtful",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="row",
            name="doubtful",
            field=models.BooleanField(default=False),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(fields=["job", "outcome", "line", "ra", "problems", "doubtful"], name="row_outcome"),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(fields=["job", "ra", "line", "outcome", "problems", "doubtful"], name="row_agency"),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(
                condition=models.Q(("problems__gt", "")),
                fields=["job", "line", "problems", "outcome", "ra", "doubtful"],
                name="row_problems",
            ),
        ),
        migrations.AddIndex(
            model_name="row",
            index=models.Index(
                condition=models.Q(("doubtful", True)),
                fields=["job", "line", "outcome", "ra", "problems", "doubtful"],
                name="row_doubtful",
            ),
        ),
    ]
