from django.db import migrations, models

import resolver.models.fields
from resolver.models.column_operations import AddFieldCheckedLater, LockTables


class Migration(migrations.Migration):
    """New columns, which are filled in by 0020: here everyone waits.

    Most rows of earlier lists are "unchanged". They have this value from the start, without being written.
    """

    dependencies = [
        ("resolver", "0018_plain_names"),
    ]

    operations = [
        LockTables("row"),
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.AddField("row", "correction", models.CharField(default="unchanged", max_length=14)),
            ],
            state_operations=[
                migrations.AddField("row", "correction", models.CharField(blank=True, default="", max_length=14)),
            ],
        ),
        migrations.AddField(
            model_name="row",
            name="decided_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="row",
            name="decided_by",
            field=models.CharField(blank=True, default="", max_length=150),
        ),
        migrations.AddField(
            model_name="row",
            name="decided_doi",
            field=resolver.models.fields.ExactTextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="row",
            name="decision",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
        migrations.AddField(
            model_name="row",
            name="doubtful",
            field=models.BooleanField(default=False),
        ),
        AddFieldCheckedLater(
            model_name="row",
            name="part",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        AddFieldCheckedLater(
            model_name="row",
            name="row",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
