from django.db import migrations, models

from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    """Runs know on whose page a person chose to check again."""

    dependencies = [("resolver", "0039_elsewhere_needs_review")]

    operations = [
        LockTables("job"),
        migrations.AddField(model_name="job", name="checked_from", field=models.UUIDField(blank=True, null=True)),
    ]
