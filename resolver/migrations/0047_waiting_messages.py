"""The model of waiting messages has a name that says so. Its table keeps its name, so nothing changes in the database."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("resolver", "0046_names_of_stored_reports")]
    operations = [
        migrations.AlterModelTable("wakeup", "resolver_wakeup"),
        migrations.RenameModel("Wakeup", "WaitingMessage"),
    ]
