from django.db import migrations, models

from resolver.models.index_operations import AddIndexWithoutLock


class Migration(migrations.Migration):
    """Indexes for the addresses of a list that has a column of expected ones; other rows are in neither."""

    atomic = False
    dependencies = [("resolver", "0034_row_addresses")]

    operations = [
        AddIndexWithoutLock(
            "row",
            models.Index(
                condition=models.Q(("address__gt", "")),
                fields=["job", "address", "line", "host", "outcome", "problems", "ra", "needs_review"],
                name="row_address",
            ),
        ),
        AddIndexWithoutLock(
            "row",
            models.Index(
                condition=models.Q(("host__gt", "")),
                fields=["job", "host", "line", "address", "outcome", "problems", "ra", "needs_review"],
                name="row_host",
            ),
        ),
    ]
