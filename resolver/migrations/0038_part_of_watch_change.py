from django.db import migrations, models


class Migration(migrations.Migration):
    """Changes of watches say which DOI of a cell they are about."""

    dependencies = [
        ("resolver", "0037_host_checks"),
    ]

    operations = [
        migrations.AddField(
            model_name="watchchange",
            name="part",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
