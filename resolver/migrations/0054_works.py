from django.db import migrations, models

from resolver.models.fields import JsonTextField
from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Rows may say whether their DOI stands for their work, and the runs of a watch may find out."""

    dependencies = [("resolver", "0053_retractions_of_results")]

    operations = [
        LockTables("row", "watch"),
        migrations.AddField("row", "work", models.CharField(blank=True, default="", max_length=14)),
        migrations.AddField("row", "work_evidence", JsonTextField(default=None)),
        migrations.AddField("watch", "compare", models.BooleanField(default=False)),
    ]
