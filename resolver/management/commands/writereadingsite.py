"""`manage.py writereadingsite FOLDER`: the page /read as a folder that any web server can send."""

from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser
from django.http import Http404

from resolver.web.reading.static_site import write_reading_site


class Command(BaseCommand):
    """Write the page in each language, with its scripts, Pyodide and the library that reads."""

    help = "Write the page that reads texts in the browser into a folder, for any web server."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder."""
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        """Write the folder. Raises CommandError without the files of Pyodide."""
        try:
            write_reading_site(folder)
        except Http404:
            raise CommandError("The files of Pyodide are missing. Run: make reading-files") from None
        self.stdout.write(f"{folder / 'index.html'} and {sum(1 for path in folder.rglob('*') if path.is_file())} files")
