"""`manage.py exportaccount`: all that is stored for a person, as the page *Account* gives it."""

import sys
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError, CommandParser

from resolver.management.one_account import find_account
from resolver.management.output_file import build_write_error
from resolver.services.account_data.archive import generate_archive
from resolver.services.results.export import JobChanged


class Command(BaseCommand):
    """Writes the ZIP archive into a new file that only its owner may read."""

    help = "Write all that is stored for an account into a ZIP archive: the same that the page Account gives."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="of the account")
        parser.add_argument("file", help="the archive to make; it must not exist yet; - for standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 2 if there is no archive."""
        account = find_account(options["username"])
        if options["file"] == "-":
            self._write(account, sys.stdout.buffer, Path("standard output"))
            return
        path = Path(options["file"])
        try:
            path.touch(mode=0o600, exist_ok=False)
        except OSError as error:
            raise build_write_error(path, error) from error
        try:
            with path.open("wb") as file:
                self._write(account, file, path)
        except BaseException:
            path.unlink(missing_ok=True)  # half an archive holds personal data too, and looks like a whole one
            raise
        self.stdout.write(f"{path} has all that is stored for {account.get_username()!r}. Give it to nobody else.")

    def _write(self, account: User, file: BinaryIO, path: Path) -> None:
        try:
            file.writelines(generate_archive(account))
            file.flush()
        except OSError as error:
            raise build_write_error(path, error) from error
        except JobChanged as error:
            raise CommandError("A list was taken up again or deleted meanwhile. Try again.", returncode=2) from error
