"""`manage.py prepare`: the tables and, unless an image holds them, the static files, as each start needs them."""

import stat
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, call_command

from resolver.services.health.outdated_static_files import count_outdated_static_files
from resolver.services.maintenance.sqlite_space import let_file_shrink


class Command(BaseCommand):
    """Runs two of Django's commands in one process, because starting a process takes longer than both."""

    help = "Create or update the tables, and collect the static files unless STATIC_DIR holds them."
    requires_system_checks = ()  # `migrate` makes all of them

    def handle(self, *args: Any, **options: Any) -> None:
        """Raises what these commands raise."""
        if trouble := let_file_shrink():
            self.stdout.write(trouble)
        call_command("migrate", interactive=False, verbosity=0, skip_checks=False)
        _close_files(settings.DOIPORTAL_DATA_DIR)
        # A running portal still serves them, so files of this version stay as they are.
        if not settings.STATIC_DIR and count_outdated_static_files() != 0:
            # Without `clear`, Django keeps a file that is newer than the one of this version.
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)


def _close_files(folder: Path) -> None:
    """Make the files in the data folder readable by their owner only: earlier versions left them as open as the shell
    made them. Static files are public."""
    for path in folder.rglob("*"):
        if path.is_relative_to(folder / "static") or path.is_symlink() or not path.is_file():
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            path.chmod(mode & 0o700)
