from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0014_doubtful"),
    ]

    operations = [
        migrations.AddField(
            model_name="chunk",
            name="tried_line",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="lookup",
            name="answered_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="row",
            name="answered_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="row",
            name="cached",
            field=models.BooleanField(default=False),
        ),
    ]
