"""Lookups and rows have the same names for what they store of a report. No table changes: the column of a row's problem
codes keeps its name, `problems`."""

from django.db import migrations, models

BY_CODES = {
    "row_by_problem": (["job", "problem_codes", "line", "outcome", "ra", "needs_review", "tidier"], None),
    "row_outcome": (["job", "outcome", "line", "ra", "problem_codes", "needs_review", "tidier"], None),
    "row_agency": (["job", "ra", "line", "outcome", "problem_codes", "needs_review", "tidier"], None),
    "row_problems": (
        ["job", "line", "problem_codes", "outcome", "ra", "needs_review", "tidier"],
        models.Q(problem_codes__gt=""),
    ),
    "row_needs_review": (
        ["job", "line", "outcome", "ra", "problem_codes", "needs_review"],
        models.Q(needs_review=True),
    ),
    "row_tidier": (["job", "line", "outcome", "ra", "problem_codes", "tidier"], models.Q(tidier=True)),
    "row_correction": (
        ["job", "correction", "line", "problem_codes", "outcome", "ra", "needs_review"],
        models.Q(correction__gt="", correction__lt="unchanged"),
    ),
    "row_address": (
        ["job", "address", "line", "host", "outcome", "problem_codes", "ra", "needs_review"],
        models.Q(address__gt=""),
    ),
    "row_host": (
        ["job", "host", "line", "address", "outcome", "problem_codes", "ra", "needs_review"],
        models.Q(host__gt=""),
    ),
}
CODES = models.TextField(blank=True, db_column="problems", default="")


class Migration(migrations.Migration):
    dependencies = [("resolver", "0045_password_windows")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                *[migrations.RemoveIndex("row", name) for name in BY_CODES],
                migrations.AlterField("row", "problems", CODES),
                migrations.RenameField("row", "problems", "problem_codes"),
                *[
                    migrations.AddIndex("row", models.Index(fields=fields, condition=condition, name=name))
                    for name, (fields, condition) in BY_CODES.items()
                ],
                migrations.AlterField("lookup", "outcome", models.CharField(blank=True, default="", max_length=20)),
                migrations.AlterField("lookup", "proxy", models.TextField(blank=True, default="")),
            ]
        )
    ]
