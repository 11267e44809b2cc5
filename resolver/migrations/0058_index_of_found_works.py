from django.db import migrations, models

from resolver.models.migration_operations import AddIndexWithoutLock


class Migration(migrations.Migration):
    """The index of searches, empty for the lists of earlier versions."""

    atomic = False
    dependencies = [("resolver", "0057_found_works")]

    operations = [
        AddIndexWithoutLock(
            "row",
            models.Index(
                fields=["job", "found_by", "line", "outcome", "problem_codes", "ra", "needs_review"],
                condition=models.Q(("found_by__gt", "")),
                name="row_found_by",
            ),
        ),
    ]
