import django.db.models.deletion
from django.db import migrations, models

import resolver.models.fields
from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    """Checks of the hosts to which a list leads."""

    dependencies = [
        ("resolver", "0036_watches"),
    ]

    operations = [
        migrations.CreateModel(
            name="HostCheck",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("job_ended", models.DateTimeField()),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("collected_up_to", models.PositiveIntegerField(blank=True, null=True)),
                ("collected", models.BooleanField(default=False)),
                ("done", models.BooleanField(default=False)),
                ("hosts", models.PositiveIntegerField(default=0)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("left_out", models.PositiveIntegerField(default=0)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
                (
                    "job",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="host_check", to="resolver.job"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CheckedHost",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=255)),
                ("port", models.PositiveIntegerField()),
                ("tls", models.BooleanField()),
                ("addresses", resolver.models.fields.JsonTextField(default=dict)),
                ("rows", models.PositiveIntegerField()),
                ("place", models.PositiveIntegerField(default=0)),
                (
                    "verdict",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("answers", "answers"),
                            ("no-such-host", "no-such-host"),
                            ("no-answer", "no-answer"),
                            ("certificate-ended", "certificate-ended"),
                            ("certificate-other-name", "certificate-other-name"),
                            ("certificate-untrusted", "certificate-untrusted"),
                            ("no-secure-connection", "no-secure-connection"),
                            ("not-contacted", "not-contacted"),
                            ("could-not-check", "could-not-check"),
                        ],
                        default="",
                        max_length=24,
                    ),
                ),
                ("detail", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "host_check",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="found",
                        to="resolver.hostcheck",
                    ),
                ),
            ],
            options={
                "ordering": ("host_check", "place"),
            },
        ),
        migrations.AddIndex(
            model_name="hostcheck",
            index=models.Index(condition=models.Q(("done", False)), fields=["done"], name="host_check_undone"),
        ),
        migrations.AddIndex(
            model_name="checkedhost",
            index=models.Index(fields=["host_check", "place"], name="checked_host_place"),
        ),
        migrations.AddIndex(
            model_name="checkedhost",
            index=models.Index(fields=["name", "-checked_at"], name="checked_host_latest"),
        ),
        migrations.AddConstraint(
            model_name="checkedhost",
            constraint=models.UniqueConstraint(fields=("host_check", "name"), name="checked_host_once"),
        ),
        LockTables("job"),  # the foreign keys are added at the end
    ]
