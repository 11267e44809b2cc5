import django.db.models.deletion
from django.db import migrations, models

import resolver.models.fields


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0012_drafts"),
    ]

    operations = [
        migrations.CreateModel(
            name="Comparison",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("before_ended", models.DateTimeField()),
                ("after_ended", models.DateTimeField()),
                ("by_line", models.BooleanField()),
                ("created_at", models.DateTimeField()),
                ("last", models.BigIntegerField(blank=True, null=True)),
                ("done", models.BooleanField(default=False)),
                ("counts", resolver.models.fields.JsonTextField(default=dict)),
                ("claim", models.CharField(blank=True, default="", max_length=36)),
                ("claimed_until", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Difference",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("newly-broken", "newly-broken"),
                            ("newly-working", "newly-working"),
                            ("address-changed", "address-changed"),
                            ("agency-changed", "agency-changed"),
                            ("otherwise-changed", "otherwise-changed"),
                            ("not-answered", "not-answered"),
                            ("only-before", "only-before"),
                            ("only-after", "only-after"),
                            ("unchanged", "unchanged"),
                        ],
                        max_length=20,
                    ),
                ),
                ("place", models.BigIntegerField()),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("other_line", models.PositiveIntegerField(blank=True, null=True)),
            ],
            options={
                "ordering": ("comparison", "place"),
            },
        ),
        migrations.AddField(
            model_name="job",
            name="again_of",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="runs",
                to="resolver.job",
            ),
        ),
        migrations.AddField(
            model_name="job",
            name="fresh_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="job",
            name="share_token",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="lookup",
            index=models.Index(fields=["owner", "outcome", "ra", "problem_codes"], name="lookup_kinds"),
        ),
        migrations.AddIndex(
            model_name="lookup",
            index=models.Index(fields=["created_at"], name="lookup_age"),
        ),
        migrations.AddConstraint(
            model_name="job",
            constraint=models.UniqueConstraint(
                condition=models.Q(("share_token", ""), _negated=True), fields=("share_token",), name="job_shared_once"
            ),
        ),
        migrations.AddField(
            model_name="comparison",
            name="after",
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="resolver.job"),
        ),
        migrations.AddField(
            model_name="comparison",
            name="before",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="resolver.job"
            ),
        ),
        migrations.AddField(
            model_name="difference",
            name="comparison",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="differences",
                to="resolver.comparison",
            ),
        ),
        migrations.AddConstraint(
            model_name="comparison",
            constraint=models.UniqueConstraint(
                fields=("before", "after", "before_ended", "after_ended"), name="comparison_once"
            ),
        ),
        migrations.AddIndex(
            model_name="difference",
            index=models.Index(fields=["comparison", "kind", "place"], name="difference_kind"),
        ),
        migrations.AddConstraint(
            model_name="difference",
            constraint=models.UniqueConstraint(fields=("comparison", "place"), name="difference_once"),
        ),
    ]
