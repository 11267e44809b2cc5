"""`manage.py doctor`: looks at an installation, and says what to do."""

from typing import Any

from django.core.management import BaseCommand, CommandError

from resolver.services.health.diagnosis import diagnose
from resolver.services.health.findings import Level
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock


class Command(BaseCommand):
    """Prints a line for each finding. Exit code 1: there is a fault."""

    help = (
        "Look at settings, folder, static files, database, broker, workers, DOI proxy, identity provider and mail "
        "server, and say what to do. Sends a request to the proxy and to the provider, and logs in at the mail server."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises CommandError if there is a fault."""
        faults = 0
        for finding in diagnose(proxy_from_settings(), now=read_clock()):
            faults += finding.level is Level.FAULT
            self.stdout.write(f"{finding.level.value:<6}  {finding.part:<12}  {finding.says}")
            if finding.do:
                self.stdout.write(f"{'':<22}  {finding.do}")
        if faults:
            raise CommandError(f"{faults} fault{'s' if faults > 1 else ''} found.")
