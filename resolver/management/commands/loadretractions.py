"""`manage.py loadretractions`: load Retraction Watch's list of retracted works."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from resolver.management.database_tables import require_tables
from resolver.proxy.file_downloads import NoDownload
from resolver.services.retractions.list_file import UnusableList
from resolver.services.retractions.load import load_retractions
from resolver.services.storage.clock import read_clock


class Command(BaseCommand):
    """Exchange the list for the one of a file, or of an address."""

    help = "Loads Retraction Watch's list of retracted works: its CSV file, as Crossref publishes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments."""
        parser.add_argument("place", metavar="FILE|URL", help="the CSV file, or its https: address")
        parser.add_argument(
            "--allow-fewer",
            action="store_true",
            help="load it even with less than half of the events of the last list",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Load it, and print what it has. Exit status 2 if it is refused, and if the tables aren't up to date. The list
        before stays then."""
        require_tables()
        try:
            load = load_retractions(options["place"], now=read_clock(), allow_fewer=options["allow_fewer"])
        except (UnusableList, NoDownload) as error:
            raise CommandError(f"{error.reason} The list that was loaded before is kept.", returncode=2) from error
        except OSError as error:
            raise CommandError(f"{options['place']}: {error.strerror or error}", returncode=2) from error
        if options["verbosity"]:
            self.stdout.write(f"Loaded: {load.events:,} events from {load.rows:,} rows, as listed on {load.listed_on}.")
            self.stdout.write(f"SHA-256: {load.sha256}")
