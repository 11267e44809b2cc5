"""`manage.py prepare`: the tables and the static files, as each start of the portal needs them."""

from typing import Any

from django.core.management import BaseCommand, call_command


class Command(BaseCommand):
    """Two of Django's commands in one process, since the start of a process costs more than what they do."""

    help = "Create or update the tables, and collect the static files."
    requires_system_checks = ()  # `migrate` makes all of them

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises what these commands raise."""
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)
        call_command("collectstatic", interactive=False, verbosity=0)
