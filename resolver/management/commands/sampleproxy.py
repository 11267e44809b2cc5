"""`manage.py sampleproxy`: the bundled sample DOI proxy."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from resolver.standin import generated_names
from resolver.standin.records import UnreadableRecords
from resolver.standin.server import serve


class Command(BaseCommand):
    """Serve the sample DOI proxy until it is stopped."""

    help = "Runs the sample DOI proxy: a server that answers like doi.org, from sample data."
    requires_system_checks = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Return the parser, with the description of made-up names printed unchanged."""
        kwargs |= {"formatter_class": RawDescriptionHelpFormatter, "epilog": generated_names.__doc__}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument(
            "--port", type=int, default=8001, help="port to listen on; 0 takes a free one (default: 8001)"
        )
        parser.add_argument("--records", type=Path, metavar="FILE", help="a records file in place of the bundled one")
        parser.add_argument(
            "--latency", type=float, default=0.0, metavar="MS", help="milliseconds to wait before each answer"
        )
        parser.add_argument(
            "--limit", type=float, default=0.0, metavar="N", help="answer 429 to more than N requests in a second"
        )
        parser.add_argument(
            "--watch", action="store_true", help="print the number of requests each second and at the end"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Serve. Exit status 2 if this fails."""
        host, port, latency = options["host"], options["port"], options["latency"] / 1000
        if not 0 <= port <= 65535:
            raise CommandError(f"{port} isn't a port. Use a number from 0 to 65535.", returncode=2)
        if not 0 <= latency < float("inf"):
            raise CommandError("The latency must be a number of milliseconds, 0 or more.", returncode=2)
        if not 0 <= options["limit"] < float("inf"):
            raise CommandError("The limit must be a number of requests a second, 0 or more.", returncode=2)
        report = self._print if options["watch"] else None
        try:
            serve(host, port, options["records"], latency, options["limit"], on_start=self._print_url, report=report)
        except UnreadableRecords as error:
            raise CommandError(f"The records cannot be used: {error}", returncode=2) from error
        except OSError as error:
            why = f"Cannot listen on {host} port {port}: {error.strerror or error}. Choose another --port."
            raise CommandError(why, returncode=2) from error

    def _print_url(self, url: str) -> None:
        self._print(f"The sample DOI proxy listens at {url} (sample data, not doi.org).")

    def _print(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
