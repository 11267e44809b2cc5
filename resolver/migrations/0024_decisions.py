import django.db.models.deletion
from django.db import migrations, models

import resolver.models.fields
from resolver.models.column_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [
        ("resolver", "0023_sorted_rows"),
    ]

    operations = [
        migrations.CreateModel(
            name="DecisionAction",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("decision", models.CharField(blank=True, default="", max_length=8)),
                ("rows", models.PositiveIntegerField()),
                ("line", models.PositiveIntegerField(blank=True, null=True)),
                ("made_by", models.CharField(blank=True, default="", max_length=150)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ("job", "id"),
            },
        ),
        migrations.CreateModel(
            name="EarlierDecision",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("line", models.PositiveIntegerField()),
                ("correction", models.CharField(blank=True, default="", max_length=14)),
                ("decision", models.CharField(blank=True, default="", max_length=8)),
                ("decided_doi", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("decided_proposal", resolver.models.fields.ExactTextField(blank=True, default="")),
                ("decided_by", models.CharField(blank=True, default="", max_length=150)),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        LockTables("job", "row"),  # the new tables refer to jobs
        migrations.AddField(
            model_name="row",
            name="decided_proposal",
            field=resolver.models.fields.ExactTextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="decisionaction",
            name="job",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="decision_actions", to="resolver.job"
            ),
        ),
        migrations.AddField(
            model_name="earlierdecision",
            name="action",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="earlier",
                to="resolver.decisionaction",
            ),
        ),
        migrations.AddConstraint(
            model_name="earlierdecision",
            constraint=models.UniqueConstraint(fields=("action", "line"), name="earlier_decision_once"),
        ),
    ]
