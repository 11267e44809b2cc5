from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0007_filters"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="digest",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["digest"], name="job_digest"),
        ),
    ]
