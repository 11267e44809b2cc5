from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0008_digest"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="incomplete",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="row",
            name="incomplete",
            field=models.BooleanField(default=False),
        ),
    ]
