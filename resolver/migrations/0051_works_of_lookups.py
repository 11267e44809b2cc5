"""The title and the author that a person gives with one lookup."""

from django.db import migrations

from resolver.models.fields import ExactTextField
from resolver.models.migration_operations import LockTables


class Migration(migrations.Migration):
    dependencies = [("resolver", "0050_names_in_the_admin")]
    operations = [
        LockTables("lookup"),
        migrations.AddField("lookup", "title", ExactTextField(default="")),
        migrations.AddField("lookup", "author", ExactTextField(default="")),
    ]
