"""Attempts at passwords are counted in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("resolver", "0044_state_of_processes")]

    operations = [
        migrations.CreateModel(
            name="PasswordWindow",
            fields=[
                ("key", models.CharField(max_length=48, primary_key=True, serialize=False)),
                ("attempts", models.JSONField(default=dict)),
                ("last_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
