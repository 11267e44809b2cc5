from django.db import migrations, models

from resolver.models.migration_operations import AddIndexWithoutLock


class Migration(migrations.Migration):
    """The index of the verdicts about works, empty for the lists of earlier versions."""

    atomic = False
    dependencies = [("resolver", "0054_works")]

    operations = [
        AddIndexWithoutLock(
            "row",
            models.Index(
                fields=["job", "work", "line", "outcome", "problem_codes", "ra", "needs_review"],
                condition=models.Q(("work__gt", "")),
                name="row_work",
            ),
        ),
    ]
