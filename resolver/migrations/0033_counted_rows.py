from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0032_daily_quotas"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="counted_rows",
            field=models.PositiveIntegerField(default=0),
        ),
    ]
