from django.db import migrations, models

import resolver.models.fields
from resolver.models.column_operations import LockTables

ROW_INDEXES = (
    ("row_outcome", ["job", "outcome", "line", "ra", "problems"], None),
    ("row_agency", ["job", "ra", "line", "outcome", "problems"], None),
    ("row_problems", ["job", "line", "problems", "outcome", "ra"], ("problems__gt", "")),
)


def indexes_with(column):
    # Databases rename a column in its indexes too. Only Django's state has to follow: nothing is indexed anew.
    return [
        migrations.AddIndex(
            "row",
            models.Index(fields=[*fields, column], name=name, condition=models.Q(condition) if condition else None),
        )
        for name, fields, condition in ROW_INDEXES
    ]


def without_indexes():
    return [migrations.RemoveIndex("row", name) for name, _, _ in ROW_INDEXES]


class Migration(migrations.Migration):
    dependencies = [("resolver", "0017_wakeups")]

    # Jobs, chunks, rows: the order in which every writer locks them.
    operations = [
        LockTables("job", "chunk", "row", "comparison", "storedanswer"),
        migrations.RenameField("job", "doubtful", "needs_review"),
        migrations.RenameField("job", "surveying", "prechecking"),
        migrations.RenameField("job", "survey", "precheck"),
        migrations.RenameField("job", "again_of", "rerun_of"),
        migrations.RenameField("chunk", "surveyed", "prechecked"),
        migrations.RemoveIndex("row", "row_doubtful"),
        migrations.SeparateDatabaseAndState(state_operations=without_indexes()),
        migrations.RenameField("row", "doubtful", "needs_review"),
        migrations.SeparateDatabaseAndState(state_operations=indexes_with("needs_review")),
        migrations.RenameField("row", "exist_too", "also_registered"),
        migrations.RenameField("comparison", "last", "compared_up_to"),
        migrations.RenameField("storedanswer", "answer", "record"),
        migrations.RenameField("storedanswer", "answer_at", "record_at"),
        migrations.DeleteModel("Question"),
        migrations.CreateModel(
            name="InFlightRequest",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("token", models.CharField(blank=True, default="", max_length=36)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("asked_at", models.DateTimeField()),
                ("failure", resolver.models.fields.JsonTextField(default=None)),
                ("awaited", models.BooleanField(default=False)),
            ],
        ),
    ]
