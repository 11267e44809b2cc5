from django.db import migrations, models

from resolver.models.index_operations import AddIndexWithoutLock


class Migration(migrations.Migration):
    """Two indexes that earlier states of 0023 and 0024 built, under a lock that held up everyone."""

    atomic = False
    dependencies = [("resolver", "0030_request_id_of_a_list")]

    operations = [
        AddIndexWithoutLock(
            "row",
            models.Index(
                fields=["job", "problems", "line", "outcome", "ra", "needs_review", "tidier"], name="row_by_problem"
            ),
        ),
        AddIndexWithoutLock(
            "row",
            models.Index(
                condition=models.Q(("correction__gt", ""), ("correction__lt", "unchanged")),
                fields=["job", "correction", "line", "problems", "outcome", "ra", "needs_review"],
                name="row_correction",
            ),
        ),
    ]
